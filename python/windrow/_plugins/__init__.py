"""Plug-ins for hosts that are built and kept on the user's machine."""
