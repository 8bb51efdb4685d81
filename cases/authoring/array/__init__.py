"""Cases of the array dialect, NumPy's and the Array API's row operators: a module per operator."""

from . import embedding_bag, index_add, index_reduce, put_along_axis, segment_reduce, take, take_along_axis, take_quantized

FILES = {
    "take": take.cases,
    "take_along_axis": take_along_axis.cases,
    "put_along_axis": put_along_axis.cases,
    "index_add": index_add.cases,
    "index_reduce": index_reduce.cases,
    "segment_reduce": segment_reduce.cases,
    "embedding_bag": embedding_bag.cases,
    "take_quantized": take_quantized.cases,
}
