"""Trains the networks and traces training data; never part of the suite.

`python -m tests.training NAME --help` lists the options of one. Each is a module here with
`main(words)`.
"""

import sys
from importlib import import_module

NAMES = ("tracing", "finder", "shapes", "border", "player")


def main(words: list[str]) -> int:
    if not words or words[0] not in NAMES:
        print(f"name one of {', '.join(NAMES)}", file=sys.stderr)  # noqa: T201
        return 2
    import_module(f"tests.training.{words[0]}").main(words[1:])
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
