"""`python -m hardware`: makes every generated file of the builds anew, or compares them."""

import argparse
import sys

from hardware.makers import MAKERS, differences, make


def main(words: list[str] | None = None) -> int:
    """Makes the files, or compares them; returns the exit status.

    Args:
        words: words of the command line; None for those of this process.
    """
    parser = argparse.ArgumentParser(prog="python -m hardware", description=__doc__)
    parser.add_argument("--check", action="store_true", help="say which files differ; write none")
    if not parser.parse_args(words).check:
        for sentence in make(MAKERS):
            print(sentence, flush=True)
        return 0
    found = list(differences(MAKERS))
    refused = [maker.refusal for maker in MAKERS if maker.refusal]
    print("\n".join([*refused, *(found or ["nothing differs"])]))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
