"""How little a training step must send when it is sharded in a given way.

Input: the mesh, the shapes of parameters and activations, and what is sharded over which axes. Output: ring bytes per
device and step. `make_cases.py` works out a floor for each of its cases. Those of the recorded cases, which have
neither file nor shapes here, are in `bounds.json`: with n the elements of an activation on a device, gradients, two
sums of n over `model` for each block, one for the logits, and what is looked up of the embedding.
"""
import math


class Floor:
    """Sums up what a case must send, given that every device does its share of the work and no more.

    A gradient is summed over the devices that saw other data; a parameter that they share out is gathered once; an
    activation that every device holds a contribution to is summed. Where there are several ways, the cheapest counts.
    Bytes are those of a ring, as in `tally.py`.
    """

    def __init__(self, mesh):
        self.mesh, self.total = dict(mesh), 0.0

    def size(self, axes):
        return math.prod(self.mesh[axis] for axis in axes)

    def reduced(self, elements, axes, times=1):
        """`elements` of each device summed over `axes`, everywhere or (half of it) shared out."""
        group = self.size(axes)
        self.total += times * 2 * (group - 1) / group * 4 * elements

    def gathered(self, elements, axes, times=1):
        """`elements` put together (or scattered as sums, or exchanged) over `axes`."""
        group = self.size(axes)
        self.total += times * (group - 1) / group * 4 * elements

    def moved(self, elements, times=1):
        """`elements` sent to a neighbor."""
        self.total += times * 4 * elements

    def least(self, *ways):
        """The cheapest of several ways, each a function of a floor."""
        floors = [Floor(self.mesh) for _ in ways]
        for way, floor in zip(ways, floors):
            way(floor)
        self.total += min(floor.total for floor in floors)

    def looked_up(self, table, found, axes):
        """Rows of a table that is sharded over `axes`: a device gets what it does not hold of them, or of the table."""
        self.gathered(min(table, found), axes)

    def product(self, weight, read, made, axes):
        """The gradient of a weight over `axes`: summed, or computed everywhere from all that it is a product of."""
        self.least(lambda floor: floor.reduced(weight, axes), lambda floor: floor.gathered(read + made, axes))

    def parameters(self, params, specs, data, looked_up=()):
        """Gradients over the `data` axes; what a parameter is sharded by of these is gathered and scattered. Those that
        are `looked_up` need not be gathered."""
        for name, shape in params.items():
            axes = spec_axes(specs[name])
            shared = [axis for axis in data if axis in axes]
            rest = [axis for axis in data if axis not in axes]
            elements = math.prod(shape) // self.size([axis for axis in axes if axis not in data])
            if shared:
                self.gathered(elements, shared, times=1 if name in looked_up else 2)
                elements //= self.size(shared)
            if rest:
                self.reduced(elements, rest)


def spec_axes(spec):
    return [axis for dim in spec if dim for axis in ((dim,) if isinstance(dim, str) else dim)]
