"""The command line: `python -m unolab`, or `unolab` where the package is installed."""

import signal
import sys

from . import _native


def main(is_followed: bool = False) -> None:
    """Does what the arguments say, and ends the process with the exit status.

    Args:
        is_followed: whether standard output has a line, the number of sets done, whenever there are more.
    """
    # The command handles signals itself. One that the caller ignores stays ignored; Python ignores SIGXFSZ in any case.
    if signal.getsignal(signal.SIGINT) != signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    if hasattr(signal, "SIGXFSZ"):
        signal.signal(signal.SIGXFSZ, signal.SIG_DFL)
    sys.exit(_native.command(["unolab", *sys.argv[1:]], is_followed))


if __name__ == "__main__":
    main()
