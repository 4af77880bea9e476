//! A histogram, with the median and the middle half marked.

use maud::{Markup, html};
use unolab_arena::words::{counted, grouped, plural};

use super::scale::Scale;
use super::{ROOM_OF_TICK, TOP, WIDTH, px};
use crate::report::numbers::decimal;

/// The sizes of one bin, in order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::report) struct Bar {
    pub(in crate::report) low: u32,
    pub(in crate::report) high: u32,
    pub(in crate::report) count: u64,
}

/// A distribution in numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::report) struct Quantiles {
    pub(in crate::report) quarter: u32,
    pub(in crate::report) median: u32,
    pub(in crate::report) three_quarters: u32,
    pub(in crate::report) nineteen_of_twenty: u32,
    pub(in crate::report) largest: u32,
}

impl Quantiles {
    /// The quantiles of these bins, each rounded up to the largest size in its bin. `None` without games.
    pub(in crate::report) fn of(bins: &[Bar]) -> Option<Self> {
        Some(Self {
            quarter: quantile(bins, 250)?,
            median: quantile(bins, 500)?,
            three_quarters: quantile(bins, 750)?,
            nineteen_of_twenty: quantile(bins, 950)?,
            largest: bins.iter().filter(|bin| bin.count > 0).map(|bin| bin.high).max()?,
        })
    }
}

/// The size that this permille of the games does not exceed.
fn quantile(bins: &[Bar], thousandths: u128) -> Option<u32> {
    let all: u128 = bins.iter().map(|bin| u128::from(bin.count)).sum();
    let mut passed = 0;
    let reached = bins.iter().find(|bin| {
        passed += u128::from(bin.count);
        passed > 0 && 1000 * passed >= thousandths * all
    });
    reached.map(|bin| bin.high)
}

/// The most bars of a histogram.
const MOST_BARS: u32 = 40;

const LEFT: f64 = 34.0;
const HEIGHT: f64 = 130.0;

/// The drawing and its height, and the part that it omits. `None` if all games have one size.
pub(in crate::report) fn draw(bins: &[Bar], unit: &str) -> Option<(Markup, f64)> {
    let quantiles = Quantiles::of(bins)?;
    let smallest = bins.iter().filter(|bin| bin.count > 0).map(|bin| bin.low).min()?;
    if smallest == quantiles.largest {
        return None;
    }
    let games: u128 = bins.iter().map(|bin| u128::from(bin.count)).sum();
    let end = quantile(bins, 995)?;
    let width = bar_width(bins, smallest, end);
    let bars = joined(bins, width, end);
    let in_percent = |count: u64| 100.0 * count as f64 / games as f64;
    let highest = bars.iter().map(|bar| in_percent(bar.count)).fold(0.0, f64::max);
    let edges = [bars.first()?.low, bars.last()?.low].map(f64::from);
    let x = Scale::new([edges[0], edges[1] + f64::from(width)], [LEFT, WIDTH - 4.0]);
    let bottom = TOP + 14.0 + HEIGHT;
    let y = Scale::new([0.0, highest], [bottom, TOP + 14.0]);
    let (up, up_digits) = y.ticks(4);
    let (across, _) = x.ticks(7);
    // Whole numbers are in the middle of bars of width one, and at the left edge of wider bars.
    let at_size = |size: u32| x.at(f64::from(size) + if width == 1 { 0.5 } else { 0.0 });
    let drawing = html! {
        @for &tick in &up {
            line.grid x1=(px(LEFT)) x2=(px(WIDTH - 4.0)) y1=(px(y.at(tick))) y2=(px(y.at(tick))) {}
            text.tick.end x=(px(LEFT - 5.0)) y=(px(y.at(tick) + 4.0)) { (decimal(tick, up_digits)) }
        }
        @for bar in &bars {
            @let (from, to) = (x.at(f64::from(bar.low)), x.at(f64::from(bar.low) + f64::from(width)));
            @let top = y.at(in_percent(bar.count));
            rect.bar x=(px(from + 0.3)) y=(px(top)) width=(px((to - from - 0.6).max(0.4))) height=(px(bottom - top)) {
                title { (span(bar, unit)) ": " (decimal(in_percent(bar.count), 2)) "% of games" }
            }
        }
        @for &tick in across.iter().filter(|tick| tick.fract() == 0.0) {
            @let at = x.at(tick + if width == 1 { 0.5 } else { 0.0 });
            line.axis x1=(px(at)) x2=(px(at)) y1=(px(bottom)) y2=(px(bottom + 4.0)) {}
            @if at <= WIDTH - ROOM_OF_TICK { text.tick.middle x=(px(at)) y=(px(bottom + 16.0)) { (decimal(tick, 0)) } }
        }
        line.axis x1=(px(LEFT)) x2=(px(WIDTH - 4.0)) y1=(px(bottom)) y2=(px(bottom)) {}
        line.median x1=(px(at_size(quantiles.median))) x2=(px(at_size(quantiles.median))) y1=(px(TOP + 8.0)) y2=(px(bottom)) {}
        text.value x=(px((at_size(quantiles.median) + 4.0).min(WIDTH - 80.0))) y=(px(TOP + 8.0)) {
            "median " (grouped(quantiles.median.into()))
        }
        line.half x1=(px(at_size(quantiles.quarter))) x2=(px(at_size(quantiles.three_quarters)))
            y1=(px(bottom + 1.5)) y2=(px(bottom + 1.5)) {}
        text.tick x="0" y=(px(bottom + 32.0)) { "% of games" }
        text.tick.end x=(px(WIDTH - 4.0)) y=(px(bottom + 32.0)) {
            (plural(unit)) @if width > 1 { " (bars of " (width) ")" } @if end < quantiles.largest { ", 99.5% of games shown" }
        }
    };
    Some((drawing, bottom + 38.0))
}

/// `12 turns` or `12 to 15 turns`.
fn span(bar: &Bar, unit: &str) -> String {
    let end = counted(bar.high.into(), unit);
    if bar.low == bar.high { end } else { format!("{} to {end}", grouped(bar.low.into())) }
}

/// The smallest power of two that makes few enough bars and is at least the width of the bins.
fn bar_width(bins: &[Bar], smallest: u32, end: u32) -> u32 {
    let mut width = 1;
    let widest = bins.iter().filter(|bin| bin.low <= end).map(|bin| bin.high - bin.low + 1).max().unwrap_or(1);
    while width < widest {
        width *= 2;
    }
    while (end - smallest) / width >= MOST_BARS {
        width *= 2;
    }
    width
}

/// The bins up to `end` as bars of one width, side by side.
fn joined(bins: &[Bar], width: u32, end: u32) -> Vec<Bar> {
    let mut bars: Vec<Bar> = Vec::new();
    for bin in bins.iter().filter(|bin| bin.count > 0 && bin.low <= end) {
        let low = bin.low / width * width;
        match bars.last_mut() {
            Some(last) if last.low == low => last.count += bin.count,
            _ => bars.push(Bar { low, high: low.saturating_add(width - 1), count: bin.count }),
        }
    }
    bars
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bins(sizes: &[(u32, u64)]) -> Vec<Bar> {
        sizes.iter().map(|&(size, count)| Bar { low: size, high: size, count }).collect()
    }

    #[test]
    fn quantiles_match_hand_computation() {
        let found = Quantiles::of(&bins(&[(1, 25), (2, 25), (3, 25), (4, 20), (9, 5)])).unwrap();
        let expected = Quantiles { quarter: 1, median: 2, three_quarters: 3, nineteen_of_twenty: 4, largest: 9 };
        assert_eq!(found, expected);
        assert_eq!(Quantiles::of(&[]), None);
        assert_eq!(Quantiles::of(&bins(&[(1, 0)])), None);
    }

    #[test]
    fn bars_count_every_game() {
        let many: Vec<(u32, u64)> = (0..100).map(|size| (size, 1)).collect();
        assert_eq!(bar_width(&bins(&many), 0, 99), 4);
        let bars = joined(&bins(&many), 4, 99);
        assert_eq!((bars.len(), bars.iter().map(|bar| bar.count).sum::<u64>()), (25, 100));
        assert_eq!(bars[1], Bar { low: 4, high: 7, count: 4 });
        let wide = [Bar { low: 1000, high: 1007, count: 1 }, Bar { low: 1016, high: 1023, count: 1 }];
        assert_eq!(bar_width(&wide, 1000, 1023), 8, "no narrower than the bins");
    }

    #[test]
    fn distribution_of_one_size_has_no_plot() {
        assert!(draw(&bins(&[(1, 50)]), "round").is_none());
        let svg = draw(&bins(&[(1, 50), (2, 150)]), "round").unwrap().0.into_string();
        for part in ["1 round: 25.00% of games", "2 rounds: 75.00% of games", "median 2"] {
            assert!(svg.contains(part), "{svg}");
        }
    }
}
