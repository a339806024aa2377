"""`python -m firmware` is `cornerlight`."""

import signal
import sys


def main() -> int:
    """Runs the verb that the command line names; returns the exit status.

    While modules are imported, Control-C ends the process at once and in silence: nothing is open
    yet, and an import may turn a `KeyboardInterrupt` into another error. `run_verb` restores it.
    """
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    from firmware.commands.main import main as run_verb  # noqa: PLC0415

    return run_verb()


if __name__ == "__main__":
    sys.exit(main())
