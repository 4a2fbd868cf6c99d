#!/usr/bin/env python3
"""Compares Meshwright's propagation and sharding rules with what Shardy's own tests expect.

    python3 bench/shardy_propagation.py CHECKOUT [--meshwright target/debug/meshwright] [--only PART] [--json FILE] [--verbose]

Input: a checkout of the Shardy repository. Each file of `shardy/dialect/sdy/transforms/propagation/test/*.mlir` is
split at `// -----`; the RUN line says what to run: `meshwright propagate --strategy ...` or `meshwright rules`.
The expectations of each function (a CHECK-LABEL and what follows it) are then looked for in our text:

- as FileCheck does, with CHECK, -SAME, -NEXT, -DAG, -NOT, `{{regex}}` and `[[NAME:regex]]`: the function matches
  in its text;
- if that fails, by shardings alone: argument by argument and result by result of the signature, then operation by
  operation in order, each with its name and its shardings. How values are named, and where an attribute stands, does
  not count; nor does an operation in our text that no CHECK speaks of.

Output: per file how many functions match, and for each that does not, the first difference. Exit code 0 if at least
95 % of all functions match.
"""
import argparse
import json
import pathlib
import re
import subprocess
import sys
import tempfile

TESTS = "shardy/dialect/sdy/transforms/propagation/test"
GOAL = 0.95
TIMEOUT = 120
STRATEGIES = (
    ("-sdy-propagation-pipeline", "pipeline"),
    ("-sdy-user-priority-propagate", "user-priority"),
    ("-sdy-op-priority-propagate", "op-priority"),
    ("-sdy-aggressive-propagate", "aggressive"),
    ("-sdy-basic-propagate", "basic"),
)
CHECK = re.compile(r"//\s*CHECK(-LABEL|-SAME|-NEXT|-DAG|-NOT|-EMPTY|-COUNT-\d+)?(\{LITERAL\})?:\s*(.*?)\s*$")
OP = re.compile(r"\b(?:stablehlo|sdy|chlo|mhlo|func)\.[a-z_.0-9]+|\bcall\b|\breturn\b")


class Directive:
    def __init__(self, kind, literal, text):
        self.kind, self.literal, self.text = kind, literal, text


def directives(chunk):
    found = []
    for line in chunk.splitlines():
        match = CHECK.search(line)
        if match:
            found.append(Directive((match[1] or "").lstrip("-") or "PLAIN", bool(match[2]), match[3]))
    return found


def blocks(found):
    """The directives of each function: those from one label up to the next; what stands before the first is left."""
    result = []
    for directive in found:
        if directive.kind == "LABEL":
            result.append([])
        if result:
            result[-1].append(directive)
    return result


def canonical(text):
    return re.sub(r"[ \t]+", " ", text)


def to_regex(directive, variables):
    """The pattern of a directive and the names that it binds, by group."""
    text = canonical(directive.text)
    if directive.literal:
        return re.escape(text), {}
    out, names, position = [], {}, 0
    token = re.compile(r"\{\{(.*?)\}\}|\[\[([A-Za-z_$][\w]*)(?::(.*?))?\]\]")
    for match in token.finditer(text):
        out.append(re.escape(text[position:match.start()]))
        position = match.end()
        if match[1] is not None:
            out.append(f"(?:{match[1]})")
        elif match[3] is not None:
            group = f"v{len(names)}_{match[2].lstrip('$')}"
            names[group] = match[2]
            # FileCheck's `.*` ends at the line; a name ends at the first place where the rest fits.
            out.append(f"(?P<{group}>{match[3]})")
        elif match[2] in {name for name in names.values()}:
            group = next(group for group, name in names.items() if name == match[2])
            out.append(f"(?P={group})")
        elif match[2] in variables:
            out.append(re.escape(variables[match[2]]))
        else:
            out.append(r"%?[\w#]+")
    out.append(re.escape(text[position:]))
    return "".join(out), names


def file_check(block, text):
    """`None` if the function's text fits its directives, else the first that does not."""
    text = canonical(text)
    position, variables, forbidden = 0, {}, []
    index = 0
    while index < len(block):
        directive = block[index]
        if directive.kind == "NOT":
            forbidden.append(directive)
            index += 1
            continue
        group = [directive]
        if directive.kind == "DAG":
            while index + 1 < len(block) and block[index + 1].kind == "DAG":
                index += 1
                group.append(block[index])
        start, ends = position, []
        for one in group:
            pattern, names = to_regex(one, variables)
            match = re.compile(pattern).search(text, start)
            if match is None:
                return f"{one.kind}: {one.text}"
            between = text[start:match.start()].count("\n")
            if (one.kind == "SAME" and between != 0) or (one.kind == "NEXT" and between != 1):
                return f"{one.kind}: {one.text}"
            for group_name, name in names.items():
                variables[name] = match[group_name]
            ends.append(match.end())
            for other in forbidden:
                if re.search(to_regex(other, variables)[0], text[start:match.start()]):
                    return f"NOT: {other.text}"
        forbidden = []
        position = max(ends)
        index += 1
    for other in forbidden:
        if re.search(to_regex(other, variables)[0], text[position:]):
            return f"NOT: {other.text}"
    return None


def shardings(text):
    """The shardings in a text, in order, without white space."""
    found, position = [], 0
    text = text.replace(" ", "")
    while True:
        start = text.find("<@", position)
        inline = text.find("<mesh<", position)
        if inline != -1 and (start == -1 or inline < start):
            start = inline
        if start == -1:
            return found
        depth, end = 0, start
        while end < len(text):
            if text[end] == "<":
                depth += 1
            elif text[end] == ">" and text[end - 1] != "-":
                depth -= 1
                if depth == 0:
                    break
            end += 1
        found.append(text[start:end + 1])
        position = end + 1


def signature(text):
    """`(arguments, results)`: for each its sharding or None. The text reads `@name(%arg0: type {...}, ...) -> ...`."""
    start = text.find("(")
    if start == -1:
        return [], []
    arguments, end = listed(text, start)
    arrow = text.find("->", end)
    if arrow == -1:
        return arguments, None
    rest = text[arrow + 2:].strip()
    if rest.startswith("("):
        return arguments, listed(rest, 0)[0]
    return arguments, [None]


def listed(text, start):
    """The sharding of each item in the list that opens at `start`, and where the list ends."""
    depth, item, items, index = 0, "", [], start
    while index < len(text):
        char = text[index]
        if char in "([{<":
            depth += 1
        elif char in ")]}" or (char == ">" and text[index - 1] != "-"):
            depth -= 1
        if depth == 0 or (depth == 1 and char == ","):
            if item.strip():
                items.append((shardings(item) or [None])[0])
            item = ""
            if depth == 0:
                return items, index + 1
        elif not (depth == 1 and index == start):
            item += char
        index += 1
    if item.strip():
        items.append((shardings(item) or [None])[0])
    return items, index


def statements(block):
    """The directives as statements: a CHECK with the CHECK-SAMEs behind it."""
    joined = []
    for directive in block:
        if directive.kind == "SAME" and joined:
            joined[-1] += " " + directive.text
        elif directive.kind not in ("NOT", "SAME"):
            joined.append(directive.text)
    return joined


def reduced(statement):
    statement = re.sub(r"\{\{.*?\}\}|\[\[.*?\]\]", "", statement)
    name = OP.search(statement)
    word = name[0].removeprefix("func.") if name else ""
    return word, shardings(statement), statement.strip().startswith("})") or statement.strip().startswith("}")


def compare(block, text):
    """`None` if the shardings are those expected, else the first difference."""
    expected = statements(block)
    header, *body = text.split("\n", 1)
    want_args, want_results = signature(expected[0])
    got_args, got_results = signature(header)
    if shardings(expected[0]) or "%arg" in expected[0]:
        complete = expected[0].count("%arg") == len(got_args)
        pairs = list(zip(want_args, got_args))
        for index, (want, got) in enumerate(pairs):
            if want != got:
                return f"argument {index}: {got or 'no sharding'}, expected {want or 'none'}"
        if complete and want_results and got_results is not None:
            for index, (want, got) in enumerate(zip(want_results, got_results)):
                if want != got:
                    return f"result {index}: {got or 'no sharding'}, expected {want or 'none'}"
    lines = []
    for line in (body[0] if body else "").splitlines():
        word, found, ends = reduced(line)
        if word or found:
            lines.append((word, found, ends))
    position = 0
    for statement in expected[1:]:
        word, want, ends = reduced(statement)
        if not want and word in ("", "return", "sdy.return", "stablehlo.return"):
            continue
        candidates = []
        for index in range(position, len(lines)):
            other, got, closes = lines[index]
            same = other == word or (word == "" and not ends) or (ends and closes)
            if same:
                exact = got[:len(want)] == want and (want or not got or statement.rstrip()[-1:] not in (":", "32"))
                if exact:
                    position = index + 1
                    break
                candidates.append(got)
        else:
            near = f", found {' '.join(candidates[0]) or 'none'}" if candidates else ", no such operation"
            return f"{word or 'operation'}: expected {' '.join(want) or 'no sharding'}{near}"
    return None


def command(run_line):
    if "-sdy-populate-op-sharding-rules" in run_line:
        arguments = ["rules"]
    else:
        strategy = next((name for flag, name in STRATEGIES if flag in run_line), None)
        if strategy is None:
            return None
        arguments = ["propagate", "--strategy", strategy]
    if "conservative-propagation=true" in run_line:
        arguments.append("--conservative")
    if "dedup-functions-fully=true" in run_line:
        arguments.append("--dedup-functions")
    if "keep-sharding-rules=true" in run_line:
        arguments.append("--keep-rules")
    return arguments


def functions(text):
    """Our text by function: from its header to the next."""
    parts = re.split(r"(?m)^(?=  func\.func )", text)
    return [part for part in parts if part.lstrip().startswith("func.func")]


def name_of(label):
    match = re.search(r"@(\w+)", label)
    return match[1] if match else label


def check_file(path, binary, folder):
    """`(name, how, why)` for each function with expectations: how is text, shardings or neither."""
    text = path.read_text()
    run_line = next((line for line in text.splitlines() if "RUN:" in line), "")
    arguments = command(run_line)
    chunks = re.split(r"(?m)^// -----.*$", text) if "-split-input-file" in run_line else [text]
    results = []
    for index, chunk in enumerate(chunks):
        expected = blocks(directives(chunk))
        if not expected:
            continue
        if arguments is None:
            results += [(name_of(block[0].text), "", "the pass is not known") for block in expected]
            continue
        source, output = folder / f"{path.stem}_{index}.mlir", folder / "out.mlir"
        source.write_text(chunk)
        output.unlink(missing_ok=True)
        try:
            done = subprocess.run([binary, *arguments, source, "-o", output], capture_output=True, text=True, timeout=TIMEOUT)
            code, errors = done.returncode, done.stderr
        except subprocess.TimeoutExpired:
            code, errors = None, f"no end after {TIMEOUT} s"
        if code != 0 or not output.exists():
            reason = next((line.strip() for line in errors.splitlines() if line.strip()), f"exit code {code}")
            results += [(name_of(block[0].text), "", reason) for block in expected]
            continue
        ours = functions(output.read_text())
        for block in expected:
            name = name_of(block[0].text)
            part = next((part for part in ours if name_of(part) == name), None)
            if part is None:
                results.append((name, "", "our output has no such function"))
                continue
            ours.remove(part)
            part = part.lstrip()
            difference = file_check(block, part.replace("func.func", "func", 1))
            if difference is None:
                results.append((name, "text", ""))
                continue
            why = compare(block, part)
            results.append((name, "" if why else "shardings", why or difference))
    return results


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("checkout", type=pathlib.Path)
    parser.add_argument("--meshwright", default="target/debug/meshwright", help="the binary")
    parser.add_argument("--only", default="", help="only files whose name has this part")
    parser.add_argument("--json", type=pathlib.Path, help="write every function's outcome here")
    parser.add_argument("--verbose", action="store_true", help="also list functions that match by shardings, not in text")
    arguments = parser.parse_args()
    files = sorted(path for path in (arguments.checkout / TESTS).glob("*.mlir") if arguments.only in path.name)
    if not files:
        sys.exit(f"no tests in {arguments.checkout / TESTS}")
    record, total, matched, exact = {}, 0, 0, 0
    print(f"{'file':<62} {'functions':>9} {'match':>6} {'in text':>8}")
    differing = []
    with tempfile.TemporaryDirectory() as folder:
        for path in files:
            results = check_file(path, arguments.meshwright, pathlib.Path(folder))
            record[path.name] = [{"function": name, "match": how, "difference": why} for name, how, why in results]
            here = sum(1 for _, how, _ in results if how)
            in_text = sum(1 for _, how, _ in results if how == "text")
            print(f"{path.name:<62} {len(results):>9} {here:>6} {in_text:>8}", flush=True)
            total, matched, exact = total + len(results), matched + here, exact + in_text
            differing += [(path.name, *result) for result in results if not result[1] or (arguments.verbose and result[1] != "text")]
    print(f"{'all':<62} {total:>9} {matched:>6} {exact:>8}   {100 * matched / max(total, 1):.1f} %")
    for file, name, how, why in differing:
        print(f"{file}: @{name}{' (shardings match)' if how else ''}: {why}")
    if arguments.json:
        arguments.json.write_text(json.dumps(record, indent=1) + "\n")
    return 0 if total and matched >= GOAL * total else 1


if __name__ == "__main__":
    sys.exit(main())
