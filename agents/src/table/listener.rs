//! [`Listener`]: the receiver of the events of a round.

use unolab_engine::state::EventSink;

/// The receiver of a round's events: none, `()`, or a sink, `&mut sink`.
pub trait Listener {
    /// The receiver of the events.
    type Sink<'s>: EventSink
    where
        Self: 's;

    /// Borrows the receiver.
    fn sink(&mut self) -> Self::Sink<'_>;
}

/// An owned sink instead of a reference, so that play without a listener is compiled once.
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
