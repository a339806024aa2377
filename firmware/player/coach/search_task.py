"""The searches that a review needs, as requests to the player, and their results."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from firmware.player.client import SearchRequest
from firmware.player.search_result import SearchResult
from firmware.records.course import Course
from firmware.rules.board import Move

FIRST_PASS: Final = 1_000
"""Simulations of each search of the first pass, which looks at every position."""

SECOND_PASS: Final = 8_000
"""Simulations of each search of the second pass, which decides what is shown. In even games two of
13 labels at 1,000 simulations agreed with those at 8,000."""

CHOICES: Final = 40
"""Greatest number of moves in a stored result of the second pass, besides the played one."""

_ALL: Final = 2_000
"""Greatest number of moves in an answer: more than a position has, so that the played one is among
them. An answer of as many has 0.3 MB."""


@dataclass(frozen=True, slots=True)
class SearchTask:
    """A search of a position of the game.

    Attributes:
        at: index of the position in `Course.positions`.
        simulations: number of simulations, `FIRST_PASS` or `SECOND_PASS`.
        only: the move that is searched; None for all.
    """

    at: int
    simulations: int
    only: Move | None = None

    @property
    def is_second(self) -> bool:
        """True in the second pass."""
        return self.simulations >= SECOND_PASS


SearchResults = Mapping[SearchTask, SearchResult]
"""The results so far."""


def request_of(course: Course, task: SearchTask) -> SearchRequest:
    """The request of a search; only what is shown to people has reasons."""
    return SearchRequest(
        str(course.positions[task.at]),
        simulations=task.simulations,
        scoring=course.scoring,
        reasons=task.is_second and task.only is None,
        only=() if task.only is None else (str(task.only),),
        most=_ALL,
    )


def outcome_of(course: Course, task: SearchTask, answer: SearchResult) -> SearchResult:
    """The result of a search; moves that are not legal are left out.

    Of the first pass the best move and the played one are needed.
    """
    position = course.positions[task.at]
    choices = [
        one
        for one in answer.choices
        if (one.visits or answer.proved is not None)
        and one.move in position.legal_moves
        and task.only in (None, one.move)
    ]
    played = None if task.at == len(course.plies) else course.plies[task.at].move
    count = CHOICES if task.is_second else 1
    needed = [one for place, one in enumerate(choices) if place < count or one.move == played]
    return SearchResult(tuple(needed), task.simulations, proved=answer.proved)
