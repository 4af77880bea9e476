//! Training of the net: [`spec`] is its input, [`course`] its progress, [`games`] its data, [`float_net`] the net, [`counts`]
//! the saved state, and [`training`] the experiment.

pub mod counts;
pub mod course;
pub mod float_net;
pub mod games;
pub mod spec;
pub mod training;
