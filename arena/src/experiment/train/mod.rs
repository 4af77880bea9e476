//! Training of the net: [`spec`] is its input, [`course`] its progress, [`games`] its data, [`targets`] the learning targets,
//! [`counts`] the saved state, and [`training`] the experiment.

pub mod counts;
pub mod course;
pub mod games;
pub mod spec;
pub mod targets;
pub mod training;
