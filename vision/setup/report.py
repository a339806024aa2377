"""Report of `vision.setup.setup_check`: findings with stable codes, for a page."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vision.setup.rating import Rating


@dataclass(frozen=True, slots=True)
class SetupFinding:
    """Result of one check.

    Attributes:
        code: stable name of the check: board, markers, framing, resolution, focus, exposure,
            glare, colours or flicker.
        score: 1 if nothing has to be improved, 0 if a game would suffer; None if unmeasured.
        fault: stable code of the fault; "" if there is none.
        remedy: one sentence for the person who sets the table up; "" if there is nothing to do.
        figures: measured values, by name with unit.
        squares: squares with the fault, numbered row by row; empty if it concerns none or all.
    """

    code: str
    score: float | None
    fault: str = ""
    remedy: str = ""
    figures: dict[str, float] = field(default_factory=dict)
    squares: tuple[int, ...] = ()

    @property
    def level(self) -> Rating:
        """Rating by the score."""
        if self.score is None:
            return Rating.UNMEASURED
        if self.score >= 1:
            return Rating.FINE
        return Rating.FAIR if self.score > 0 else Rating.MEND


@dataclass(frozen=True, slots=True, eq=False)
class SetupReport:
    """Result of all checks of a set-up.

    Attributes:
        points: findings, always the same codes in the same order.
        size: squares along a side of the board; None if none was found.
        corners: (4, 2) outer corners of its field in pixels; None if none was found.
    """

    points: tuple[SetupFinding, ...]
    size: int | None = None
    corners: NDArray[np.float64] | None = None

    @property
    def is_fine(self) -> bool:
        """True if nothing has to be mended before a game."""
        return all(point.level is not Rating.MEND for point in self.points)

    def to_json(self, name_of: Callable[[int, int], str]) -> dict[str, Any]:
        """Converts the report to JSON.

        Args:
            name_of: function that returns the name of a square from its number and the squares
                along a side.
        """
        size = self.size
        corners = None if self.corners is None else np.round(self.corners, 1).tolist()
        return {
            "found": size is not None,
            "fine": self.is_fine,
            "size": size,
            "corners": corners,
            "checks": [
                {
                    "check": point.code,
                    "level": point.level.value,
                    "score": None if point.score is None else round(point.score, 3),
                    "fault": point.fault,
                    "remedy": point.remedy,
                    "figures": {name: round(value, 3) for name, value in point.figures.items()},
                    "squares": [name_of(square, size) for square in point.squares] if size else [],
                }
                for point in self.points
            ],
        }
