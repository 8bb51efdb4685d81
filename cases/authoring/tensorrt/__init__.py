"""Cases of the TensorRT layers: a file per layer, Gather's made by a module per mode."""

from . import gather, kv_cache_update, one_hot, scatter

FILES = {
    "gather": gather.cases,
    "scatter": scatter.cases,
    "one_hot": one_hot.cases,
    "kv_cache_update": kv_cache_update.cases,
}
