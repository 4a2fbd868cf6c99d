"""What collectives of a program add up to, whoever counted them.

Input: each collective's kind, the bytes of its result on one device and the size of its group; output: their number,
bytes and *ring bytes*, which is what one device sends when the collective runs as a ring (Chan et al., "Collective
communication: theory, practice, and experience", 2007). With g devices in a group and b bytes of result:

    all_reduce          2 (g-1)/g b    a reduce_scatter and an all_gather
    all_gather          (g-1)/g b
    reduce_scatter      (g-1) b        its input has g b bytes
    all_to_all          (g-1)/g b
    collective_permute, collective_broadcast    b
"""
KINDS = ("all_reduce", "all_gather", "reduce_scatter", "all_to_all", "collective_permute", "collective_broadcast")


def ring_bytes(kind, result_bytes, group_size):
    """Bytes that one device sends for one collective."""
    g = group_size
    match kind:
        case "all_reduce":
            return 2 * (g - 1) * result_bytes / g
        case "all_gather" | "all_to_all":
            return (g - 1) * result_bytes / g
        case "reduce_scatter":
            return (g - 1) * result_bytes
        case "collective_permute" | "collective_broadcast":
            return result_bytes
    raise ValueError(f"no collective is called {kind}")


class Tally:
    """Sums by kind; `times` is how often a collective runs per step."""

    def __init__(self):
        self.kinds = {}

    def add(self, kind, result_bytes, group_size, times=1):
        row = self.kinds.setdefault(kind, dict(number=0, bytes=0, ring_bytes=0))
        row["number"] += times
        row["bytes"] += times * result_bytes
        row["ring_bytes"] += times * ring_bytes(kind, result_bytes, group_size)

    def report(self):
        """The sums as plain data: kinds in a fixed order, then totals; ring bytes are rounded here, once."""
        rows = {kind: self.kinds[kind] for kind in KINDS if kind in self.kinds}
        rows = {kind: {**row, "ring_bytes": round(row["ring_bytes"])} for kind, row in rows.items()}
        total = round(sum(row["ring_bytes"] for row in self.kinds.values()))
        return dict(collectives=rows, number=sum(row["number"] for row in rows.values()), ring_bytes=total)


def describe(report):
    """A report in one line: `13 all_reduce, 2 all_gather`."""
    return ", ".join(f"{row['number']} {kind}" for kind, row in report["collectives"].items()) or "none"
