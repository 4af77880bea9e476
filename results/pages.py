#!/usr/bin/env python3
"""The pages of findings: fills each from its tables, and holds each sentence against them.

A page README.md is its template page.md.j2 (Jinja) filled; a page.py beside it may hold the arithmetic of the page, whose
names the template can use beside those of tables.py. Without arguments, checks that every page is its filled template, that
what the sentences claim holds in the tables, and that no figure is typed into the prose; --write writes the pages.
"""

import argparse
import importlib.util
import re
import subprocess
import sys
from pathlib import Path

RESULTS = Path(__file__).resolve().parent
ROOT = RESULTS.parent
PACKAGES = ["jinja2==3.1.6", "markupsafe==3.0.4"]
sys.dont_write_bytecode = True

# Digits that stand in prose because they belong to a name, or because every page has them and no table could change them.
NAMES_WITH_DIGITS = [
    r"95 %",  # the level of every interval
    r"Villain Draw 4",
    r"AVX-512",
    r"BMI2",
    r"h[01]\b",  # the two hypotheses of a sequential test
]


def install():
    """Puts the packages into a folder of their own under target/, once."""
    folder = ROOT / "target/pages" / "-".join(PACKAGES)
    if not folder.is_dir():
        pip = [sys.executable, "-m", "pip", "install", "--quiet", "--root-user-action=ignore"]
        fresh = folder.with_name(folder.name + ".new")
        if subprocess.run([*pip, "--no-deps", "--disable-pip-version-check", "--upgrade", "--target", fresh, *PACKAGES]).returncode != 0:
            sys.exit(f"results/pages.py needs {' and '.join(PACKAGES)}, and pip could not install them into {folder}")
        fresh.rename(folder)
    sys.path.insert(0, str(folder))


install()
sys.path.insert(0, str(RESULTS))

import jinja2  # noqa: E402
import tables  # noqa: E402


class Page:
    """A template, the page that it fills, and what is wrong with either."""

    def __init__(self, template):
        self.template, self.page, self.wrong = template, template.with_name("README.md"), []
        self.source = template.read_text()
        self.environment = jinja2.Environment(
            undefined=jinja2.StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
            keep_trailing_newline=True,
            extensions=["jinja2.ext.do", "jinja2.ext.loopcontrols"],
        )
        self.environment.filters.update({one.__name__: one for one in tables.FORMATS})
        self.environment.globals.update({one.__name__: one for one in tables.FORMATS})
        names = ("csv", "markdown", "bench", "toml", "step", "mean")
        self.environment.globals.update({name: getattr(tables, name) for name in names})
        self.environment.globals.update(holds=self.holds, typed=self.typed, abs=abs, all=all, any=any, max=max, min=min)

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
        """A claim of the sentence it stands in, or after; writes nothing."""
        if not all((claim, *more)):
            line = self.line(sys._getframe(1))
            sentence = re.sub(r"\{\{\s*holds\(.*?\)\s*\}\}", "", self.source.splitlines()[line - 1])
            sentence = re.sub(r"\{\{.*?\}\}", "…", sentence).strip()
            self.error(line, f"the tables say otherwise: {sentence}")
        return ""

    def typed(self, text, source):
        """A figure that no table of the repository has, and where it is from."""
        if not source.strip():
            self.error(self.line(sys._getframe(1)), f"typed({text!r}) does not say where it is from")
        return text

    def typed_digits(self):
        """Reports every figure in the prose that is not an expression."""
        prose = "".join(
            text if kind == "data" else re.sub(r"[^\n]", " ", text) for _, kind, text in self.environment.lex(self.source)
        )
        blank = [r"(?ms)^```.*?^```", r"`(?:[^`\n]|\n(?!\n))*`", r"\]\([^)\s]*\)", *NAMES_WITH_DIGITS]
        for pattern in blank:
            prose = re.sub(pattern, lambda found: re.sub(r"[^\n]", " ", found[0]), prose)
        for number, text in enumerate(prose.splitlines(), 1):
            for found in re.finditer(r"\S*\d\S*", text):
                self.error(number, f"{found[0]!r} is typed: take it from a table, or mark it with typed(text, source)")
        for output in self.environment.parse(self.source).find_all(jinja2.nodes.Output):
            for node in output.nodes:
                if isinstance(node, jinja2.nodes.Const):
                    self.error(node.lineno, f"{node.value!r} is typed: mark it with typed(text, source)")

    def fill(self):
        """The page as its tables have it; None where it cannot be filled."""
        arithmetic = self.template.with_name("page.py")
        line = 1
        try:
            names = {}
            if arithmetic.is_file():
                spec = importlib.util.spec_from_file_location(f"page_of_{self.template.parent.name}", arithmetic)
                module = importlib.util.module_from_spec(spec)
                spec.loader.exec_module(module)
                names = {name: value for name, value in vars(module).items() if not name.startswith("_")}
            return self.environment.from_string(self.source).render(names)
        except jinja2.TemplateSyntaxError as error:
            self.error(error.lineno, error.message)
        except Exception as error:  # whatever a page's arithmetic comes upon is reported with its line
            traceback = error.__traceback__
            while traceback:
                if traceback.tb_frame.f_code.co_filename == "<template>":
                    line = traceback.tb_lineno
                traceback = traceback.tb_next
            kind = "" if isinstance(error, tables.Missing) else f"{type(error).__name__}: "
            self.error(line, f"{kind}{error}")
        return None

    def compare(self, filled):
        """Reports the first line in which the page is not its filled template."""
        there = self.page.read_text().splitlines() if self.page.is_file() else []
        wanted = filled.splitlines()
        for number in range(max(len(there), len(wanted))):
            is_now = there[number] if number < len(there) else "(the end)"
            expected = wanted[number] if number < len(wanted) else "(the end)"
            if is_now != expected:
                self.error(number + 1, f"is not its template filled (--write does)\n  is       {is_now}\n  expected {expected}", self.page)
                break


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--write", action="store_true", help="write the pages")
    arguments.add_argument("study", nargs="*", help="folders of results/ whose page is wanted (all)")
    arguments = arguments.parse_args()
    templates = [*RESULTS.glob("*/page.md.j2"), RESULTS / "page.md.j2", ROOT / "page.md.j2"]
    templates = [one for one in sorted(templates) if one.is_file() and (not arguments.study or one.parent.name in arguments.study)]
    known = {one.parent.name for one in templates}
    for study in arguments.study:
        if study not in known:
            sys.exit(f"results/{study} has no page.md.j2")
    wrong = []
    for template in templates:
        page = Page(template)
        page.typed_digits()
        filled = page.fill()
        if filled is not None and arguments.write:
            page.page.write_text(filled)
        elif filled is not None:
            page.compare(filled)
        wrong += page.wrong
    print("\n".join(wrong) or f"{len(templates)} pages are what their tables say")
    return 1 if wrong else 0


sys.exit(main())
