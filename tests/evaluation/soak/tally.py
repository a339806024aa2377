"""What became of placements, counted, with bounds for what was never seen."""

import json
from collections import Counter
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from enum import StrEnum
from pathlib import Path
from typing import Final

from tests.evaluation.bounds import upper


class PlacementVerdict(StrEnum):
    """How a placement was judged."""

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
    """How one placement was judged.

    Attributes:
        kind: of accident.
        outcome: what came of it.
        late_s: from the first clear frame to the verdict, in seconds of the table.
        frame: number of the first clear frame.
    """

    kind: str
    outcome: PlacementVerdict
    late_s: float
    frame: int


@dataclass(frozen=True, slots=True)
class GameTally:
    """One evening as it is kept: a line of JSON."""

    game: str
    seed: tuple[int, int]
    fps: float
    rows: tuple[Row, ...]
    note: str = ""

    def line(self) -> str:
        """The evening as text."""
        rows = [[row.kind, row.outcome.value, row.late_s, row.frame] for row in self.rows]
        return json.dumps({**asdict(self), "rows": rows})

    @staticmethod
    def parse(line: str) -> "GameTally":
        """The way back from `line`."""
        found = json.loads(line)
        rows = tuple(
            Row(kind, PlacementVerdict(o), late_s, at) for kind, o, late_s, at in found["rows"]
        )
        return GameTally(**{**found, "seed": tuple(found["seed"]), "rows": rows})


def read_tallies(path: Path) -> list[GameTally]:
    """The evenings in a file; none if there is no such file."""
    if not path.exists():
        return []
    return [GameTally.parse(line) for line in path.read_text(encoding="utf-8").splitlines()]


def table(evenings: Iterable[GameTally]) -> list[str]:
    """The counts of each game, by kind of accident, as lines to print."""
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
            told = ", ".join(f"{count} {outcome}" for outcome, count in counts.most_common())
            lines.append(f"   {kind:24} {told}")
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
    """Seconds of the table from the first clear frame to the verdict, at ten frames a second."""
    times = sorted(row.late_s for row in rows if row.outcome in RIGHT[:2])
    if not times:
        return []
    median, late, worst = times[len(times) // 2], times[int(0.95 * len(times))], times[-1]
    told = f"median {median:.2f} s, 95 % {late:.2f} s, worst {worst:.2f} s, of {len(times)}"
    return [f"   latency at 10 a second: {told}"]
