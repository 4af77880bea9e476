"""Tests of the report check: `python3 results/test_pages.py`."""

import json
import sys
import tempfile
import unittest
from pathlib import Path

sys.dont_write_bytecode = True

import pages  # noqa: E402
import tables  # noqa: E402

TABLE = "agent,seats,share,ci_low,ci_high,p_holm\na,2,0.6,0.55,0.65,0.01\na,4,0.25,0.2,0.3,0.5\nb,2,0.4,0.35,0.45,1\n"
ROW = '{% set row = csv(table).row(agent="a", seats=2) %}\n'


class Pages(unittest.TestCase):
    def setUp(self):
        scratch = pages.ROOT / "target/pages"
        self.directory = tempfile.TemporaryDirectory(dir=scratch)
        self.addCleanup(self.directory.cleanup)
        self.path = Path(self.directory.name)
        (self.path / "table.csv").write_text(TABLE)

    def page(self, template, readme=None):
        """The page of this template, and its text."""
        source = f'{{% set table = "{self.path / "table.csv"}" %}}\n{template}'
        (self.path / "page.md.j2").write_text(source)
        if readme is not None:
            (self.path / "README.md").write_text(readme)
        page = pages.Page(self.path / "page.md.j2")
        return page, page.fill()

    def errors(self, template):
        return self.page(template)[0].wrong

    def test_page_is_filled(self):
        page, filled = self.page(ROW + '{{ (row.estimate("share") * 100) | bounds }}{{ holds(row.share > 0.5) }} at two\n')
        self.assertEqual((page.wrong, filled), ([], "60.0 [55.0, 65.0] at two\n"))

    def test_false_claim_is_reported(self):
        wrong = self.errors(ROW + "`a` is worse{{ holds(row.share < 0.5) }} than fair\n")
        self.assertEqual(len(wrong), 1)
        self.assertRegex(wrong[0], r"page\.md\.j2:3: the tables contradict: `a` is worse than fair$")

    def test_invalid_template_is_reported(self):
        self.assertRegex(self.errors("{% if %}")[0], "page.md.j2:2: Expected an expression")

    def test_figure_is_drawn_from_tables(self):
        template = '{{ figure("a.svg", "shares", "share", [("two", 0.5, [("<a>", row.estimate("share"))])]) }}\n'
        page, filled = self.page(ROW + template)
        self.assertEqual((page.wrong, filled), ([], "![shares](a.svg)\n"))
        page.compare_figures()
        self.assertRegex(page.wrong[0], r"a\.svg:1: differs from its tables")
        (svg,) = page.figures.values()
        (self.path / "a.svg").write_text(svg)
        page.wrong.clear()
        page.compare_figures()
        self.assertEqual(page.wrong, [])
        self.assertIn("&lt;a&gt;", svg)

    def test_typed_number_is_reported(self):
        for typed in ["60.0%", "in 3 of them", '{{ "60" }}', "{{ 60 }}"]:
            self.assertRegex(self.errors(typed)[0], r"page\.md\.j2:2: .*60|3.* is typed", typed)
        for allowed in ["`x=3`", "`two\nlines 2`", "[a](b/2.md)", "95%", '{{ typed("60", "a paper") }}', "```\n3\n```\n"]:
            self.assertEqual(self.errors(allowed), [], allowed)
        self.assertRegex(self.errors('{{ typed("60", "") }}')[0], "has no source")

    def test_missing_item_is_named(self):
        for asked, named in {
            'csv(table).row(agent="c", seats=2)': "no row with agent = c, seats = 2. It has agent: a, b; seats: 2, 4",
            'csv(table).row(agent="a")': "2 rows with agent = a where one is wanted",
            'csv(table).row(agnt="a")': "no column agnt; it has agent, seats",
            "row.shar": "no column shar; it has agent, seats",
            'csv("nowhere.csv")': "results/nowhere.csv cannot be read",
            "nothing": "'nothing' is undefined",
        }.items():
            wrong = self.errors(ROW + f"{{{{ {asked} }}}}\n")
            self.assertEqual(len(wrong), 1)
            self.assertIn(named, wrong[0])
            self.assertIn("page.md.j2:3: ", wrong[0])

    def test_page_differing_from_template_is_reported(self):
        page, filled = self.page(ROW + "one\n\n{{ row.share }}\n", "one\n\n0.5\n")
        page.compare(page.whole(filled))
        self.assertEqual(len(page.wrong), 1)
        self.assertRegex(page.wrong[0], r"README\.md:3: differs from its filled template .*\n  is       0\.5\n  expected 0\.6")

    def test_broken_link_is_reported(self):
        page, filled = self.page("![a](table.csv) [b](https://example.org/) [c](gone.svg)\n")
        page.dead_links(page.whole(filled))
        self.assertEqual(len(page.wrong), 1)
        self.assertIn("README.md:1: links to gone.svg, which does not exist", page.wrong[0])

    def test_run_with_absolute_path_is_reported(self):
        for out in ["step", "/home/ada/step"]:
            step = self.path / "study" / Path(out).name
            step.mkdir(parents=True, exist_ok=True)
            (step / "run.json").write_text(json.dumps({"machine": {"command_line": ["unolab", "match", "--out", out]}}))
            found = pages.absolute_paths(self.path)
            self.assertEqual(["/home/ada/step" in error for error in found], [True] * out.startswith("/"))

    def test_paragraphs_are_wrapped_without_breaking_numbers(self):
        same = "- an item of\n  two lines\n- another\n\n| a | b |\n\n```\n  as it is\n```\n"
        self.assertEqual(pages.wrapped(same, 14), same)
        self.assertEqual(pages.wrapped("> one\n> two\n"), "> one two\n")
        broken = "the difference\nis\n+0.53 ± 0.07 *\nhere\n"
        self.assertEqual(pages.wrapped("the difference is +0.53 ± 0.07 * here\n", 14), broken)

    def test_numbers_are_formatted(self):
        one = tables.Estimate(-0.5, -1.5, 0.5, proven=True)
        self.assertEqual(tables.difference(one), "−0.5 ± 1.0 *")
        self.assertEqual(tables.number(1234.5, 1), "1,234.5")
        self.assertEqual(tables.interval(one), "[−1.5, 0.5]")
        self.assertEqual(tables.names(["a", "b", "c"]), "`a`, `b`, and `c`")
        two = tables.mean([tables.Estimate(1, 0, 2), tables.Estimate(3, 2, 4)])
        self.assertAlmostEqual(two.value, 2)
        self.assertAlmostEqual(two.half, 0.5**0.5)
        self.assertTrue(two.contains(2.7) and not two.contains(2.8) and two.above(1.2) and not two.below(2.5))


if __name__ == "__main__":
    unittest.main()
