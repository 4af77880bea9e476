#!/usr/bin/env python3
"""Links of the handbook, on a repository host and in the book that mdBook builds.

docs/SUMMARY.md also lists pages outside docs/: the rules, the bot protocol, and the studies. mdBook runs this script as a
preprocessor, which moves these pages into the book, adapts their links, and embeds their figures.

    .ci/book.py                 checks that every link leads to a file and heading, and every linked page is in the book
    .ci/book.py --built DIR     checks the links of a built book
    .ci/book.py --preprocess    for mdBook, which writes the book to standard input, or adds `supports html`
"""

import base64
import json
import re
import sys
from html.parser import HTMLParser
from pathlib import Path, PurePosixPath
from posixpath import normpath, relpath
from urllib.parse import unquote, urlsplit

ROOT = Path(__file__).resolve().parent.parent
DOCS = "docs"
SUMMARY = "docs/SUMMARY.md"
# Pages of a repository host that are not in the book.
OTHER_PAGES = ["README.md", "CONTRIBUTING.md"]
IMAGE_TYPES = {".svg": "image/svg+xml", ".webp": "image/webp", ".png": "image/png"}
# Code, or a link: `[words](target)`, `![words](target)`, or `[name]: reference` in a line.
CODE_OR_LINK = re.compile(
    r"^```.*?^```[^\n]*$|`[^`\n]+`"
    r"|(?P<image>!?)\[(?P<words>(?:[^\[\]]|\[[^\]]*\])*)\]\((?P<target>[^)\s]+)\)"
    r"|^\[(?P<name>[^\]]+)\]: (?P<reference>\S+)$",
    re.MULTILINE | re.DOTALL,
)


def is_local(target):
    return not urlsplit(target).scheme


def resolve(page, target):
    """The path of a link in a page, relative to the root, and its fragment."""
    path, _, fragment = target.partition("#")
    return normpath(str(PurePosixPath(page).parent / unquote(path))) if path else page, fragment


def links(text):
    """The links of a page outside code: each with its words and its target."""
    for found in CODE_OR_LINK.finditer(text):
        if target := found["target"] or found["reference"]:
            yield found["words"] or found["name"], target


def book_path(page):
    """The path of a page in the book: docs/a.md is a.md, results/a/README.md is results/a.md."""
    path = PurePosixPath(page)
    if path.parts[0] == DOCS:
        return str(path.relative_to(DOCS))
    return f"{path.parent}.md" if path.name == "README.md" else str(path).lower()


def chapters():
    """The pages of the book."""
    return [resolve(SUMMARY, target)[0] for _, target in links((ROOT / SUMMARY).read_text(encoding="utf-8"))]


def embedded(path):
    """A figure as part of the page."""
    data = base64.b64encode((ROOT / path).read_bytes()).decode()
    return f"data:{IMAGE_TYPES[path.suffix]};base64,{data}"


def adapted(page, text, pages):
    """The text of a page for the book. A link to a file that is not in the book becomes the path of the file."""

    def adapt(found):
        image, name, target = found["image"], found["name"], found["target"] or found["reference"]
        if not target or not is_local(target):
            return found[0]
        path, fragment = resolve(page, target)
        if path in pages:
            here = PurePosixPath(book_path(page)).parent
            new = relpath(book_path(path), here) + (f"#{fragment}" if fragment else "")
        elif image and not path.startswith(f"{DOCS}/"):
            new = embedded(PurePosixPath(path))
        elif path.startswith(f"{DOCS}/"):
            return found[0]
        else:
            return f"`{path}`"
        return f"[{name}]: {new}" if name else f"{image}[{found['words']}]({new})"

    return CODE_OR_LINK.sub(adapt, text)


def preprocess(book):
    """Adapts every chapter of mdBook's book, in place."""
    pages = set(chapters())

    def adapt(items):
        for item in items:
            chapter = item.get("Chapter") if isinstance(item, dict) else None
            if not chapter:
                continue
            page = normpath(f"{DOCS}/{chapter['source_path']}")
            chapter["content"] = adapted(page, chapter["content"], pages)
            chapter["path"] = book_path(page)
            adapt(chapter["sub_items"])

    adapt(book["items"] if "items" in book else book["sections"])
    return book


def headings(text):
    """The fragments of the headings of a page, as repository hosts and mdBook derive them."""
    seen, fragments = {}, set(re.findall(r'\bid="([^"]+)"', text))
    for heading in re.findall(r"^#{1,6} +(.+?)\s*$", re.sub(r"^```.*?^```", "", text, flags=re.M | re.S), re.MULTILINE):
        words = re.sub(r"[*`]|\[([^\]]*)\]\([^)]*\)", r"\1", heading).lower()
        fragment = re.sub(r"[^\w\- ]", "", words).replace(" ", "-")
        number = seen[fragment] = seen.get(fragment, -1) + 1
        fragments.add(f"{fragment}-{number}" if number else fragment)
    return fragments


def wrong_links():
    """The links that do not work on a repository host or in the book, and the pages that the book lacks."""
    pages = chapters()
    for page in [*pages, SUMMARY, *OTHER_PAGES]:
        for words, target in links((ROOT / page).read_text(encoding="utf-8")):
            path, fragment = resolve(page, target)
            if not is_local(target):
                continue
            if not (ROOT / path).exists():
                yield f"{page}: [{words}]({target}): no such file"
            elif fragment and fragment not in headings((ROOT / path).read_text(encoding="utf-8")):
                yield f"{page}: [{words}]({target}): no such heading"
            elif path.endswith(".md") and path not in pages and page in pages:
                yield f"{page}: [{words}]({target}): {path} is not in {SUMMARY}"
    listed = [*(ROOT / DOCS).glob("*.md"), *(ROOT / "results").glob("*/README.md")]
    for page in sorted(str(one.relative_to(ROOT)) for one in listed):
        if page not in (SUMMARY, *pages):
            yield f"{page}: is not in {SUMMARY}"


class Targets(HTMLParser):
    """The links and the identifiers of a built page."""

    def __init__(self, text):
        super().__init__()
        self.links, self.ids = set(), set()
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        attributes = dict(attrs)
        self.links.update(filter(None, (attributes.get("href"), attributes.get("src"))))
        self.ids.update(filter(None, (attributes.get("id"), attributes.get("name"))))


def wrong_in_built(book):
    """The links of a built book that lead nowhere."""
    targets = {page: Targets(page.read_text(encoding="utf-8")) for page in sorted(book.rglob("*.html"))}
    for page, found in targets.items():
        for link in sorted(found.links):
            path, fragment = unquote(urlsplit(link).path), urlsplit(link).fragment
            if not is_local(link) or page.name == "404.html":
                continue
            other = (page.parent / path).resolve() if path else page
            if not other.exists():
                yield f"{page.relative_to(book)}: {link}: no such file"
            elif fragment and other in targets and fragment not in targets[other].ids:
                yield f"{page.relative_to(book)}: {link}: no such heading"


def main(arguments):
    if arguments[:1] == ["--preprocess"]:
        if len(arguments) == 1:
            _, book = json.load(sys.stdin)
            json.dump(preprocess(book), sys.stdout)
        return 0
    wrong = list(wrong_in_built(Path(arguments[1]).resolve()) if arguments[:1] == ["--built"] else wrong_links())
    print("\n".join(wrong) or "every link of the handbook leads to a page")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
