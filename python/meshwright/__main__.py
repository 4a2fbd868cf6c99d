"""The command `meshwright`, as `pip install` makes it: the same as the binary of that name."""
from __future__ import annotations

import os
import signal
import sys

from ._native import command


def main() -> int:
    """Runs the command line of this process and gives its exit code."""
    # Ctrl-C ends it, or asks it to come to an end, as it does the binary; Python would only take note of it.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    # Where no environment is active, workers (`run --engine xla`) run in this one.
    os.environ.setdefault("VIRTUAL_ENV", sys.prefix)
    return command(["meshwright", *sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(main())
