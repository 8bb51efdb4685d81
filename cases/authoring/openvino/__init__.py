"""Cases of the OpenVINO operators: a module per operator."""

from . import (bags, gather, gather_elements, gather_nd, gather_tree, one_hot, scatter_elements_update, scatter_nd_update,
               scatter_update, segment_max, slice_scatter)

FILES = {
    "gather": gather.cases,
    "gather_elements": gather_elements.cases,
    "gather_nd": gather_nd.cases,
    "scatter_update": scatter_update.cases,
    "scatter_elements_update": scatter_elements_update.cases,
    "scatter_nd_update": scatter_nd_update.cases,
    "one_hot": one_hot.cases,
    "segment_max": segment_max.cases,
    "slice_scatter": slice_scatter.cases,
    "embedding_bag_offsets_sum": bags.offsets_sum,
    "embedding_bag_offsets": bags.offsets,
    "embedding_bag_packed_sum": bags.packed_sum,
    "embedding_bag_packed": bags.packed,
    "embedding_segments_sum": bags.segments_sum,
    "gather_tree": gather_tree.cases,
}
