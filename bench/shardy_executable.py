"""Runs Shardy's executable tests through the partitioner and the embedded engine.

Usage: python bench/shardy_executable.py CHECKOUT --meshwright BINARY [--only PART] [--json FILE] [--keep FOLDER]

CHECKOUT is a folder with Shardy's sources. Each test (`transforms/*/test/executable_*/*.mlir`) has parts behind lines
`//--- NAME`: `part1.mlir` holds annotated functions, `part2.mlir` a `@main` that runs them with
`interpreter.run_parallel` and compares what the devices return with what a sequential function returns, or with
constants (`check`). The tests' own scripts partition part 1, put the local functions beside part 2 and interpret the
whole. Here every function that `run_parallel` names is partitioned by `meshwright partition` instead, and `meshwright
eval` interprets the whole.

- A function is called `@parallel_x` and nothing is called `@sequential_x`: the same function without shardings.
- `@transformed_x` against `@original_x`: no devices. The first is partitioned over a mesh of one device.
- A RUN line that renames the function (`sed 's/a/b/g'`) makes a copy of that name.
- `--replica_count`: devices are replicas; otherwise partitions, as Shardy has them.
"""

import argparse
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

TESTS = "shardy/dialect/sdy/transforms/*/test/executable_*/*.mlir"


def parts(text):
    """The parts of a test by name."""
    pieces = re.split(r"^//--- (\S+)\s*$", text, flags=re.M)
    return dict(zip(pieces[1::2], pieces[2::2]))


def split_functions(text):
    """Mesh declarations, and the text of each function by name."""
    meshes, functions, current = [], {}, None
    for line in text.splitlines():
        if line.startswith("sdy.mesh"):
            meshes.append(line)
        elif match := re.match(r"func\.func (?:\w+ )?@([\w.$-]+)", line):
            current = match[1]
            functions[current] = [line]
        elif current:
            functions[current].append(line)
            if line.startswith("}"):
                current = None
    return meshes, {name: "\n".join(lines) for name, lines in functions.items()}


def renamed(text, old, new):
    return re.sub(rf"@{re.escape(old)}\b", f"@{new}", text)


def run(command):
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    return done.returncode, (done.stdout + done.stderr).strip()


class Failed(Exception):
    """A step does not work."""


class Test:
    """One file."""

    def __init__(self, path, binary, folder):
        self.text = path.read_text()
        self.binary, self.folder = binary, folder
        pieces = parts(self.text)
        if "part1.mlir" not in pieces or "part2.mlir" not in pieces:
            raise Failed("the file has no part1.mlir and part2.mlir")
        self.meshes, self.functions = split_functions(pieces["part1.mlir"])
        self.main = pieces["part2.mlir"]

    def partitioned(self, name, ids, meshes):
        """The local functions of one function, the entry called as before."""
        entry = self.functions[name]
        others = [text for other, text in self.functions.items() if other != name and f"@{other}(" in entry]
        module = "\n".join([*meshes, renamed(entry, name, "main"), *others])
        whole, local = self.folder / f"{name}.mlir", self.folder / f"{name}.local.mlir"
        whole.write_text(module)
        code, output = run([self.binary, "partition", str(whole), "-o", str(local), "--ids", ids])
        if code != 0:
            raise Failed(f"partition @{name}: {output}")
        text = local.read_text()
        body = text[text.index("{\n") + 2 : text.rstrip().rindex("}")]
        return renamed(body, "main", name)

    def program(self):
        ids = "replica" if "--replica_count" in self.text else "partition"
        rows = re.findall(r"programs = \[(\[[^=]*?\])\]", self.main, flags=re.S)
        wanted = {name for row in rows for name in re.findall(r"@([\w.$-]+)", row)}
        if any("], [" in row for row in rows):
            ids = "replica"
        called = set(re.findall(r"call @([\w.$-]+)", self.main))
        texts, known = [], set()
        aliases = dict((new, old) for old, new in re.findall(r"sed 's/(\w+)/(\w+)/g'", self.text))
        for name in sorted(wanted):
            source = name if name in self.functions else aliases.get(name)
            if source not in self.functions:
                raise Failed(f"there is no function @{name}")
            texts.append(renamed(self.partitioned(source, ids, self.meshes), source, name))
            known.add(name)
        for name in sorted(called - known):
            if name.startswith("transformed_"):
                texts.append(self.partitioned(name, "replica", ['sdy.mesh @mesh = <["x"=1]>']))
            elif name in self.functions:
                texts.append(self.functions[name])
            else:
                stem = name.replace("sequential_", "parallel_").replace("original_", "transformed_")
                if stem not in self.functions:
                    raise Failed(f"there is no function @{name}")
                plain = re.sub(r"\{sdy\.sharding = (?:[^{}]|\{[^{}]*\})*\}", "", self.functions[stem])
                texts.append(renamed(plain, stem, name))
        return "module {\n" + "\n".join([*self.meshes, *texts, self.main]) + "\n}\n"

    def run(self):
        combined = self.folder / "combined.mlir"
        combined.write_text(self.program())
        code, output = run([self.binary, "eval", str(combined)])
        if code != 0:
            raise Failed(f"eval: {output}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("checkout", type=Path)
    parser.add_argument("--meshwright", required=True, type=Path)
    parser.add_argument("--only", default="", help="only tests whose path contains this")
    parser.add_argument("--json", type=Path, help="write the outcome of every test")
    parser.add_argument("--keep", type=Path, help="leave the programs in this folder")
    options = parser.parse_args()
    outcomes = {}
    with tempfile.TemporaryDirectory() as temporary:
        for path in sorted(options.checkout.glob(TESTS)):
            name = str(path.relative_to(options.checkout)).split("transforms/")[1]
            if options.only not in name:
                continue
            folder = Path(options.keep or temporary) / name.replace("/", "_").removesuffix(".mlir")
            folder.mkdir(parents=True, exist_ok=True)
            try:
                Test(path, str(options.meshwright.resolve()), folder).run()
                outcomes[name] = "ok"
            except (Failed, subprocess.TimeoutExpired) as problem:
                outcomes[name] = str(problem)
                print(f"FAILS {name}\n      " + "\n      ".join(str(problem).splitlines()[:6]))
    good = sum(outcome == "ok" for outcome in outcomes.values())
    print(f"{good} of {len(outcomes)} tests give the sequential results ({100 * good / max(len(outcomes), 1):.1f} %)")
    if options.json:
        options.json.write_text(json.dumps(outcomes, indent=2) + "\n")
    sys.exit(good != len(outcomes))


if __name__ == "__main__":
    main()
