"""Tests of the links of the handbook: `python3 .ci/test_book.py`."""

import sys
import tempfile
import unittest
from pathlib import Path

sys.dont_write_bytecode = True

import book  # noqa: E402

PAGES = {"docs/rulings.md", "RULES.md", "agents/PROTOCOL.md", "results/net/README.md", "results/search/README.md"}


class Links(unittest.TestCase):
    def test_pages_outside_docs_become_chapters(self):
        page = "docs/agents.md"
        self.assertEqual(book.adapted(page, "[a](../RULES.md#1)", PAGES), "[a](rules.md#1)")
        self.assertEqual(book.adapted(page, "[net]: ../results/net/README.md", PAGES), "[net]: results/net.md")
        self.assertEqual(book.adapted("RULES.md", "[a](docs/rulings.md)", PAGES), "[a](rulings.md)")
        study = "results/net/README.md"
        self.assertEqual(book.adapted(study, "[a](../search/README.md)", PAGES), "[a](search.md)")
        self.assertEqual(book.adapted(study, "[a](../../docs/rulings.md#x)", PAGES), "[a](../rulings.md#x)")

    def test_other_files_become_paths_and_code_stays(self):
        study = "results/net/README.md"
        self.assertEqual(book.adapted(study, "in [study.toml](study.toml)", PAGES), "in `results/net/study.toml`")
        for text in ("`[a](b.md)`", "```\n[a](b.md)\n```", "[a](https://b.org/c.md)"):
            self.assertEqual(book.adapted(study, text, PAGES), text)

    def test_figure_is_embedded(self):
        text = book.adapted("results/net/README.md", "![a](fields.svg)", PAGES)
        self.assertTrue(text.startswith("![a](data:image/svg+xml;base64,"), text[:80])

    def test_headings_have_fragments_of_repository_hosts(self):
        text = "# `unolab tune`: a [b](c.md)\n```\n# code\n```\n## Twice\n## Twice\n"
        self.assertEqual(book.headings(text), {"unolab-tune-a-b", "twice", "twice-1"})

    def test_dead_links_of_built_book_are_listed(self):
        with tempfile.TemporaryDirectory() as directory:
            root = Path(directory)
            (root / "a.html").write_text('<a href="b.html#x"></a><a href="b.html#y"></a><a href="c.html"></a>')
            (root / "b.html").write_text('<h1 id="x"></h1>')
            wrong = list(book.wrong_in_built(root.resolve()))
        self.assertEqual(wrong, ["a.html: b.html#y: no such heading", "a.html: c.html: no such file"])

    def test_page_of_every_chapter_is_distinct(self):
        paths = [book.book_path(page) for page in book.chapters()]
        self.assertEqual(len(paths), len(set(paths)))


if __name__ == "__main__":
    unittest.main()
