"""The classes of networks, which the extension defines; _network.pyi lists them."""

from windrow import _core

globals().update(
    {name: member for name, member in vars(_core.network).items() if not name.startswith("_")}
)
