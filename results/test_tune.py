"""Tests of the search methods that `unolab tune` is compared with: `python3 results/test_tune.py`."""

import sys
import unittest
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent / "tune"))

import peers  # noqa: E402


class Peers(unittest.TestCase):
    def test_methods_without_packages_solve_a_tiny_space(self):
        space = peers.tiny_space()
        for name, method in peers.OWN.items():
            with self.subTest(name):
                self.assertEqual(space.in_words(space.points[method(space, 20_000, 1)]), "a=2 b=0")

    def test_evaluation_outside_of_the_limits_is_worse_than_every_one_inside(self):
        space = peers.tiny_space()
        evaluations = peers.Evaluations(space, 9_000_000, 9, 1)
        scores = {point: evaluations.evaluate(place) for place, point in enumerate(space.points)}
        inside = [score for (_, b), score in scores.items() if b == "0"]
        self.assertGreater(min(inside), max(score for (_, b), score in scores.items() if b != "0"))
        self.assertEqual(evaluations.left, 0)

    def test_spaces_have_a_result_of_every_rule_set(self):
        for name, space in peers.spaces().items():
            with self.subTest(name):
                self.assertIn(len(space.points), range(200, 601))
                self.assertGreater(sum(space.low <= means[0] <= space.high for means, _ in space.results), 0)


if __name__ == "__main__":
    unittest.main()
