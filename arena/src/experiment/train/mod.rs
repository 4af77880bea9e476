//! Training of the net: [`spec`] says what is asked, [`course`] is how it goes, [`games`] are what it learns from,
//! [`float_net`] is what learns, [`counts`] is how far it has come, [`training`] is the long work.

pub mod counts;
pub mod course;
pub mod float_net;
pub mod games;
pub mod spec;
pub mod training;
