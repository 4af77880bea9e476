//! The learning curve of a training run as a plot.

use unolab_arena::tables::curve::CurveRow;

use super::plot::Plot;
use super::plot::learning::{Step, draw};

/// The plot as SVG. `None` before the net has played.
#[must_use]
pub fn learning_curve(curve: &[CurveRow]) -> Option<String> {
    let steps: Vec<Step> = curve
        .iter()
        .flat_map(|row| {
            let step = |share, is_test| Step { choices: row.choices as f64, share, is_test };
            let played = row.win_share.map(|share| step(share, false));
            played.into_iter().chain(row.against_field.map(|share| step(share, true)))
        })
        .collect();
    let (drawing, height) = draw(&steps)?;
    let plot = Plot {
        name: "curve".into(),
        title: "Share of rounds won".into(),
        subtitle: "against the opponents".into(),
        description: "The share of rounds won by the net, by the number of training decisions.".into(),
        note: String::new(),
        height,
        drawing,
    };
    Some(plot.to_file().svg)
}
