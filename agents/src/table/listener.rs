//! [`Listener`]: who hears the events of a round.

use unolab_engine::event::EventSink;

/// Who hears the events of a round: nobody, `()`, or a sink, `&mut sink`.
pub trait Listener {
    /// What the events go into.
    type Sink<'s>: EventSink
    where
        Self: 's;

    /// What they go into for a while.
    fn sink(&mut self) -> Self::Sink<'_>;
}

/// A sink of its own and no reference to one: play that nobody hears is compiled once.
impl Listener for () {
    type Sink<'s> = ();

    #[inline(always)]
    fn sink(&mut self) {}
}

impl<E: EventSink + ?Sized> Listener for &mut E {
    type Sink<'s>
        = &'s mut E
    where
        Self: 's;

    #[inline(always)]
    fn sink(&mut self) -> &mut E {
        self
    }
}
