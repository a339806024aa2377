"""Trials that are too long for the suite.

`python -m tests.evaluation` runs them all, `python -m tests.evaluation NAME --help` lists the
options of one. Each is a module here with `main(words)`.
"""

import sys
from importlib import import_module

TRIALS = (
    "benchmarks",
    "readings",
    "composed",
    "coverage",
    "variations",
    "confidence",
    "finding",
    "foreign",
    "ablation",
    "fitting",
    "recorded",
    "live_streams",
    "memory",
    "soak",
    "silence",
    "misplaced",
    "rim",
    "gaps",
    "glow",
    "crash",
    "damage",
    "power_cut",
    "many_games",
    "sse_load",
    "hall_watchers",
    "hostile_http",
    "connections",
    "guessing",
    "framing",
    "file_fuzz",
    "illegal",
    "endurance",
    "matches",
    "levels",
    "player_fuzz",
    "puzzle_solving",
    "tournaments",
    "hall_load",
    "engine_agreement",
    "faults",
    "reason_positions",
    "first_steps",
    "endgames",
    "frame_functions",
    "walls",
    "phone_games",
    "phone_camera",
)


def main(words: list[str]) -> int:
    if words and words[0] not in TRIALS:
        print(f"{words[0]!r} is none of {', '.join(TRIALS)}", file=sys.stderr)  # noqa: T201
        return 2
    for name in words[:1] or TRIALS:
        print(f"== {name}", flush=True)  # noqa: T201
        import_module(f"tests.evaluation.{name}").main(words[1:])
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
