"""Long trials of what must never fail, too long for the suite.

`python -m tests.trials` runs them all, `python -m tests.trials NAME --help` says what one takes.
Each is a module here with `main(words)`.
"""

import sys
from importlib import import_module

TRIALS = (
    "readings",
    "composed",
    "coverage",
    "traced",
    "relief",
    "variations",
    "recorded",
    "soak",
    "silence",
    "glow",
    "kill",
    "damage",
    "powerloss",
    "evenings",
    "watchers",
    "hostile",
    "connections",
    "guessing",
    "framing",
    "file_fuzz",
    "illegal",
    "endurance",
    "matches",
    "thinking",
    "likeness",
)


def main(words: list[str]) -> int:
    if words and words[0] not in TRIALS:
        print(f"{words[0]!r} is none of {', '.join(TRIALS)}", file=sys.stderr)  # noqa: T201
        return 2
    for name in words[:1] or TRIALS:
        print(f"== {name}", flush=True)  # noqa: T201
        import_module(f"tests.trials.{name}").main(words[1:])
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
