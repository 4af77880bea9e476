#!/usr/bin/env python3
"""Checks that there are no import cycles between the files of a crate, and that modules and crates import in reading order.

`lib.rs` lists the modules of a crate in reading order: a module imports only modules above it in that list. An import is a `use`
of, or a full path with, `crate::`, `self::` or `super::`; unit tests are ignored. A name that a file re-exports belongs to that
file. Run it without arguments in the root directory; `--picture` prints the imports between modules.
"""

import re
import sys
import tomllib
from pathlib import Path

# The directories and names of the crates, in order: each crate may depend only on crates before it. Only `play` and `python`
# may depend on `cli`.
CRATES = {
    "engine": "unolab-engine",
    "agents": "unolab-agents",
    "stats": "unolab-stats",
    "arena": "unolab-arena",
    "commands": "unolab-commands",
    "cli": "unolab",
    "play": "unolab-play",
    "python": "unolab-python",
}
# Crates that must not depend on each other.
UNRELATED = [("stats", "engine"), ("stats", "agents"), ("python", "play")]


def without_tests(text):
    """The text without comments, string contents that look like code, and modules of unit tests."""
    text = re.sub(r"//[^\n]*", "", text)
    while at := re.search(r"#\[cfg\((all\()?test\b[^\]]*\]\s*(pub(\([^)]*\))? )?mod \w+ \{", text):
        text = text[: at.start()] + text[end_of_block(text, at.end()) :]
    # For a module inside a file, `super` is the file itself.
    begin = 0
    while at := re.compile(r"\bmod \w+ \{").search(text, begin):
        begin = end_of_block(text, at.end())
        inner = text[at.end() : begin].replace("super::", "self::")
        text = text[: at.end()] + inner + text[begin:]
        begin = at.end() + len(inner)
    return text


def end_of_block(text, end):
    """The end of the block whose opening brace is just before `end`."""
    depth = 1
    while depth and end < len(text):
        depth += {"{": 1, "}": -1}.get(text[end], 0)
        end += 1
    return end


def leaves(tree):
    """The paths of an import tree: `a::b` and `a::c::d` for `a::{b, c::{d}}`."""
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
    """The modules of a crate by path, and its test modules."""
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
    """The strongly connected components of the imports (Tarjan 1972)."""
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


def reading_order(crate):
    """The modules at the top level, in the order of `lib.rs`."""
    return re.findall(r"^(?:pub(?:\([^)]*\))? )?mod (\w+);", Path(crate, "src/lib.rs").read_text(), re.MULTILINE)


def check(crate, wrong):
    known = modules(Path(crate, "src"))
    arrows = {module: set() for module in known}
    for module, file in known.items():
        arrows[module] |= set(imports(module, without_tests(file.read_text()), known))
    for circle in circles(arrows):
        wrong.append(f"{crate}: a circle of {len(circle)} files: {', '.join(circle)}")
    rank = {module: number for number, module in enumerate(reading_order(crate))}
    pairs = set()
    for module, others in arrows.items():
        for other in others if module else ():
            importer, imported = module.split("::")[0], other.split("::")[0]
            if importer != imported:
                pairs.add((imported, importer))
                if rank[imported] > rank[importer]:
                    wrong.append(f"{crate}: {module} imports {other}, but `mod {imported}` is below `mod {importer}` in lib.rs")
    depends_on = tomllib.loads(Path(crate, "Cargo.toml").read_text())["dependencies"]
    order = list(CRATES)
    for other, name in CRATES.items():
        may = order.index(other) < order.index(crate) and (crate, other) not in UNRELATED
        if name in depends_on and not may:
            wrong.append(f"{crate}: depends on {name}, which is not below it")
    return pairs


def main():
    wrong = []
    for crate in CRATES:
        pairs = check(crate, wrong)
        if "--picture" in sys.argv:
            for module in sorted({importer for _, importer in pairs}):
                print(f"{crate}/{module} <- {' '.join(sorted(below for below, above in pairs if above == module))}")
    print("\n".join(wrong) or f"no circle and no import against the reading order in {', '.join(CRATES)}")
    return 1 if wrong else 0


sys.exit(main())
