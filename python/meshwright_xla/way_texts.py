"""Programs by which a value goes from one group of devices to another that holds it otherwise, as StableHLO text.

Input: a way as the job has it (`source_shape`, `moves`, `rounds`, `piece_shape`, and, where there is such, `reduced`,
`gathered`, `contributed`), and the element type. Devices are replicas, those of the source before those of the target. What
differs from device to device stands in tables, of which each takes its row.
"""

# How contributions are put together, by what manifests call it.
PUT_TOGETHER = {"sum": "add", "product": "multiply", "max": "maximum", "min": "minimum", "and": "and", "or": "or"}


def tensor(shape, element):
    """A tensor type."""
    return f"tensor<{''.join(f'{size}x' for size in shape)}{element}>"


def module(count, shape, result, element, lines, returned):
    """A program of so many devices, from one tensor to another."""
    body = "".join(f"    {line}\n" for line in lines)
    return (
        f"module @transfer attributes {{mhlo.num_partitions = 1 : i32, mhlo.num_replicas = {count} : i32}} {{\n"
        f"  func.func public @main(%arg0: {tensor(shape, element)}) -> {tensor(result, element)} {{\n"
        f"{body}    return %{returned} : {tensor(result, element)}\n  }}\n}}\n"
    )


def groups_text(groups):
    """Replica groups."""
    rows = ", ".join(f"[{', '.join(map(str, group))}]" for group in groups)
    return f"dense<[{rows}]> : tensor<{len(groups)}x{len(groups[0])}xi64>"


def summed(way, element):
    """Of the source: contributions put together."""
    shape, groups = way["source_shape"], way["reduced"]["groups"]
    ty, scalar, op = tensor(shape, element), tensor([], element), PUT_TOGETHER[way["reduced"]["by"]]
    if element == "i1":
        op = {"add": "or", "multiply": "and", "maximum": "or", "minimum": "and"}.get(op, op)
    lines = [
        f'%0 = "stablehlo.all_reduce"(%arg0) <{{replica_groups = {groups_text(groups)}}}> ({{',
        f"^bb0(%a: {scalar}, %b: {scalar}):",
        f"  %c = stablehlo.{op} %a, %b : {scalar}",
        f"  stablehlo.return %c : {scalar}",
        f"}}) : ({ty}) -> {ty}",
    ]
    return module(sum(map(len, groups)), shape, shape, element, lines, "0")


class Rows:
    """Lines that take a device's rows of tables."""

    def __init__(self, count):
        self._count, self._names = count, 0
        self.lines = [
            "%id_ui = stablehlo.replica_id : tensor<ui32>",
            "%id = stablehlo.convert %id_ui : (tensor<ui32>) -> tensor<i32>",
            "%zero = stablehlo.constant dense<0> : tensor<i32>",
        ]

    def name(self):
        """A new name."""
        self._names += 1
        return f"%t{self._names}"

    def number(self, column):
        """The device's number of a column."""
        table, row, number = self.name(), self.name(), self.name()
        values = ", ".join(map(str, column))
        self.lines += [
            f"{table} = stablehlo.constant dense<[{values}]> : tensor<{self._count}xi32>",
            f"{row} = stablehlo.dynamic_slice {table}, %id, sizes = [1] : (tensor<{self._count}xi32>, tensor<i32>) -> "
            "tensor<1xi32>",
            f"{number} = stablehlo.reshape {row} : (tensor<1xi32>) -> tensor<i32>",
        ]
        return number

    def start(self, starts, rank):
        """The device's place in each dim; `starts` has those of devices that have one."""
        columns = [[starts.get(device, [0] * rank)[dim] for device in range(self._count)] for dim in range(rank)]
        return [self.number(column) if any(column) else "%zero" for column in columns]

    def is_one_of(self, devices, shape):
        """Whether the device is one of these, for each element."""
        number = self.number([int(device in devices) for device in range(self._count)])
        is_own, every = self.name(), self.name()
        self.lines += [
            f"{is_own} = stablehlo.compare NE, {number}, %zero : (tensor<i32>, tensor<i32>) -> tensor<i1>",
            f"{every} = stablehlo.broadcast_in_dim {is_own}, dims = [] : (tensor<i1>) -> {tensor(shape, 'i1')}",
        ]
        return every

    def slice(self, value, shape, start, size, element):
        """A part of a value."""
        if list(shape) == list(size):
            return value
        part = self.name()
        sizes, places = ", ".join(map(str, size)), ", ".join(start)
        kinds = ", ".join([tensor(shape, element), *["tensor<i32>"] * len(start)])
        self.lines.append(
            f"{part} = stablehlo.dynamic_slice {value}, {places}, sizes = [{sizes}] : ({kinds}) -> {tensor(size, element)}")
        return part

    def put(self, value, shape, part, size, start, element):
        """A value with a part in its place."""
        if list(shape) == list(size):
            return part
        new = self.name()
        kinds = ", ".join([tensor(shape, element), tensor(size, element), *["tensor<i32>"] * len(start)])
        self.lines.append(
            f"{new} = stablehlo.dynamic_update_slice {value}, {part}, {', '.join(start)} : ({kinds}) -> "
            f"{tensor(shape, element)}")
        return new

    def select(self, devices, one, other, shape, element):
        """One value on these devices, another on all others."""
        new, is_own = self.name(), self.is_one_of(devices, shape)
        kinds = f"{tensor(shape, 'i1')}, {tensor(shape, element)}"
        self.lines.append(f"{new} = stablehlo.select {is_own}, {one}, {other} : {kinds}")
        return new


def sent(way, element, before, count):
    """Of both groups, `before` devices of the source and `count` in all: the pieces of the target."""
    shape, result, rank = way["source_shape"], way["piece_shape"], len(way["source_shape"])
    rows = Rows(count)
    piece = rows.name()
    rows.lines.append(f"{piece} = stablehlo.constant dense<{splat(element, 'sum')}> : {tensor(result, element)}")
    for number, members in enumerate(way["rounds"]):
        moves = [way["moves"][member] for member in members]
        size = moves[0]["size"]
        part = rows.slice("%arg0", shape, rows.start({move["source"]: move["from"] for move in moves}, rank), size, element)
        pairs = ", ".join(f"[{move['source']}, {before + move['target']}]" for move in moves)
        ty = tensor(size, element)
        rows.lines.append(
            f'%sent{number} = "stablehlo.collective_permute"({part}) <{{source_target_pairs = dense<[{pairs}]> : '
            f"tensor<{len(moves)}x2xi64>}}> : ({ty}) -> {ty}")
        start = rows.start({before + move["target"]: move["to"] for move in moves}, rank)
        put = rows.put(piece, result, f"%sent{number}", size, start, element)
        piece = rows.select({before + move["target"] for move in moves}, put, piece, result, element)
    return module(count, shape, result, element, rows.lines, piece[1:])


def taken(way, element, count):
    """Of the target: its shards of its pieces."""
    shape, result = list(way["piece_shape"]), list(way["target_shape"])
    rows, value, own = Rows(count), "%arg0", list(shape)
    if "gathered" in way:
        dim, groups = way["gathered"]["dim"], way["gathered"]["groups"]
        own[dim] *= len(groups[0])
        rows.lines.append(
            f'%whole = "stablehlo.all_gather"(%arg0) <{{all_gather_dim = {dim} : i64, '
            f"replica_groups = {groups_text(groups)}}}> : ({tensor(shape, element)}) -> {tensor(own, element)}")
        value = "%whole"
    if "contributed" in way:
        places = {device: at for device, at in enumerate(way["contributed"]["at"]) if at is not None}
        rows.lines.append(
            f"%nothing = stablehlo.constant dense<{splat(element, way['contributed']['by'])}> : {tensor(result, element)}")
        put = rows.put("%nothing", result, value, own, rows.start(places, len(result)), element)
        value = rows.select(set(places), put, "%nothing", result, element)
    return module(count, shape, result, element, rows.lines, value[1:])


def splat(element, by):
    """What changes nothing when it is put together with anything, as the text of a constant."""
    from .pipeline import unchanged_by
    from .shards import element_type

    value = unchanged_by(by, element_type(element))
    if element == "i1":
        return "true" if value else "false"
    if element.startswith("complex"):
        part = "0.0" if by in ("sum", "or") else "1.0"
        return f"({part}, 0.0)"
    return f'"0x{value.tobytes().hex().upper()}"' if value.any() else ("0" if value.dtype.kind in "iu" else "0.0")
