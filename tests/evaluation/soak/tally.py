"""Counts of verdicts on placements, with upper bounds of error rates."""

import json
from collections import Counter
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from enum import StrEnum
from pathlib import Path
from typing import Final

from tests.evaluation.bounds import upper


class PlacementVerdict(StrEnum):
    """Verdicts on a placement."""

    RIGHT_ACCEPT = "right accept"
    RIGHT_REFUSAL = "right refusal"
    QUIET = "rightly nothing"
    WRONG_ACCEPT = "WRONG ACCEPT"
    WRONG_REFUSAL = "wrong refusal"
    WRONG_REASON = "wrong reason"
    FALSE_ALARM = "false alarm"
    UNSURE = "unsure"
    SILENT = "no verdict"

    @property
    def is_right(self) -> bool:
        return self in RIGHT

    @property
    def is_wrong(self) -> bool:
        return self not in RIGHT and self not in UNDECIDED


RIGHT: Final = (
    PlacementVerdict.RIGHT_ACCEPT,
    PlacementVerdict.RIGHT_REFUSAL,
    PlacementVerdict.QUIET,
)
UNDECIDED: Final = (PlacementVerdict.UNSURE, PlacementVerdict.SILENT)


@dataclass(frozen=True, slots=True)
class Row:
    """The verdict on one placement.

    Attributes:
        kind: kind of accident.
        outcome: the verdict.
        late_s: seconds of the table from the first clear frame to the verdict.
        frame: number of the first clear frame.
    """

    kind: str
    outcome: PlacementVerdict
    late_s: float
    frame: int


@dataclass(frozen=True, slots=True)
class GameTally:
    """One evening, stored as a line of JSON."""

    game: str
    seed: tuple[int, int]
    fps: float
    rows: tuple[Row, ...]
    note: str = ""

    def line(self) -> str:
        """Returns the evening as JSON."""
        rows = [[row.kind, row.outcome.value, row.late_s, row.frame] for row in self.rows]
        return json.dumps({**asdict(self), "rows": rows})

    @staticmethod
    def parse(line: str) -> "GameTally":
        """Parses an evening from JSON."""
        found = json.loads(line)
        rows = tuple(
            Row(kind, PlacementVerdict(o), late_s, at) for kind, o, late_s, at in found["rows"]
        )
        return GameTally(**{**found, "seed": tuple(found["seed"]), "rows": rows})


def read_tallies(path: Path) -> list[GameTally]:
    """Returns the evenings in a file; none if it does not exist."""
    if not path.exists():
        return []
    return [GameTally.parse(line) for line in path.read_text(encoding="utf-8").splitlines()]


def table(evenings: Iterable[GameTally]) -> list[str]:
    """Returns lines with the counts of each game, by kind of accident."""
    by_game: dict[str, list[GameTally]] = {}
    for evening in evenings:
        by_game.setdefault(evening.game, []).append(evening)
    lines = []
    for game, some in by_game.items():
        rows = [row for evening in some for row in evening.rows]
        lines += [f"-- {game}: {len(some)} games, {len(rows)} placements", *_totals(rows)]
        lines += _latency([row for evening in some if evening.fps >= 10 for row in evening.rows])
        for kind in sorted({row.kind for row in rows}):
            counts = Counter(row.outcome for row in rows if row.kind == kind)
            text = ", ".join(f"{count} {outcome}" for outcome, count in counts.most_common())
            lines.append(f"   {kind:24} {text}")
    return lines


def _totals(rows: list[Row]) -> list[str]:
    counts = Counter(row.outcome for row in rows)
    counts_of = {outcome.value: counts[outcome] for outcome in PlacementVerdict}
    counts_of["unsure or no verdict"] = sum(counts[one] for one in UNDECIDED)
    return [
        f"   {name:24} {count:6}   {100 * count / len(rows):7.3f} %"
        f"   at 95 % under {100 * upper(count, len(rows)):7.3f} %"
        for name, count in counts_of.items()
    ]


def _latency(rows: list[Row]) -> list[str]:
    """Returns a line on the delay of verdicts at ten frames a second, in seconds of the table."""
    times = sorted(row.late_s for row in rows if row.outcome in RIGHT[:2])
    if not times:
        return []
    median, late, worst = times[len(times) // 2], times[int(0.95 * len(times))], times[-1]
    text = f"median {median:.2f} s, 95 % {late:.2f} s, worst {worst:.2f} s, of {len(times)}"
    return [f"   latency at 10 a second: {text}"]
