"""Tests of the style check: `python3 .ci/test_style.py`."""

import contextlib
import io
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

sys.dont_write_bytecode = True

import style  # noqa: E402

BAD = "The table is made anew.\n"
GOOD = "The table is created again.\n"


@unittest.skipUnless(shutil.which("git"), "needs git")
class Style(unittest.TestCase):
    def setUp(self):
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.root = Path(directory.name)
        subprocess.run(["git", "init", "--quiet"], cwd=self.root, check=True)
        (self.root / ".ci").mkdir()
        (self.root / style.LINT).write_text("\\banew\\b\tagain\n")
        self.write("a.md", BAD)
        self.assertEqual(self.run_check("--record")[0], 0)

    def write(self, name, text):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        subprocess.run(["git", "add", name], cwd=self.root, check=True)

    def run_check(self, *arguments):
        """The exit status and the output."""
        output = io.StringIO()
        with contextlib.redirect_stdout(output), contextlib.redirect_stderr(output):
            status = style.main(list(arguments), self.root)
        return status, output.getvalue()

    def counts(self):
        return style.read_counts(self.root / style.COUNTS)

    def test_unchanged_counts_pass(self):
        self.assertEqual(self.run_check(), (0, "1 matches in 1 files, as recorded\n"))

    def test_rise_in_recorded_file_fails_with_place_and_fix(self):
        self.write("a.md", BAD + GOOD + BAD)
        for arguments in [(), ("--record",)]:
            status, output = self.run_check(*arguments)
            self.assertEqual(status, 1)
            self.assertIn("a.md:3: `anew`: again\n", output)
        self.assertEqual(self.counts(), {"a.md": 1})

    def test_match_in_new_file_fails(self):
        self.write("src/b.rs", "// " + BAD)
        status, output = self.run_check()
        self.assertEqual(status, 1)
        self.assertIn("src/b.rs:1: `anew`", output)

    def test_fall_passes_and_is_recorded_only_on_request(self):
        self.write("a.md", GOOD)
        status, output = self.run_check()
        self.assertEqual((status, self.counts()), (0, {"a.md": 1}))
        self.assertIn("--record", output)
        self.assertEqual((self.run_check("--record")[0], self.counts()), (0, {}))
        self.write("a.md", BAD)
        self.assertEqual(self.run_check()[0], 1)

    def test_renamed_file_keeps_its_count(self):
        subprocess.run(["git", "mv", "a.md", "b.md"], cwd=self.root, check=True)
        self.assertEqual(self.run_check()[0], 1)
        self.assertEqual((self.run_check("--record")[0], self.counts()), (0, {"b.md": 1}))

    def test_code_and_output_in_markdown_and_scenarios_are_not_read(self):
        self.write("b.md", "`anew`\n```console\n$ true\nanew\n```\n```\nanew\n```\n")
        self.write("scenarios/c.toml", BAD)
        self.assertEqual(self.run_check()[0], 0)
        self.write("b.md", "```console\n$ true   # anew\n```\n```python\nanew\n```\n")
        output = self.run_check()[1]
        self.assertIn("b.md:2: ", output)
        self.assertIn("b.md:5: ", output)

    def test_directory_without_git_is_skipped(self):
        with tempfile.TemporaryDirectory() as directory:
            (Path(directory) / ".ci").mkdir()
            shutil.copy(self.root / style.LINT, Path(directory) / style.LINT)
            output = io.StringIO()
            with contextlib.redirect_stdout(output):
                self.assertEqual(style.main([], Path(directory)), 0)
            self.assertIn("skipped", output.getvalue())

    def test_unknown_option_is_a_usage_error(self):
        self.assertEqual(self.run_check("--recrod")[0], 2)


if __name__ == "__main__":
    unittest.main()
