"""Sizes of paper."""

from dataclasses import dataclass, replace
from typing import Final


@dataclass(frozen=True, slots=True)
class Paper:
    """A sheet of paper; lengths in millimetres."""

    key: str
    width_mm: float
    height_mm: float

    @property
    def landscape(self) -> "Paper":
        """The same sheet, turned."""
        return replace(self, width_mm=self.height_mm, height_mm=self.width_mm)

    @property
    def zoom(self) -> float:
        """Factor by which a design for A4 fits onto it."""
        return min(self.width_mm / 210.0, self.height_mm / 297.0)


PAPERS: Final = {
    paper.key: paper
    for paper in (
        Paper("a4", 210.0, 297.0),
        Paper("a3", 297.0, 420.0),
        Paper("letter", 215.9, 279.4),
    )
}
"""Papers by key: ISO 216, and ANSI/ASME Y14.1."""
