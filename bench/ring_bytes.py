#!/usr/bin/env python3
"""Counts the collectives of local StableHLO programs from their text alone, without XLA.

    .venv/bin/python bench/ring_bytes.py LOCAL.mlir ... [--json]

Input: programs with local shapes and explicit collectives, one op per line as MLIR prints them; output: for each
file the collectives by kind, their number, bytes and ring bytes (see `tally.py`) per device and step. A collective
in a loop counts as often as the loop runs; a loop whose condition does not compare a counter with a constant is
an error rather than a guess. Of a conditional every branch counts.
"""
import argparse
import json
import pathlib
import re
import sys

from tally import KINDS, Tally, describe

COLLECTIVE = re.compile(r'"?stablehlo\.(' + "|".join(KINDS) + r')"?\(')
CONSTANT = re.compile(r"(%[\w#]+) = stablehlo\.constant dense<(-?\d+)> : tensor<u?i\d+>")
COUNTER_SUM = re.compile(r"(%[\w#]+) = stablehlo\.add (%[\w#]+), (%[\w#]+) : tensor<u?i\d+>")


class Unsupported(Exception):
    """The text holds something that this counter would have to guess at."""


def tensor_bytes(text):
    """Bytes of all tensor types in a text, such as `tensor<4x8xf32>, tensor<f32>`; less than a byte counts as one."""
    total = 0
    for dims, of_complex, element in re.findall(r"tensor<((?:\d+x)*)(complex<)?(\w+)>", text):
        width = re.match(r"(?:bf|f|i|ui)(\d+)", element)
        if not width:
            raise Unsupported(f"element type {element}")
        size = max(1, int(width[1]) // 8) * (2 if of_complex else 1)
        for dim in dims.split("x")[:-1]:
            size *= int(dim)
        total += size
    return total


def result_types(line):
    """The text of an op's result types, which follow the arrow of its signature."""
    signature = re.split(r" : (?=\()", line)[-1]
    return signature.split(" -> ", 1)[1]


def group_size(attributes):
    """Devices in a group: the second dim of `replica_groups`' type."""
    groups = re.search(r"replica_groups = dense<(.*?)> : tensor<(\d+)x(\d+)xi64>", attributes)
    if not groups:
        raise Unsupported("a collective without dense replica_groups")
    # Groups of unequal size are filled up with -1; the largest decides, for it takes longest.
    rows = re.findall(r"\[([-\d, ]+)\]", groups[1])
    return max((sum(int(x) >= 0 for x in row.split(",")) for row in rows), default=int(groups[3]))


class Block:
    """The lines of one function or region, in which an entry may be another op with regions."""

    def __init__(self, opener):
        self.opener, self.entries, self.closer = opener, [], ""


def read_blocks(text):
    """The file as nested blocks; returns the outermost."""
    top = Block("")
    stack = [top]
    for line in text.splitlines():
        line = re.sub(r"\s//.*$", "", " " + line).strip()
        bare = re.sub(r'"(?:[^"\\]|\\.)*"', '""', line)
        while (shorter := re.sub(r"\{[^{}]*\}", "", bare)) != bare:
            bare = shorter
        closes, opens = bare.count("}"), bare.count("{")
        for _ in range(closes):
            if len(stack) == 1:
                raise Unsupported(f"a brace that closes nothing: {line}")
            stack.pop().closer = line
        if opens:
            for _ in range(opens):
                block = Block(line)
                stack[-1].entries.append(block)
                stack.append(block)
        elif not closes and line:
            stack[-1].entries.append(line)
    if len(stack) != 1:
        raise Unsupported("the text ends within a block")
    return top


def functions(block):
    """Every function's body by name, wherever modules nest."""
    found = {}
    for entry in block.entries:
        if isinstance(entry, Block):
            if name := re.search(r"func\.func .*?@([\w.$-]+)\(", entry.opener):
                found[name[1]] = entry
            else:
                found |= functions(entry)
    return found


def trip_count(head, condition, body, constants):
    """How often a `stablehlo.while` runs: (limit - start) / step of the counter that its condition compares."""
    lines = [line for line in condition.entries if isinstance(line, str)]
    known = dict(constants)
    for line in lines:
        known |= {name: int(value) for name, value in CONSTANT.findall(line)}
    starts = dict(re.findall(r"(%\w+) = (%[\w#]+)", head[head.index("stablehlo.while(") :]))
    compare = [m for line in lines if (m := re.search(r"stablehlo\.compare +(LT|LE), (%\w+), (%[\w#]+),", line))]
    if len(compare) != 1 or compare[0][2] not in starts or compare[0][3] not in known:
        raise Unsupported(f"a loop without a constant limit: {head}")
    counter, limit = compare[0][2], known[compare[0][3]] + (compare[0][1] == "LE")
    if starts[counter] not in known:
        raise Unsupported(f"a loop whose counter starts at an unknown value: {head}")
    step = counter_step(counter, list(starts), body, known)
    return max(0, -(-(limit - known[starts[counter]]) // step))


def counter_step(counter, carried, body, known):
    """What the body adds to the counter."""
    lines = [line for line in body.entries if isinstance(line, str)]
    known = known | {name: int(value) for line in lines for name, value in CONSTANT.findall(line)}
    returned = next(line for line in reversed(lines) if line.startswith("stablehlo.return"))
    value = re.findall(r"%[\w#]+", returned)[carried.index(counter)]
    for line in lines:
        if (sum_ := COUNTER_SUM.search(line)) and sum_[1] == value:
            addends = {sum_[2], sum_[3]} - {counter}
            if len(addends) == 1 and (addend := addends.pop()) in known and known[addend] > 0:
                return known[addend]
    raise Unsupported(f"a loop whose counter {counter} does not grow by a constant")


def count(text):
    """The tally of a program's `main`."""
    bodies = functions(read_blocks(text))
    if "main" not in bodies:
        raise Unsupported("there is no function @main")
    tally = Tally()

    def visit(block, times, constants):
        constants = dict(constants)
        entries = block.entries
        for index, entry in enumerate(entries):
            if isinstance(entry, str):
                constants |= {name: int(value) for name, value in CONSTANT.findall(entry)}
                if kind := COLLECTIVE.search(entry):
                    add(kind[1], entry, entry, times)
                elif call := re.search(r"\bcall @([\w.$-]+)\(", entry):
                    if call[1] not in bodies:
                        raise Unsupported(f"a call of @{call[1]}, which is not there")
                    visit(bodies[call[1]], times, {})
                elif '"stablehlo.while"' in entry:
                    raise Unsupported("a loop in generic form")
            elif entry.opener.startswith("cond"):
                head, body = entries[index - 1], entries[index + 1]
                visit(body, times * trip_count(head, entry, body, constants), constants)
            elif kind := COLLECTIVE.search(entry.opener):
                add(kind[1], entry.opener, entry.closer, times)
            elif "stablehlo.while" in entry.opener:
                raise Unsupported("a loop in generic form")
            elif not entry.opener.startswith("} do"):
                visit(entry, times, constants)

    def add(kind, attributes, signature, times):
        group = 2 if kind == "collective_permute" else group_size(attributes)
        tally.add(kind, tensor_bytes(result_types(signature)), group, times)

    visit(bodies["main"], 1, {})
    return tally.report()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", nargs="+", type=pathlib.Path)
    parser.add_argument("--json", action="store_true", help="print the counts as JSON, one object per file")
    options = parser.parse_args()
    for path in options.file:
        try:
            report = count(path.read_text())
        except (OSError, UnicodeDecodeError, Unsupported) as problem:
            sys.exit(f"{path}: {problem}")
        if options.json:
            print(json.dumps(dict(file=path.name, **report)))
        else:
            print(f"{path.name}: {describe(report)}; {report['ring_bytes']:,} ring bytes")


if __name__ == "__main__":
    main()
