"""The command line: `python -m unolab`, or `unolab` where the package is installed."""

import signal
import sys

from . import _native


def main(is_followed: bool = False) -> None:
    """Runs the command given by the process arguments, and ends the process with its exit status.

    Args:
        is_followed: whether the command prints a line with the number of finished sets for each progress update.
    """
    # The command handles signals itself. A SIGINT that the caller ignores stays ignored. Python always ignores SIGXFSZ.
    if signal.getsignal(signal.SIGINT) != signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    if hasattr(signal, "SIGXFSZ"):
        signal.signal(signal.SIGXFSZ, signal.SIG_DFL)
    sys.exit(_native.command(["unolab", *sys.argv[1:]], is_followed))


if __name__ == "__main__":
    main()
