"""`python -m hardware`: makes every generated file of the builds anew, or compares them."""

import argparse
import sys
from pathlib import Path
from typing import Final

from hardware import sheets
from hardware.drawings import files as drawings

FOLDER: Final = Path(__file__).parent

_MAKERS: Final = {"drawings": drawings, "sheets": sheets}
"""What is made, in this order: drawings show the files of the parts."""


def main(words: list[str] | None = None) -> int:
    """Makes the files, or compares them; returns the exit status.

    Args:
        words: words of the command line; None for those of this process.
    """
    parser = argparse.ArgumentParser(prog="python -m hardware", description=__doc__)
    parser.add_argument("--check", action="store_true", help="say which files differ; write none")
    parser.add_argument("--folder", type=Path, default=FOLDER, help=argparse.SUPPRESS)
    chosen = parser.parse_args(words)
    if not chosen.check:
        for name, maker in _MAKERS.items():
            maker.write(chosen.folder)
            print(f"{name}: made")  # noqa: T201, it is a command
        return 0
    found = [one for maker in _MAKERS.values() for one in maker.differences(chosen.folder)]
    print("\n".join(found) or "every file is as its program makes it")  # noqa: T201
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
