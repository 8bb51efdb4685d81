"""Gather: the examples of NVIDIA's operator page, and calls like those whose results NVIDIA has printed."""

from ..records import f32, i32
from ..semantics import tensor
from .records import digits

INPUT = f32([2, 1, 5], -3.0, -2.0, -1.0, 10.0, -25.0, 0.0, 1.0, 2.0, -2.0, -1.0)


def page(cases):
    axis = {"mode": "DEFAULT", "axis": 2}
    cases.ok("page_gather", [INPUT, i32([1, 3], 2, 1, 1)], axis, out=[-1.0, -2.0, -2.0, 2.0, 1.0, 1.0])
    cases.ok("page_gather_2d_indices", [INPUT, i32([2, 2], 2, 1, 3, 3)], axis,
             out=[-1.0, -2.0, 10.0, 10.0, 2.0, 1.0, -2.0, -2.0])
    cases.ok("page_gather_elements", [INPUT, i32([2, 1, 5], 0, 1, 2, 3, 4, 4, 2, 3, 3, 1)],
             {"mode": "ELEMENT", "axis": 2}, out=[-3.0, -2.0, -1.0, 10.0, -25.0, -1.0, 2.0, -2.0, -2.0, 1.0])
    cases.ok("page_gather_elements_axis_0", [INPUT, i32([2, 1, 5], 0, 1, 1, 0, 0, 1, 1, 0, 0, 1)],
             {"mode": "ELEMENT", "axis": 0}, out=[-3.0, 1.0, 2.0, 10.0, -25.0, 0.0, 1.0, -1.0, 10.0, -1.0])
    cases.ok("page_gather_nd", [INPUT, i32([2, 3], 0, 0, 2, 1, 0, 1)], {"mode": "ND"}, out=[-1.0, 1.0])


def recorded(cases):
    """The attributes of the recorded runs; the engine printed the elements named in the notes."""
    data, one = digits([2, 3, 4, 5]), {"num_elementwise_dims": 1}
    indices, tuples = i32([2, 3], 1, 0, 2, 0, 0, -1), i32([2, 3], 1, 0, 2, 0, 2, -1)
    axis = {"mode": "DEFAULT", "axis": 2}
    cases.ok("recorded_default_axis_2", [data, indices], axis, note="the engine printed 30 .. 34 at [0, 0, 1, 2]")
    cases.ok("recorded_default_axis_2_elementwise_1", [data, indices], {**axis, **one},
             note="the engine printed 10, 0, 20 at [0, 0, :, 0] and 1000, 1000, 1030 at [1, 0, :, 0]")
    turned = i32([2, 3, 4, 5], *[(a + b + c + d) % 4 for a in range(2) for b in range(3) for c in range(4)
                                 for d in range(5)])
    cases.ok("recorded_element_axis_2", [data, turned], {"mode": "ELEMENT", "axis": 2},
             note="the run's indices were another permutation of each column")
    cases.ok("recorded_nd", [data, tuples], {"mode": "ND"},
             out=[1020.0, 1021.0, 1022.0, 1023.0, 1024.0, 230.0, 231.0, 232.0, 233.0, 234.0])
    cases.ok("recorded_nd_elementwise_1", [data, tuples], {"mode": "ND", **one}, out=[102.0, 1024.0])
    places = [(a, (2 * a + k) % 4, (a + k) % 5) for a in range(3) for k in range(4)]
    values = {place: float(number + 1) for number, place in enumerate(places)}
    sparse = tensor("float32", [3, 4, 5], [values.get((a, b, c), 0.0) for a in range(3) for b in range(4)
                                           for c in range(5)])
    cases.ok("recorded_nd_nonzero", [sparse, i32([12, 3], *[part for place in places for part in place])],
             {"mode": "ND"}, out=[float(number) for number in range(1, 13)],
             note="the recorded network took its indices from NonZero")


def documented(cases):
    data = digits([1, 3, 4, 5])

    def nd(dims):
        return {"mode": "ND", "num_elementwise_dims": dims}

    cases.ok("documented_nd_elementwise_1", [data, i32([1, 2, 3], 0, 1, 2, 0, 2, -1)], nd(1), out=[12.0, 24.0])
    cases.ok("documented_nd_elementwise_2", [data, i32([1, 3, 2], 2, 1, 3, 0, 1, 2)], nd(2),
             out=[21.0, 130.0, 212.0])
    cases.ok("documented_nd_elementwise_2_rows", [data, i32([1, 3, 1], 2, 3, 1)], nd(2),
             out=[20.0, 21.0, 22.0, 23.0, 24.0, 130.0, 131.0, 132.0, 133.0, 134.0, 210.0, 211.0, 212.0, 213.0, 214.0])
    cases.ok("documented_nd_elementwise_3", [data, i32([1, 3, 4, 1], 0, 0, 0, 0, 2, 2, 2, 2, 1, 1, 1, 1)], nd(3),
             out=[0.0, 10.0, 20.0, 30.0, 102.0, 112.0, 122.0, 132.0, 201.0, 211.0, 221.0, 231.0])


def add_cases(cases):
    for part in (page, recorded, documented):
        part(cases)
