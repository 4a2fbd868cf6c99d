#!/usr/bin/env python3
"""Runs the StableHLO repository's self-checking programs, and damaged twins of them, through Meshwright.

    python3 bench/stablehlo_conformance.py CHECKOUT [--meshwright target/release/meshwright] [--only PART] [--json FILE]

Input: a checkout of the StableHLO repository. Of its `stablehlo/testdata/*.mlir` and
`stablehlo/tests/interpret/*.mlir`, each static file is

- read, verified and printed in both forms (`fmt`, `fmt --generic`), and what was printed is read again and must
  print the same;
- evaluated (`eval`), which must find that all of its checks hold;
- evaluated once more with one expected value changed, which must find that a check fails.

Of `tests/interpret` each module (`// -----` parts them) and each function without arguments in it that is not called is
also counted as a case and evaluated by itself.

Output: per op how many files pass, and for each file that does not, the reason. Exit code 0 if all do. A file that
uses dynamic shapes or quantized types is static in neither sense and is left out, counted by construct.
"""
import argparse
import collections
import concurrent.futures
import json
import os
import pathlib
import re
import struct
import subprocess
import sys
import tempfile

# Ops that occur in training and serving graphs; every other op's files are counted apart.
TRAINING = set("""
abs add and atan2 bitcast_convert broadcast_in_dim call case cbrt ceil clamp compare concatenate constant convert
convolution cosine count_leading_zeros custom_call divide dot dot_general dynamic_slice dynamic_update_slice
exponential exponential_minus_one floor gather imag iota is_finite log log_plus_one logistic maximum minimum multiply
negate not or pad popcnt power real reduce reduce_precision reduce_window remainder reshape return reverse rng_bit_generator
round_nearest_afz round_nearest_even rsqrt scatter select select_and_scatter shift_left shift_right_arithmetic
shift_right_logical sign sine slice sort sqrt subtract tan tanh top_k transpose while xor complex
""".split())
OP = re.compile(r'"?\b(stablehlo|chlo|check|interpreter)\.(\w+)"?')
NOT_STATIC = {
    "dynamic shapes": re.compile(r"tensor<[^>]*\?|stablehlo\.(dynamic_(?!slice|update_slice)|real_dynamic|set_dimension_size)|shape\."),
    "quantized types": re.compile(r"quant\.|uniform_quantize|uniform_dequantize"),
}
TIMEOUT = 120


def run(binary, *arguments):
    try:
        done = subprocess.run([binary, *arguments], capture_output=True, text=True, timeout=TIMEOUT)
    except subprocess.TimeoutExpired:
        return None, "", f"no end after {TIMEOUT} s"
    return done.returncode, done.stdout, done.stderr


def first_line(text):
    return next((line.strip() for line in text.splitlines() if line.strip()), "")


def round_trip(binary, path, folder):
    """`None`, or why the file does not survive being printed and read."""
    pretty, generic = folder / "pretty.mlir", folder / "generic.mlir"
    code, text, errors = run(binary, "fmt", path)
    if code != 0:
        return f"fmt: {first_line(errors)}"
    pretty.write_text(text)
    for form, name in ((pretty, "printed text"), (generic, "generic text")):
        if form is generic:
            code, printed, errors = run(binary, "fmt", "--generic", path)
            if code != 0:
                return f"fmt --generic: {first_line(errors)}"
            generic.write_text(printed)
        code, again, errors = run(binary, "fmt", form)
        if code != 0:
            return f"fmt of the {name}: {first_line(errors)}"
        if again != text:
            return f"the {name} reads as another program"
    return None


def expected_places(text):
    """Spans of constants that a check compares with, with their element types."""
    places = []
    body = re.search(r"func\.func private @expected\(.*?\n  }", text, re.S)
    dense = re.compile(r'dense<((?:"0x[0-9A-F]*"|[^<>"])*)>\s*:\s*tensor<((?:\d+x)*)(complex<\w+>|\w+)>')
    if body:
        for found in dense.finditer(text, body.start(), body.end()):
            places.append(found)
    for check in re.finditer(r"check\.expect_(?:almost_)?eq_const[^,]*,\s*", text):
        found = dense.match(text, check.end())
        if found:
            places.append(found)
    return [place for place in places if "0" not in place.group(2).split("x")[:-1]]


def damaged_bytes(digits, element):
    """Hex digits of a blob whose first element is changed beyond any tolerance."""
    width = {"i1": 1, "bf16": 2}.get(element) or max(1, int(re.search(r"(?:complex<)?[a-z]+(\d+)", element)[1]) // 8)
    data = bytearray.fromhex(digits)
    if element == "i1":
        data[0] ^= 1 if len(data) > 1 or data[0] in (0, 1) else 0xFF
    elif element[0] in "iu":
        data[0] ^= 1
    else:
        # The exponent's upper bits of the first float; NaN and infinity become finite, the rest far away.
        data[width - 1] ^= 0x40
    return data.hex().upper()


def damaged_words(words, element):
    """The text of a splat or list with its first number changed; `None` if there is none."""
    def changed(match):
        word = match.group(0)
        if word in ("true", "false"):
            return {"true": "false", "false": "true"}[word]
        if word.startswith("0x"):
            return f"0x{int(word, 16) ^ (1 << (4 * (len(word) - 2) - 2)):0{len(word) - 2}X}"
        if element[0] in "iu":
            value = int(word)
            return str(value - 1 if value > 0 else value + 1)
        value = float(word)
        return f"{value + max(1.0, abs(value)):.6E}" if value <= 0 else f"{-value - 1:.6E}"
    new, count = re.subn(r"true|false|0x[0-9A-Fa-f]+|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?", changed, words, count=1)
    return new if count else None


def damaged(text):
    """The program with one expected value changed; `None` if no expected constant can be told."""
    for place in expected_places(text):
        words, element = place.group(1), place.group(3)
        if words.startswith('"0x'):
            new = f'"0x{damaged_bytes(words[3:-1], element)}"'
        else:
            new = damaged_words(words, element)
        if new and new != words:
            return text[: place.start(1)] + new + text[place.end(1):]
    return None


def judge(binary, path):
    """What becomes of one file: its ops and, for each of the three trials, `None` or the reason of failure."""
    text = path.read_text()
    ops = sorted({name for _, name in OP.findall(text) if not name.startswith("expect_")})
    for reason, pattern in NOT_STATIC.items():
        if pattern.search(text):
            return {"file": path.name, "left_out": reason}
    result = {"file": path.name, "ops": ops}
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        result["round_trip"] = round_trip(binary, path, folder)
        code, _, errors = run(binary, "eval", path)
        result["eval"] = None if code == 0 else f"exit {code}: {first_line(errors)}"
        twin = damaged(text)
        if twin is None:
            result["twin"] = "no expected constant"
        else:
            (folder / "twin.mlir").write_text(twin)
            code, _, errors = run(binary, "eval", folder / "twin.mlir")
            result["twin"] = None if code == 3 else f"exit {code}: {first_line(errors)}"
    return result


def cases(text):
    """The cases of a file, as texts of one module each: a module, or a part of it for each function that is run."""
    found = []
    for part in re.split(r"^// -----.*$", text, flags=re.M):
        runs = re.findall(r"func\.func (?:public |private )?@(\w+)\(\)", part)
        called = set(re.findall(r"(?:call |[\[, (=])@(\w+)", re.sub(r"func\.func (?:public |private )?@\w+", "", part)))
        runs = [name for name in runs if name not in called]
        if "main" in runs or len(runs) <= 1:
            found.extend([part] if runs else [])
            continue
        # A module of several functions: each of them by itself.
        bodies = re.split(r"(?=^func\.func )", part, flags=re.M)
        found.extend(body for body in bodies if re.match(r"func\.func (?:public |private )?@\w+\(\)", body))
    return found


def judge_cases(binary, path):
    """How each case of a file ends: `None`, or the reason of failure."""
    text = path.read_text()
    results = []
    with tempfile.TemporaryDirectory() as folder:
        for index, case in enumerate(cases(text)):
            name = (re.findall(r"@(\w+)", case) or ["?"])[0]
            reason = next((reason for reason, pattern in NOT_STATIC.items() if pattern.search(case)), None)
            if reason:
                results.append({"file": path.name, "case": name, "left_out": reason})
                continue
            file = pathlib.Path(folder) / f"{index}.mlir"
            file.write_text(case)
            code, _, errors = run(binary, "eval", file)
            failed = None if code == 0 else f"exit {code}: {first_line(errors)}"
            results.append({"file": path.name, "case": name, "eval": failed})
    return results


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("checkout", type=pathlib.Path)
    parser.add_argument("--meshwright", type=pathlib.Path, default=pathlib.Path("target/release/meshwright"))
    parser.add_argument("--only", default="", help="run only files whose name contains this")
    parser.add_argument("--json", type=pathlib.Path, help="write every file's result here")
    options = parser.parse_args()
    binary = options.meshwright.resolve()
    if not binary.is_file():
        parser.error(f"there is no {binary}; `cargo build --release` makes it")
    num_wrong, num_files = 0, 0
    everything = {}
    for folder in ("testdata", "tests/interpret"):
        root = options.checkout / "stablehlo" / folder
        files = sorted(path for path in root.glob("**/*.mlir") if options.only in path.name)
        if not root.is_dir():
            parser.error(f"there is no {root}; is this a checkout of the StableHLO repository?")
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            results = list(pool.map(lambda path: judge(binary, path), files))
        everything[folder] = results
        if folder == "tests/interpret":
            with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
                counted = [case for found in pool.map(lambda path: judge_cases(binary, path), files) for case in found]
            everything["cases"] = counted
            static_cases = [case for case in counted if "left_out" not in case]
            passed = sum(case["eval"] is None for case in static_cases)
            print(f"tests/interpret, by cases: {passed} of {len(static_cases)} evaluated; {len(counted)} with those left out")
            for case in static_cases:
                if case["eval"] is not None:
                    num_wrong += 1
                    print(f"  {case['file']} @{case['case']}: {case['eval']}")
        num_files += len(results)
        left_out = collections.Counter(result["left_out"] for result in results if "left_out" in result)
        static = [result for result in results if "left_out" not in result]
        print(f"{folder}: {len(static)} static files; left out: "
              + (", ".join(f"{count} with {reason}" for reason, count in sorted(left_out.items())) or "none"))
        for trial in ("round_trip", "eval", "twin"):
            groups = (("of ops in training graphs", lambda ops: set(ops) <= TRAINING), ("all", lambda ops: True))
            counts = []
            for name, belongs in groups:
                chosen = [result for result in static if belongs(result["ops"])]
                passed = sum(result[trial] is None for result in chosen)
                counts.append(f"{name} {passed} of {len(chosen)}")
            print(f"  {trial}: " + "; ".join(counts))
        table = collections.defaultdict(lambda: [0, 0])
        for result in static:
            for op in result["ops"]:
                table[op][0] += result["eval"] is None
                table[op][1] += 1
        print("  evaluated, by op (passed of files with it):")
        for op, (passed, total) in sorted(table.items()):
            print(f"    {op:28} {passed:5} of {total}{'' if passed == total else '  <'}")
        for result in static:
            for trial in ("round_trip", "eval", "twin"):
                if result[trial] is not None:
                    num_wrong += 1
                    print(f"  {result['file']}: {trial}: {result[trial]}")
    if options.json:
        options.json.write_text(json.dumps(everything, indent=1))
    if not num_files:
        parser.error(f"no file's name contains {options.only!r}")
    print(f"{num_wrong} trials failed")
    return 1 if num_wrong else 0


if __name__ == "__main__":
    sys.exit(main())
