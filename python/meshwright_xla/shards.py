"""Shards of arrays: which part of a global array a device holds, as a compiled folder's manifest describes it.

A dim of size s in n shards is cut every ceil(s / n) elements; the last shards end in padding where that is too much,
and hold nothing else where they start behind the end.

Input: the manifest's mesh (`[{"name": "data", "size": 2}, ...]`), the position of a device in it (row-major), and a
sharding (`[["data"], [], ["model:(1)2"]]`: for each dim the axes that split it, major first). Output: a slice per dim.

A sub-axis `name:(p)s` is the part of an axis of size n that is left after its first p and has s values: a device at
position x of the axis is at position x / (n / (p s)) mod s of the sub-axis. Example: of an axis of size 8,
`:(2)2` takes bit 1 of the position's three bits.
"""
import re

import numpy as np

# Element types that numpy has; `ml_dtypes` has the others under other names.
ELEMENTS = dict(
    f64="float64", f32="float32", f16="float16", i1="bool", i8="int8", i16="int16", i32="int32", i64="int64",
    ui8="uint8", ui16="uint16", ui32="uint32", ui64="uint64",
)
ELEMENTS["complex<f32>"], ELEMENTS["complex<f64>"] = "complex64", "complex128"


class BadInput(Exception):
    """A manifest or an array that does not fit; the text is for the user."""


def element_type(name):
    """The numpy type of a StableHLO element type."""
    import ml_dtypes

    if name in ELEMENTS:
        return np.dtype(ELEMENTS[name])
    known = dict(bf16="bfloat16", i2="int2", i4="int4", ui2="uint2", ui4="uint4")
    found = getattr(ml_dtypes, known.get(name) or re.sub(r"^f(\d+)E", r"float\1_e", name).lower(), None)
    if found is None:
        raise BadInput(f"element type {name} is not known")
    return np.dtype(found)


def as_described(array, name, described):
    """An array of a file, if it is what the manifest describes; types that numpy lacks are raw bytes there."""
    wanted = element_type(described["element"])
    if array.dtype.kind == "V" and array.dtype.itemsize == wanted.itemsize:
        array = array.view(wanted)
    if array.dtype != wanted or list(array.shape) != list(described["shape"]):
        raise BadInput(f"{name} is {array.dtype}{list(array.shape)}, not {wanted}{list(described['shape'])}")
    return array


def device_slices(mesh, described, position):
    """The part of an array that a device holds, as a slice per dim; padding is not counted."""
    starts_and_sizes = zip(described["shape"], *_shards(mesh, described, position))
    return tuple(slice(min(start, whole), min(start + size, whole)) for whole, start, size in starts_and_sizes)


def local_shape(mesh, described):
    """The shape of every device's shard, padding included."""
    return _shards(mesh, described, 0)[1]


def padded(part, shape):
    """A part with zeros behind it up to a shape."""
    if list(part.shape) == list(shape):
        return np.ascontiguousarray(part)
    shard = np.zeros(shape, part.dtype)
    shard[tuple(slice(0, own) for own in part.shape)] = part
    return shard


def device_shard(mesh, described, array, position):
    """What a device holds of an array; zeros are the padding."""
    return padded(array[device_slices(mesh, described, position)], local_shape(mesh, described))


def index_along(mesh, axes, position):
    """The row-major index of a device along axes."""
    coordinates = np.unravel_index(position, [axis["size"] for axis in mesh])
    positions = {axis["name"]: (int(x), axis["size"]) for axis, x in zip(mesh, coordinates)}
    index, parts = 0, 1
    for axis in axes:
        own, count = _locate(axis, positions)
        index, parts = index * count + own, parts * count
    return index, parts


def _shards(mesh, described, position):
    """Where a device's shard starts, and its size, per dim."""
    if len(described["sharding"]) != len(described["shape"]):
        raise BadInput(f"sharding {described['sharding']} does not fit the shape {described['shape']}")
    starts, sizes = [], []
    for size, axes in zip(described["shape"], described["sharding"]):
        index, parts = index_along(mesh, axes, position)
        sizes.append(-(-size // parts))
        starts.append(index * sizes[-1])
    return starts, sizes


def _locate(axis, positions):
    """Position and size on an axis or a sub-axis."""
    form = re.fullmatch(r"(.+?)(?::\((\d+)\)(\d+))?", axis)
    if form[1] not in positions:
        raise BadInput(f"the mesh has no axis {form[1]}")
    position, size = positions[form[1]]
    if form[2] is None:
        return position, size
    before, own = int(form[2]), int(form[3])
    if before * own == 0 or size % (before * own):
        raise BadInput(f"{axis} is no part of an axis of size {size}")
    return position // (size // (before * own)) % own, own
