"""The command line for a process that reports its progress: `python -m unolab._followed`."""

from .__main__ import main

if __name__ == "__main__":
    main(is_followed=True)
