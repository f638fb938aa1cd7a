"""Put small faults into the library, one at a time, and see whether the tests notice.

    python -m dpteach.tools.mutate                        tries 10 faults in each area
    python -m dpteach.tools.mutate -n 40 pair curve       tries 40 faults in each of two areas
    python -m dpteach.tools.mutate --table                shows what was found so far

A fault is tried in a copy of the kit, never in place, against the tests of its area. What became of it is written to
mutants.jsonl, so that a run that was stopped goes on where it was. Faults that change nothing anybody could see are
listed, with the reason, in `tests/equivalent_mutants.txt`.
"""

from __future__ import annotations

import argparse
import ast
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from ..table import Table

KIT = Path(__file__).resolve().parents[2]
NEEDED = ("dpteach", "tests", "pyproject.toml", "notebooks", "README.md", "start.py")
EQUIVALENT = KIT / "tests" / "equivalent_mutants.txt"
SURVIVED, KILLED, SLOW, EQUAL = "survived", "killed", "too slow", "equivalent"

AREAS = {  # sources, and the tests that look at them, the fast ones first
    "pair": ("pair.py", "test_pair.py test_curve.py test_bad_input.py test_vacuous.py"),
    "curve": ("curve.py", "test_curve.py test_pair.py test_vacuous.py test_channel.py test_guarantee.py"),
    "guarantee": ("guarantee.py", "test_guarantee.py test_bad_input.py test_optimum.py test_pair.py"),
    "channel": ("channel.py", "test_channel.py test_vacuous.py leakage notions"),
    "composition": ("composition.py", "test_composition.py test_bad_input.py"),
    "optimum": ("optimum.py", "test_optimum.py test_bad_input.py"),
    "mechanisms": ("mechanisms.py", "test_mechanisms.py test_bad_input.py"),
    "planning": ("planning.py", "test_planning_recipes.py test_planning.py"),
    "checks": ("checks.py table.py", "test_bad_input.py test_table.py test_public_api.py"),
    "numerics": ("numerics", "numerics test_optimum.py test_pair.py test_composition.py test_mechanisms.py"),
    "experiment": ("experiment", "experiment test_bad_input.py"),
    "leakage": ("leakage", "leakage test_vacuous.py"),
    "granularity": ("granularity", "granularity notions/test_notions.py"),
    "notions": ("notions", "notions"),
    "figures": ("figures", "figures"),
}
COMPARED = {"Lt": "LtE", "Gt": "GtE", "Eq": "NotEq", "In": "NotIn", "Is": "IsNot"}
COMPUTED = {"Add": "Sub", "Mult": "Div", "BitAnd": "BitOr"}
ONE_WAY = {"Pow": "Mult", "FloorDiv": "Div", "Mod": "FloorDiv", "MatMult": "Mult"}
OTHER = COMPARED | COMPUTED | {b: a for a, b in (COMPARED | COMPUTED).items()} | ONE_WAY
UNSEEN = ("annotation", "returns", "decorator_list")  # what no test can see


class Mutant(NamedTuple):
    """One fault: in a file, the bytes from `start` to `end` are replaced; its name shows the line before and after."""

    name: str
    line: int
    file: str
    start: int
    end: int
    after: bytes


# --------------------------------------------------------------------------------------------------------- the faults


def mutants_of(path: Path) -> Iterator[Mutant]:
    """Yield all faults that can be put into a file."""
    source = path.read_bytes()  # the parser counts columns in bytes
    starts = [0]
    for line in source.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    file = path.relative_to(KIT).as_posix()
    for node, after in faults(ast.parse(source)):
        start = starts[node.lineno - 1] + node.col_offset
        end = starts[node.end_lineno - 1] + node.end_col_offset
        first, last = starts[node.lineno - 1], starts[node.end_lineno]
        lines = source[first:last], source[first:start] + after.encode() + source[end:last]
        before, changed = (" ".join(line.decode().split()) for line in lines)
        yield Mutant(f"{file}: {before} -> {changed}", node.lineno, file, start, end, after.encode())


def faults(node: ast.AST) -> Iterator[tuple[ast.AST, str]]:
    """Yield what can be replaced below a node, and by what; texts, __all__ and zip's strict are left alone."""
    match node:
        case ast.JoinedStr() | ast.Assign([ast.Name("__all__")]) | ast.keyword("strict"):
            return
    if after := changed(node):
        yield node, after
    if isinstance(node, ast.Raise):
        return
    for field, value in ast.iter_fields(node):
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.AST) and field not in UNSEEN:
                yield from faults(child)


def changed(node: ast.AST) -> str | None:
    """Return the text of a node with a fault: another comparison, sign or number, nothing returned, nothing done."""
    match node:
        case ast.Compare(left, [first, *others], right):
            return f"({ast.unparse(ast.Compare(left, [_other(first), *others], right))})"
        case ast.BinOp(left, operator, right):
            return f"({ast.unparse(ast.BinOp(left, _other(operator), right))})"
        case ast.BoolOp(operator, values):
            other = ast.Or() if isinstance(operator, ast.And) else ast.And()
            return f"({ast.unparse(ast.BoolOp(other, values))})"
        case ast.UnaryOp(ast.Not() | ast.USub(), operand):
            return f"({ast.unparse(operand)})"
        case ast.Constant(bool(value)):
            return str(not value)
        case ast.Constant(int(value) | float(value)):
            return repr(value + 1 if isinstance(value, int) else value * 1.5 or 1.0)
        case ast.Return(ast.AST()):
            return "return None"
        case ast.AugAssign() | ast.Expr(ast.Call()) | ast.Raise():
            return "pass"
    return None


def _other(operator: ast.AST) -> ast.AST:
    name = type(operator).__name__
    return getattr(ast, OTHER.get(name, name))()


def sample(area: str, number: int, seed: int) -> list[Mutant]:
    """Return some faults of an area, always the same ones for the same seed; more begin with the fewer."""
    places = [KIT / "dpteach" / name for name in AREAS[area][0].split()]
    paths = [path for place in places for path in (sorted(place.rglob("*.py")) or [place])]
    possible = [mutant for path in paths for mutant in mutants_of(path)]
    random.Random(f"{area} {seed}").shuffle(possible)
    return possible[:number]


# --------------------------------------------------------------------------------------------------------- trying them


def tests_end(folder: Path, area: str, seconds: float) -> str:
    """Run the tests of an area in the copy of the kit, and say what became of the fault in it."""
    tests = [f"tests/{name}" for name in AREAS[area][1].split()]
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", *tests]
    environment = os.environ | {"PYTHONPATH": str(folder), "PYTHONDONTWRITEBYTECODE": "1"}
    try:
        done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, timeout=seconds)
        return KILLED if done.returncode else SURVIVED
    except subprocess.TimeoutExpired:
        return SLOW


def tried(folder: Path, area: str, mutant: Mutant, seconds: float) -> str:
    """Put one fault into the copy of the kit, run the tests, and take it out again."""
    path = folder / mutant.file
    source = path.read_bytes()
    path.write_bytes(source[: mutant.start] + mutant.after + source[mutant.end :])
    try:
        return tests_end(folder, area, seconds)
    finally:
        path.write_bytes(source)


def try_all(given: argparse.Namespace, log: dict[str, dict]) -> None:
    """Try what was not tried yet, and write down what became of it."""
    samples = {area: sample(area, given.number, given.seed) for area in given.areas or AREAS}
    turns = [(area, mutants[i]) for i in range(given.number) for area, mutants in samples.items() if i < len(mutants)]
    with tempfile.TemporaryDirectory() as folder:
        for name in NEEDED:
            copy = shutil.copytree if (KIT / name).is_dir() else shutil.copy
            copy(KIT / name, Path(folder, name))
        sound = set()  # areas whose tests pass without any fault
        for area, mutant in turns:
            if mutant.name in log and not (given.again and log[mutant.name]["status"] == SURVIVED):
                continue
            if area not in sound and tests_end(Path(folder), area, given.seconds) != SURVIVED:
                raise SystemExit(f"the tests of {area} must pass in time without any fault, before one is tried")
            sound.add(area)
            status = tried(Path(folder), area, mutant, given.seconds)
            log[mutant.name] = {"name": mutant.name, "line": mutant.line, "area": area, "status": status}
            with given.log.open("a", encoding="utf-8") as file:
                file.write(json.dumps(log[mutant.name]) + "\n")
            print(f"{status:<9} {mutant.line:>4}  {mutant.name}", flush=True)


# ------------------------------------------------------------------------------------------------- what became of them


def read_log(path: Path) -> dict[str, dict]:
    """Return the last result of each fault; a survivor that changes nothing anybody could see is equivalent."""
    listed = EQUIVALENT.read_text(encoding="utf-8").splitlines()
    unseen = {line.rsplit("  # ", 1)[0] for line in listed}
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    log = {entry["name"]: entry for entry in map(json.loads, lines)}
    for entry in log.values():
        if entry["status"] == SURVIVED and entry["name"] in unseen:
            entry["status"] = EQUAL
    return log


def summary(log: dict[str, dict]) -> Table:
    """Count what became of the faults, area by area; tests that take too long have noticed one."""
    counts = {area: Counter() for area in [*AREAS, "all"]}
    for entry in log.values():
        counts[entry["area"]][entry["status"]] += 1
        counts["all"][entry["status"]] += 1
    rows = [(area, n[KILLED] + n[SLOW], n[SURVIVED], n[EQUAL]) for area, n in counts.items() if n]
    return Table(
        [(*row, f"{row[1] / max(row[1] + row[2], 1):.0%}") for row in rows],
        ["area", "noticed", SURVIVED, EQUAL, "share"],
    )


def main(argv: list[str] | None = None) -> int:
    """Try faults, and show how many the tests noticed."""
    parser = argparse.ArgumentParser(prog="python -m dpteach.tools.mutate", description=__doc__.split("\n")[0])
    parser.add_argument("areas", nargs="*", metavar="AREA", help=f"one of {', '.join(AREAS)}; all, unless given")
    parser.add_argument("-n", "--number", type=int, default=10, help="faults in each area")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--seconds", type=float, default=300, help="for the tests of one fault")
    parser.add_argument("--log", type=Path, default=Path("mutants.jsonl"))
    parser.add_argument("--again", action="store_true", help="try those again that survived")
    parser.add_argument("--table", action="store_true", help="only show what was found so far")
    given = parser.parse_args(argv)
    if unknown := set(given.areas) - AREAS.keys():
        parser.error(f"AREA must be one of {', '.join(AREAS)}, not {unknown.pop()}")
    log = read_log(given.log)
    if not given.table:
        try_all(given, log)
    print(summary(log))
    for entry in log.values():
        if entry["status"] == SURVIVED:
            print(f"survived: line {entry['line']} of {entry['name']}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
