#!/usr/bin/env python3
"""Fills each study report from its tables and checks each claim against them.

A report README.md is its template page.md.j2 (Jinja), filled. A page.py in the same directory may define calculations;
the template can use its names and the names of tables.py. found.md.j2 fills a part of the project's README. Without
arguments, the script checks that every report equals its filled template, that its claims hold in the tables, and that no
number is typed into the prose; --write writes the reports. docs/adding-a-study.md describes how to write a report.
"""

import argparse
import functools
import importlib.util
import json
import re
import subprocess
import sys
import textwrap
from itertools import zip_longest
from pathlib import Path

RESULTS = Path(__file__).resolve().parent
ROOT = RESULTS.parent
PACKAGES = ["jinja2==3.1.6", "markupsafe==3.0.4"]
sys.dont_write_bytecode = True

# Digits that may appear in prose, because they belong to a name or because no table could change them.
NAMES_WITH_DIGITS = [
    r"95%",  # the level of every interval
    r"Villain Draw 4",
    r"AVX-512",
    r"BMI2",
    r"h[01]\b",  # the two hypotheses of a sequential test
]


def install():
    """Installs the packages into a separate directory under target/, once."""
    directory = ROOT / "target/pages" / "-".join(PACKAGES)
    if not directory.is_dir():
        fresh = directory.with_name(directory.name + ".new")
        quiet = ["--quiet", "--disable-pip-version-check", "--root-user-action=ignore"]
        pip = [sys.executable, "-m", "pip", "install", *quiet, "--no-deps", "--upgrade", "--target", fresh]
        if subprocess.run([*pip, *PACKAGES]).returncode != 0:
            sys.exit(f"results/pages.py needs {' and '.join(PACKAGES)}, and pip could not install them into {directory}")
        fresh.rename(directory)
    sys.path.insert(0, str(directory))


install()
sys.path.insert(0, str(RESULTS))

import jinja2  # noqa: E402
import figures  # noqa: E402
import tables  # noqa: E402


def wrapped(page, width=120):
    """The page with its paragraphs rewrapped; a number stays on one line with its unit or interval."""
    blocks, fenced = [], False
    for line in page.splitlines():
        fence = line.startswith("```")
        whole = fenced or fence or not line or line[0] in "|#!<"
        quoted = line.startswith("> ") and blocks and blocks[-1][1].startswith("> ")
        opens = line.startswith(("- ", "> ")) and not quoted
        if whole or opens or not blocks or blocks[-1][0]:
            blocks.append((whole, line))
        else:
            blocks[-1] = (False, f"{blocks[-1][1]} {line.removeprefix('> ').strip()}")
        fenced ^= fence
    lines = []
    for whole, text in blocks:
        indent = {"- ": "  ", "> ": "> "}.get(text[:2], "")
        text = text if whole else re.sub(r" (?=±|%|×|\*[ ),.;])|(?<=±) ", "\0", text)
        broken = [text] if whole else textwrap.wrap(
            text, width, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False
        )
        lines += [line.replace("\0", " ") for line in broken]
    return "\n".join(lines) + "\n"


@functools.cache
def arithmetic(study):
    """The names of a study's page.py."""
    path = RESULTS / study / "page.py"
    if not path.is_file():
        return {}
    spec = importlib.util.spec_from_file_location(f"page_of_{study}", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return {name: value for name, value in vars(module).items() if not name.startswith("_")}


class Page:
    """A template, the page that it fills, and the errors in both."""

    def __init__(self, template):
        self.template, self.wrong, self.figures = template, [], {}
        self.study = template.parent.name if template.name == "page.md.j2" else None
        self.page = template.with_name("README.md") if self.study else ROOT / "README.md"
        self.source = template.read_text()
        self.environment = jinja2.Environment(
            undefined=jinja2.StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
            keep_trailing_newline=True,
        )
        self.environment.filters.update({one.__name__: one for one in tables.FORMATS})
        self.environment.globals.update({one.__name__: one for one in tables.FORMATS})
        self.environment.globals.update({one.__name__: one for one in tables.SOURCES})
        self.environment.globals.update(arithmetic=arithmetic, holds=self.holds, typed=self.typed, figure=self.figure)

    def error(self, line, text, path=None):
        self.wrong.append(f"{(path or self.template).relative_to(ROOT)}:{line}: {text}")

    def line(self, frame):
        """The line of the template that is being filled."""
        while frame:
            template = frame.f_globals.get("__jinja_template__")
            if template is not None:
                return template.get_corresponding_lineno(frame.f_lineno)
            frame = frame.f_back
        return 1

    def holds(self, claim, *more):
        """Checks a claim of the sentence that contains it; prints nothing."""
        if not all((claim, *more)):
            line = self.line(sys._getframe(1))
            sentence = re.sub(r"\{\{\s*holds\(.*?\)\s*\}\}", "", self.source.splitlines()[line - 1])
            sentence = re.sub(r"\{\{.*?\}\}", "…", sentence).strip()
            self.error(line, f"the tables contradict: {sentence}")
        return ""

    def typed(self, text, source):
        """A number that is not in a table of the repository, with its source."""
        if not source.strip():
            self.error(self.line(sys._getframe(1)), f"typed({text!r}) has no source")
        return text

    def figure(self, name, title, axis, panels, **more):
        """A figure of dots with intervals, stored with the page; figures.py describes the format of panels."""
        self.figures[self.page.parent / name] = figures.dots(title, axis, panels, **more)
        return f"![{title}]({name})"

    def compare_figures(self):
        """Reports figures that differ from their tables."""
        for path, svg in self.figures.items():
            if not path.is_file() or path.read_text() != svg:
                self.error(1, "differs from its tables (--write draws it)", path)

    def typed_digits(self):
        """Reports every figure in the prose that is not an expression."""
        space = lambda text: re.sub(r"[^\n]", " ", text)  # noqa: E731
        parts = self.environment.lex(self.source)
        prose = "".join(text if kind == "data" else space(text) for _, kind, text in parts)
        blank = [r"(?ms)^```.*?^```", r"`(?:[^`\n]|\n(?!\n))*`", r"\]\([^)\s]*\)", *NAMES_WITH_DIGITS]
        for pattern in blank:
            prose = re.sub(pattern, lambda found: space(found[0]), prose)
        for number, text in enumerate(prose.splitlines(), 1):
            for found in re.finditer(r"\S*\d\S*", text):
                self.error(number, f"{found[0]!r} is typed: take it from a table, or mark it with typed(text, source)")
        for output in self.environment.parse(self.source).find_all(jinja2.nodes.Output):
            for node in output.nodes:
                if isinstance(node, jinja2.nodes.Const):
                    self.error(node.lineno, f"{node.value!r} is typed: mark it with typed(text, source)")

    def fill(self):
        """The filled page; None if it cannot be filled."""
        try:
            self.typed_digits()
            names = arithmetic(self.study) if self.study else {}
            return wrapped(self.environment.from_string(self.source).render(names))
        except jinja2.TemplateSyntaxError as error:
            self.error(error.lineno, error.message)
        except Exception as error:  # any error in a page's calculations is reported with its line
            line, traceback = 1, error.__traceback__
            while traceback:
                if traceback.tb_frame.f_code.co_filename == "<template>":
                    line = traceback.tb_lineno
                traceback = traceback.tb_next
            kind = "" if isinstance(error, tables.Missing) else f"{type(error).__name__}: "
            self.error(line, f"{kind}{error}")
        return None

    def whole(self, filled):
        """The page with its filled template: the whole page, or the part between two marks."""
        if self.study:
            return filled
        marks = f"<!-- from results/{self.template.name} -->\n", "<!-- until here -->\n"
        page = self.page.read_text()
        if not marks[0] in page or marks[1] not in page.split(marks[0])[1]:
            self.error(1, f"has no part between {marks[0].strip()} and {marks[1].strip()}", self.page)
            return page
        before, rest = page.split(marks[0], 1)
        return before + marks[0] + filled + marks[1] + rest.split(marks[1], 1)[1]

    def compare(self, whole):
        """Reports the first line in which the page differs from its filled template."""
        there = self.page.read_text().splitlines() if self.page.is_file() else []
        for number, (is_now, expected) in enumerate(zip_longest(there, whole.splitlines(), fillvalue="(nothing)"), 1):
            if is_now != expected:
                text = f"differs from its filled template (--write writes it)\n  is       {is_now}\n  expected {expected}"
                return self.error(number, text, self.page)

    def dead_links(self, whole):
        """Reports links and images whose file does not exist."""
        for number, line in enumerate(whole.splitlines(), 1):
            for target in re.findall(r"\]\(([^)#\s]+)", line):
                if "://" not in target and not (self.page.parent / target).exists():
                    self.error(number, f"links to {target}, which does not exist", self.page)


def unlisted():
    """Studies without a template, and studies that are missing from the list of studies."""
    studies = sorted(one.parent.name for one in RESULTS.glob("*/README.md"))
    listing = (RESULTS / "README.md").read_text()
    wrong = [
        f"results/{study}/README.md:1: has no template page.md.j2 (docs/adding-a-study.md)"
        for study in studies
        if not (RESULTS / study / "page.md.j2").is_file()
    ]
    return wrong + [
        f"results/README.md:1: does not list the study {study}" for study in studies if f"({study}/README.md)" not in listing
    ]


def absolute_paths(results=RESULTS):
    """Published runs whose command names a directory of the machine that played them."""
    return [
        f"{run.relative_to(ROOT)}:1: the command of this run names {word}: play it with a relative path"
        for run in sorted(results.glob("*/*/run.json"))
        for word in json.loads(run.read_text())["machine"]["command_line"]
        if word.startswith("/")
    ]


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--write", action="store_true", help="write the pages")
    write = arguments.parse_args().write
    wrong = []
    templates = [*sorted(RESULTS.glob("*/page.md.j2")), RESULTS / "found.md.j2"]
    for template in templates:
        page = Page(template)
        filled = page.fill()
        if filled is not None:
            whole = page.whole(filled)
            if write:
                for path, svg in page.figures.items():
                    path.write_text(svg)
            page.page.write_text(whole) if write else page.compare(whole)
            page.compare_figures()
            page.dead_links(whole)
        wrong += page.wrong
    wrong += unlisted() + absolute_paths()
    print("\n".join(wrong) or f"{len(templates)} pages match their tables")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
