"""Figures of the study reports, in the style of the HTML reports: estimates with intervals, and the fair share.

The style sheet is that of `unolab report`, so that figures follow the light or dark color scheme of the reader.
"""

import math
from html import escape
from pathlib import Path

STYLE = Path(__file__).resolve().parent.parent / "commands/src/report/plot/plot.css"
WIDTH, RIGHT, ROW, TOP = 720, 70, 22, 34
# The approximate width of a letter in a label.
LETTER = 6.8


def step_of(span):
    """A round number that divides this span into four to eight intervals."""
    power = 10 ** math.floor(math.log10(span / 4))
    return next(power * factor for factor in (1, 2, 5, 10) if span / (power * factor) <= 8)


def dots(title, axis, panels, more_is_better=True, powers_of_ten=False):
    """A dot with an interval per row. `panels` are (heading, reference or None, [(label, estimate), ...]). If more is better,
    rows significantly below the reference, and rows not significantly different from it, have separate colors. An axis in
    powers of ten is for positive numbers of different magnitudes."""
    ends = [end for _, reference, rows in panels for _, one in rows for end in (one.low, one.high, reference or one.value)]
    left = 24 + LETTER * max(len(label) for _, _, rows in panels for label, _ in rows)
    along = math.log10 if powers_of_ten else lambda value: value
    step = 1 if powers_of_ten else step_of(max(ends) - min(ends))
    low, high = math.floor(along(min(ends)) / step) * step, math.ceil(along(max(ends)) / step) * step
    x = lambda value: left + (along(value) - low) / (high - low) * (WIDTH - left - RIGHT)  # noqa: E731
    written = (lambda value: f"{value:,.0f}") if powers_of_ten else (lambda value: f"{value:.1f}")
    height = TOP + sum(ROW * (len(rows) + 1.3) for _, _, rows in panels) + 40
    end = height - 40
    parts = [f'<text class="heading" x="12" y="20">{escape(title)}</text>']
    for tick in range(round((high - low) / step) + 1):
        value = 10 ** (low + tick) if powers_of_ten else low + tick * step
        told = f"{value:,}" if powers_of_ten else f"{value:g}"
        parts.append(f'<path class="grid" d="M{x(value):.1f} {TOP}V{end:.1f}"/>')
        parts.append(f'<text class="tick middle" x="{x(value):.1f}" y="{end + 16:.1f}">{told}</text>')
    parts.append(f'<text class="aside middle" x="{(left + WIDTH - RIGHT) / 2:.1f}" y="{end + 34:.1f}">{escape(axis)}</text>')
    y = TOP
    for heading, reference, rows in panels:
        y += ROW
        parts.append(f'<text class="small clear" x="12" y="{y:.1f}">{escape(heading)}</text>')
        if reference is not None:
            parts.append(f'<path class="reference" d="M{x(reference):.1f} {y + 2:.1f}V{y + ROW * len(rows) + 8:.1f}"/>')
        for label, one in rows:
            y += ROW
            side = "" if not more_is_better or reference is None or one.low > reference else "below" if one.high < reference else "level"
            parts.append(
                f'<g class="{side}"><text class="label end" x="{left - 12:.1f}" y="{y + 4:.1f}">{escape(label)}</text>'
                f'<rect class="interval" x="{x(one.low):.1f}" y="{y - 3:.1f}" width="{x(one.high) - x(one.low):.1f}" height="6" rx="3"/>'
                f'<circle class="dot" cx="{x(one.value):.1f}" cy="{y:.1f}" r="4"/>'
                f'<text class="value" x="{WIDTH - RIGHT + 12}" y="{y + 4:.1f}">{written(one.value)}</text></g>'
            )
        y += 0.3 * ROW
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="plot" viewBox="0 0 {WIDTH} {height:.0f}" role="img">\n'
        f"<title>{escape(title)}</title>\n<style>\n{STYLE.read_text()}</style>\n"
        f'<rect class="ground" width="{WIDTH}" height="{height:.0f}"/>\n' + "\n".join(parts) + "\n</svg>\n"
    )
