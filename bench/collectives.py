#!/usr/bin/env python3
"""Compiles a StableHLO module with XLA on N CPU devices and reports what it communicates and how much it holds.

    .venv/bin/python bench/collectives.py GLOBAL.mlir                 # annotated; XLA partitions it
    .venv/bin/python bench/collectives.py LOCAL.mlir --local          # local shapes, explicit collectives
    .venv/bin/python bench/collectives.py FILE.mlir --steps 7         # also the median time of a step

Output: JSON with the collectives by kind (number per step, with the trips of loops counted; bytes of their results;
ring bytes per device, see `tally.py`), the memory of one device as XLA's compiler states it, and times. The same
counter serves both ways of compiling, so that they can be compared.
"""
import argparse
import json
import pathlib
import random
import re
import statistics
import sys
import time

import xla_engine
from tally import KINDS, Tally

ELEMENT_BYTES = dict(pred=1, bf16=2, f16=2, f32=4, f64=8, c64=8, c128=16)
KIND_NAMES = "|".join(kind.replace("_", "-") for kind in KINDS)
INSTRUCTION = re.compile(rf"= (?P<type>.+?) (?P<kind>{KIND_NAMES})(?P<start>-start)?\(")


def element_bytes(name):
    """Bytes of one element of an HLO type; types below a byte take one."""
    if name in ELEMENT_BYTES:
        return ELEMENT_BYTES[name]
    bits = re.match(r"[suf](\d+)", name)
    if not bits:
        raise ValueError(f"unknown element type {name}")
    return max(1, int(bits[1]) // 8)


def type_bytes(text):
    """Bytes of an HLO type, tuples added up: `(f32[4,8]{1,0}, s32[])`."""
    total = 0
    for element, dims in re.findall(r"([a-z]+\d*\w*)\[([\d,<=]*)\]", text):
        size = element_bytes(element)
        for dim in filter(None, dims.split(",")):
            size *= int(dim.lstrip("<="))
        total += size
    return total


def tuple_parts(text):
    """The elements of a tuple type's text."""
    parts, depth, start = [], 0, 1
    for position, character in enumerate(text):
        depth += (character in "([{") - (character in ")]}")
        if (character == "," and depth == 1) or depth == 0:
            parts.append(text[start:position].strip())
            start = position + 1
    return parts


def group_size(line, num_devices):
    """Devices in a replica group, in each of the three ways that HLO writes groups."""
    if listed := re.search(r"replica_groups=\{\{([\d,]+)\}", line):
        return len(listed[1].split(","))
    if iota := re.search(r"replica_groups=\[\d+,(\d+)\]", line):
        return int(iota[1])
    if named := re.search(r"replica_groups=mesh\[(.*?)\].*?\{(.*?)\}", line):
        sizes = dict(re.findall(r"'([^']+)'=(\d+)", named[1]))
        size = 1
        for axis, part in re.findall(r"'([^']+)'(?::\(\d+\)(\d+))?", named[2]):
            size *= int(part or sizes[axis])
        return size
    if "replica_groups={}" in line or "collective-permute" in line or "replica_groups" not in line:
        return num_devices
    raise ValueError(f"replica groups of an unknown form: {line.strip()}")


def computations(hlo):
    """The instructions of every computation by name, and the entry's name."""
    found, current, entry = {}, None, None
    for line in hlo.splitlines():
        head = re.match(r"(ENTRY )?%?([\w.\-]+) (?:\(.*)?\{$", line.rstrip())
        if head:
            current = found.setdefault(head[2], [])
            entry = head[2] if head[1] else entry
        elif line.startswith("}"):
            current = None
        elif current is not None:
            current.append(line)
    return found, entry


def count(hlo, num_devices):
    """The report on an optimized HLO module's text, see `tally.py`."""
    bodies, entry = computations(re.sub(r"/\*.*?\*/", "", hlo))
    tally = Tally()

    def visit(name, times):
        for line in bodies[name]:
            if found := INSTRUCTION.search(line):
                kind, result = found["kind"].replace("-", "_"), found["type"]
                # What starts an asynchronous collective returns its operand too, except for an all-reduce.
                if found["start"] and kind != "all_reduce":
                    result = tuple_parts(result)[1]
                tally.add(kind, type_bytes(result), group_size(line, num_devices), times)
            elif " while(" in line:
                trips = re.search(r'known_trip_count"?[=:]\{"?n"?:"?(\d+)', line)
                if not trips and has_collectives(called(line)["body"]):
                    raise ValueError(f"a loop of unknown length communicates: {line.strip()[:120]}")
                visit(called(line)["body"], times * int(trips[1] if trips else 1))
            elif re.search(r" (call|conditional|async-start)\(", line):
                for target in called(line).values():
                    visit(target, times)

    def called(line):
        keys = r"(body|to_apply|calls|true_computation|false_computation)=%?([\w.\-]+)"
        targets = dict(re.findall(keys, line))
        if branches := re.search(r"branch_computations=\{(.*?)\}", line):
            targets |= {name: name for name in re.findall(r"[\w.\-]+", branches[1])}
        return targets

    def has_collectives(name):
        return any(
            INSTRUCTION.search(line) or any(has_collectives(target) for target in called(line).values())
            for line in bodies[name]
        )

    visit(entry, 1)
    return tally.report()


def parameter_types(hlo):
    """Element type and dims of every argument on one device, and the memory that it lies in, if that is not the device's."""
    layout = re.search(r"entry_computation_layout=\{\((.*?)\)->", re.sub(r"/\*.*?\*/", "", hlo))[1]
    types = re.findall(r"(\w+)\[([\d,]*)\](?:\{[^}]*?(S\(5\))?\})?", layout)
    return [(element, tuple(int(dim) for dim in dims.split(",") if dim), xla_engine.HOST if space else None)
            for element, dims, space in types]


class Stepper:
    """Runs steps of an executable on random arrays (positive ones, for roots are taken of some)."""

    def __init__(self, executable, hlo, num_devices):
        import jax.numpy as jnp
        import numpy as np

        types = dict(f32="float32", f64="float64", bf16="bfloat16", f16="float16", pred="bool", s8="int8", s16="int16",
                     s32="int32", s64="int64", u8="uint8", u16="uint16", u32="uint32", u64="uint64")
        generator = np.random.default_rng(0)
        self.executable, self.num_devices, self.values = executable, num_devices, []
        for element, shape, memory in parameter_types(hlo):
            is_whole = element[0] in "su"
            drawn = generator.integers(0, 100, shape) if is_whole else 0.02 * np.abs(generator.standard_normal(shape))
            self.values.append((np.asarray(drawn).astype(jnp.dtype(types[element])), memory))

    def step(self):
        """Seconds of one step."""
        import jax

        # Donated arguments are gone after a step; they are placed by threads that are to be done when it begins.
        arguments = [xla_engine.place([value] * self.num_devices, memory) for value, memory in self.values]
        jax.block_until_ready(arguments)
        start = time.perf_counter()
        xla_engine.execute(self.executable, arguments)
        return time.perf_counter() - start


def median_steps(steppers, steps):
    """Median milliseconds of a step of each, one step of each in every round; the first round is not counted.

    The order is drawn anew for each round: what ran before leaves caches, memory and threads as they are then."""
    order, taken = random.Random(0), [[] for _ in steppers]
    for _ in range(steps + 1):
        for index in order.sample(range(len(steppers)), len(steppers)):
            taken[index].append(steppers[index].step())
    return [round(1e3 * statistics.median(seconds[1:]), 2) for seconds in taken]


def compiled(text, num_devices, local):
    """An executable and the seconds that XLA took for it."""
    start = time.perf_counter()
    load = xla_engine.load_local if local else xla_engine.load_global
    executable = load(text, num_devices)
    return executable, time.perf_counter() - start


def report_on(executable, seconds, num_devices):
    """Everything this tool reports on a compiled module but the times of steps, and the HLO it was counted in."""
    hlo = xla_engine.hlo_text(executable)
    memory = executable.get_compiled_memory_stats()
    report = count(hlo, num_devices)
    report["memory"] = dict(
        arguments=memory.argument_size_in_bytes, results=memory.output_size_in_bytes,
        aliased=memory.alias_size_in_bytes, temporaries=memory.temp_size_in_bytes,
    )
    report["compile_s"] = round(seconds, 2)
    return report, hlo


def measure(text, num_devices, local, steps=0):
    """The report on one module's text, with the median time of a step if `steps` are wanted, and its HLO."""
    executable, seconds = compiled(text, num_devices, local)
    report, hlo = report_on(executable, seconds, num_devices)
    if steps:
        report["step_ms"] = median_steps([Stepper(executable, hlo, num_devices)], steps)[0]
    return report, hlo


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=pathlib.Path)
    parser.add_argument("--devices", type=int, default=8)
    parser.add_argument("--local", action="store_true", help="the module is local: one replica per device")
    parser.add_argument("--steps", type=int, default=0, help="time this many steps on random arrays")
    parser.add_argument("--hlo", type=pathlib.Path, help="also write XLA's optimized module here")
    options = parser.parse_args()
    try:
        text = options.file.read_text()
    except (OSError, UnicodeDecodeError) as problem:
        sys.exit(f"{options.file}: {problem}")
    xla_engine.prepare(options.devices)
    report, hlo = measure(text, options.devices, options.local, options.steps)
    if options.hlo:
        options.hlo.write_text(hlo)
    print(json.dumps(dict(file=options.file.name, **report), indent=1))


if __name__ == "__main__":
    main()
