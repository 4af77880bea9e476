//! The findings of a balance run in sentences, for the terminal and the page. The tables have every number.

mod arm;
mod metric;
mod number;
mod sentences;

pub(crate) use arm::{ArmLine, DEALT, Finding, arm_lines, arms, claim_about_skill, describe_arm};
pub(crate) use metric::{Unit, is_detail, is_headline, metric_text};
pub(crate) use number::acting_position_text;
pub(crate) use sentences::{GoodAndWeak, sentences, summary_sentences};
