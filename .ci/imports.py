#!/usr/bin/env python3
"""No circle of imports between the files of a crate, no arrow up between its rooms, none up between crates.

An import is a `use`, or a path written out, of `crate::`, `self::` or `super::`; unit tests are left out. A name that a file
re-exports belongs to that file. Run it without arguments at the root; `--picture` prints the arrows between rooms.
"""

import re
import sys
import tomllib
from pathlib import Path

# The crates that are held to it, and which crates of the workspace each may know.
CRATES = {
    "engine": set(),
    "agents": {"engine"},
    "stats": set(),
    "arena": {"engine", "agents", "stats"},
    "commands": {"engine", "agents", "stats", "arena"},
}
# Each room of a crate, or of a module, may import only the rooms before it; files beside them that are not listed come last.
ROOMS = {
    "engine": ["hash", "seat", "rng", "cpu", "card", "cards", "color", "spelling", "rules", "action", "chance", "event", "notation", "state", "knowledge", "observation", "scoring", "match_play", "script", "encoding", "record", "scenario", "round", "chance_enumerator", "perft", "fast"],
    "agents::external": ["diagnostics", "confinement", "protocol", "process"],
    "arena": ["words", "random", "spec", "schedule", "play", "count", "tables", "run", "experiment"],
    "commands": ["disk", "output", "exit", "interrupt", "progress", "args", "study", "deck", "balance_words", "terminal", "report", "watch", "commands"],
}
NAMES = {"engine": "unolab-engine", "agents": "unolab-agents", "stats": "unolab-stats", "arena": "unolab-arena", "commands": "unolab-commands"}


def without_tests(text):
    """The text without comments, string contents that look like code, and modules of unit tests."""
    text = re.sub(r"//[^\n]*", "", text)
    while at := re.search(r"#\[cfg\((all\()?test\b[^\]]*\]\s*(pub(\([^)]*\))? )?mod \w+ \{", text):
        text = text[: at.start()] + text[end_of_block(text, at.end()) :]
    # What stands above a module within the file is the file.
    begin = 0
    while at := re.compile(r"\bmod \w+ \{").search(text, begin):
        begin = end_of_block(text, at.end())
        inner = text[at.end() : begin].replace("super::", "self::")
        text = text[: at.end()] + inner + text[begin:]
        begin = at.end() + len(inner)
    return text


def end_of_block(text, end):
    """Where the block ends whose opening brace is just before."""
    depth = 1
    while depth and end < len(text):
        depth += {"{": 1, "}": -1}.get(text[end], 0)
        end += 1
    return end


def leaves(tree):
    """`a::{b, c::{d}}` as `a::b` and `a::c::d`."""
    tree = tree.strip()
    if "{" not in tree:
        return [tree.split(" as ")[0].strip()]
    head, inner = tree[: tree.index("{")], tree[tree.index("{") + 1 : tree.rindex("}")]
    parts, depth, begin = [], 0, 0
    for at, letter in enumerate(inner + ","):
        depth += {"{": 1, "}": -1}.get(letter, 0)
        if letter == "," and depth == 0:
            parts.append(inner[begin:at])
            begin = at + 1
    return [head + leaf for part in parts if part.strip() for leaf in leaves(part)]


def modules(root):
    """The modules of a crate by path, and those of tests."""
    found = {}
    for file in sorted(root.rglob("*.rs")):
        parts = list(file.relative_to(root).with_suffix("").parts)
        if parts[-1] in ("mod", "lib", "main"):
            parts.pop()
        if parts != ["tests"] and (not parts or parts[-1] != "tests") and file.name != "main.rs":
            found["::".join(parts)] = file
    return found


def imports(module, text, known):
    """The modules that a module imports."""
    paths = [leaf for tree in re.findall(r"\buse ([^;]+);", text) for leaf in leaves(re.sub(r"\s+", " ", tree))]
    paths += re.findall(r"\b(?:crate|super)(?:::\w+)+", re.sub(r"\buse [^;]+;", "", text))
    here = module.split("::") if module else []
    for path in paths:
        names = [name for name in path.split("::") if name]
        if names[0] == "crate":
            names = names[1:]
        elif names[0] in ("super", "self"):
            base = list(here)
            while names and names[0] in ("super", "self"):
                base = base[:-1] if names[0] == "super" else base
                names = names[1:]
            names = base + names
        elif "::".join(here + names[:1]) in known:
            names = here + names
        else:
            continue
        while names and "::".join(names) not in known:
            names.pop()
        target = "::".join(names)
        if target != module and target:
            yield target


def circles(arrows):
    """The sets of modules that reach each other (Tarjan 1972)."""
    index, low, stack, found = {}, {}, [], []

    def visit(node):
        index[node] = low[node] = len(index)
        stack.append(node)
        for other in sorted(arrows[node]):
            if other not in index:
                visit(other)
            if other in stack:
                low[node] = min(low[node], low[other])
        if low[node] == index[node]:
            together = stack[stack.index(node) :]
            del stack[stack.index(node) :]
            if len(together) > 1:
                found.append(sorted(together))

    for node in sorted(arrows):
        if node not in index:
            visit(node)
    return found


def check(crate, wrong):
    known = modules(Path(crate, "src"))
    arrows = {module: set() for module in known}
    for module, file in known.items():
        arrows[module] |= set(imports(module, without_tests(file.read_text()), known))
    for circle in circles(arrows):
        wrong.append(f"{crate}: a circle of {len(circle)} files: {', '.join(circle)}")
    rooms = set()
    for place in {crate, *(place for place in ROOMS if place.startswith(f"{crate}::"))}:
        order = ROOMS.get(place, [])
        rank = {room: number for number, room in enumerate(order)}
        above = place.split("::")[1:]
        for module, others in arrows.items():
            for other in others if module else ():
                room, target = (path.split("::") for path in (module, other))
                if any(path[: len(above)] != above or len(path) == len(above) for path in (room, target)):
                    continue
                room, target = room[len(above)], target[len(above)]
                if room != target:
                    if not above:
                        rooms.add((target, room))
                    if rank.get(target, len(order)) > rank.get(room, len(order)):
                        wrong.append(f"{crate}: {module} imports {other}, which is in a room above it")
    manifest = tomllib.loads(Path(crate, "Cargo.toml").read_text())
    for other, name in NAMES.items():
        if name in manifest["dependencies"] and other not in CRATES[crate]:
            wrong.append(f"{crate}: depends on {name}, which is above it")
    return rooms


def main():
    wrong = []
    for crate in CRATES:
        rooms = check(crate, wrong)
        if "--picture" in sys.argv:
            for room in sorted({room for _, room in rooms}):
                print(f"{crate}/{room} <- {' '.join(sorted(below for below, above in rooms if above == room))}")
    print("\n".join(wrong) or f"no circle and no arrow up in {', '.join(CRATES)}")
    return 1 if wrong else 0


sys.exit(main())
