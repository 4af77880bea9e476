#!/usr/bin/env python3
"""Checks the wording of every tracked text file: the number of lines that match style-lint.tsv may only fall.

style-lint.tsv has a pattern and its fix per row. style-counts.tsv has the recorded count of each file; a file without a row
has the count 0. A line counts once per pattern. In Markdown, inline code, template expressions, and program output
are not read.

    .ci/style.py            fails if the count of a file has risen, and lists the matches
    .ci/style.py --record   also writes lower counts; a deleted file passes its count on, so that files may be renamed
    .ci/style.py --table    prints the counts by pattern and by directory
    .ci/style.py FILE...    lists every match in these files
"""

import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

ENDINGS = {".md", ".rs", ".py", ".toml", ".js", ".j2", ".sh", ".html"}
OWN_FILES = {".ci/style.py", ".ci/test_style.py"}
LINT, COUNTS = ".ci/style-lint.tsv", ".ci/style-counts.tsv"
USAGE_ERROR = 2


def read_patterns(path):
    """The patterns of the lint, each with its fix."""
    rows = [line.split("\t") for line in path.read_text(encoding="utf-8").splitlines() if line]
    return [(re.compile(pattern), fix) for pattern, fix in rows]


def tracked_files(root):
    """The text files under version control, except scenarios and the files of this check."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=root, check=True, capture_output=True, text=True).stdout
    for name in sorted(filter(None, listed.split("\0"))):
        path = Path(name)
        is_text = path.suffix in ENDINGS and "scenarios" not in path.parts[:-1] and name not in OWN_FILES
        if is_text and (root / path).is_file() and not (root / path).is_symlink():
            yield name


def prose(name, text):
    """The lines to check, numbered. In Markdown: no inline code or template expressions, and of a console block only commands
    and comments."""
    if not name.endswith((".md", ".j2")):
        yield from enumerate(text.splitlines(), 1)
        return
    language = None
    for number, line in enumerate(text.splitlines(), 1):
        if line.startswith("```"):
            language = line[3:].strip() if language is None else None
        elif language is None:
            yield number, re.sub(r"`[^`]*`", "`", re.sub(r"\{%.*?%\}|(?<=\{\{).*?(?=\}\})", "", line))
        elif language in ("console", "sh"):
            yield number, line if line.startswith("$ ") else line[line.find("#") :] if "#" in line else ""
        elif language:
            yield number, line


def matches(name, text, patterns):
    """The line number, the matched text, and the fix, once per line and pattern."""
    for number, line in prose(name, text):
        for pattern, fix in patterns:
            if found := pattern.search(line):
                yield number, found, fix


def read_counts(path):
    """The recorded count of each file."""
    if not path.is_file():
        return {}
    rows = [line.split("\t") for line in path.read_text(encoding="utf-8").splitlines()]
    return {name: int(count) for count, name in rows}


def print_table(found):
    """Prints the counts by pattern and by directory."""
    patterns = Counter(match.re.pattern for rows in found.values() for _, match, _ in rows)
    directories = Counter()
    for name, rows in found.items():
        directories[name.split("/")[0] if "/" in name else "(root)"] += len(rows)
    for title, counts in (("pattern", patterns), ("directory", directories)):
        print(f"{'count':>6}  {title}")
        for key, count in counts.most_common():
            if count:
                print(f"{count:6}  {key}")
        print(f"{sum(counts.values()):6}  total\n")


def print_matches(name, rows):
    for number, match, fix in rows:
        print(f"{name}:{number}: `{match[0]}`: {fix}")


def compare(root, found, record):
    """Compares the counts with the recorded ones; returns the exit status."""
    recorded = read_counts(root / COUNTS)
    counts = {name: len(rows) for name, rows in found.items() if rows}
    risen = [name for name, count in counts.items() if count > recorded.get(name, 0)]
    fallen = [name for name, count in recorded.items() if counts.get(name, 0) < count]
    surplus = sum(counts[name] - recorded.get(name, 0) for name in risen)
    from_deleted = sum(count for name, count in recorded.items() if name not in found)
    is_first = record and not (root / COUNTS).is_file()
    if risen and not is_first and not (record and surplus <= from_deleted):
        for name in risen:
            print_matches(name, found[name])
        print(f"{len(risen)} files have more matches than recorded ({surplus} in all); rewrite the sentences that you added")
        return 1
    if record:
        rows = "".join(f"{count}\t{name}\n" for name, count in sorted(counts.items()))
        (root / COUNTS).write_text(rows, encoding="utf-8")
        print(f"recorded {sum(counts.values())} matches in {len(counts)} files")
    elif fallen:
        print(f"{len(fallen)} files have fewer matches than recorded; record them with `python3 .ci/style.py --record`")
    else:
        print(f"{sum(counts.values())} matches in {len(counts)} files, as recorded")
    return 0


def main(arguments, root):
    options = [argument for argument in arguments if argument.startswith("-")]
    names = [argument for argument in arguments if not argument.startswith("-")]
    if len(arguments) > 1 and options or not set(options) <= {"--record", "--table"}:
        print(__doc__.strip(), file=sys.stderr)
        return USAGE_ERROR
    patterns = read_patterns(root / LINT)
    try:
        files = names or list(tracked_files(root))
    except (FileNotFoundError, subprocess.CalledProcessError):
        print("the style check needs git and a git checkout; it is skipped")
        return 0
    found = {}
    for name in files:
        text = (root / name).read_text(encoding="utf-8", errors="replace")
        found[name] = list(matches(name, text, patterns))
    if names:
        for name in names:
            print_matches(name, found[name])
        return 0
    if options == ["--table"]:
        print_table(found)
        return 0
    return compare(root, found, record=options == ["--record"])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:], Path(__file__).resolve().parent.parent))
