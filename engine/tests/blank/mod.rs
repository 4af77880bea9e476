//! Custom cards for tests.
#![allow(unreachable_pub, reason = "a module of test crates")]

/// A custom card in a variant file: three copies of thirty points, with these effects. Its code is its name.
pub fn blank(code: &str, color: &str, effects: &str) -> String {
    format!(
        "[[custom]]\nname = \"{code}\"\ncode = \"{code}\"\ncolor = \"{color}\"\ncopies = 3\npoints = 30\neffects = [{effects}]\n"
    )
}
