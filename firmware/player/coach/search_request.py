"""A search of a review as a request to the player, and its answer as a result."""

from typing import Final

from firmware.player.client import Analysis, SearchOptions
from firmware.player.coach.search_task import CHOICES, SearchOutcome, SearchTask
from firmware.records.course import Course

_ALL: Final = 2_000
"""Greatest number of moves in an answer: more than a position has, so that the played one is among
them. An answer of as many has 0.3 MB."""


def position_of(course: Course, task: SearchTask) -> str:
    """The position that is searched, as text."""
    return str(course.positions[task.at])


def options_of(course: Course, task: SearchTask) -> SearchOptions:
    """The options of the request; only what is shown to people has reasons."""
    return {
        "simulations": task.simulations,
        "scoring": course.scoring.value,
        "reasons": task.is_second and task.only is None,
        "only": () if task.only is None else (str(task.only),),
        "most": _ALL,
    }


def outcome_of(course: Course, task: SearchTask, answer: Analysis) -> SearchOutcome:
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
    return SearchOutcome(task, tuple(needed), answer.proved)
