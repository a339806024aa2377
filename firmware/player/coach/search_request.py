"""A search of a review as a request to the player, and its answer as a result."""

from typing import Final

from firmware.player.client import Analysis, SearchOptions, SuggestedMove
from firmware.player.coach.search_task import CHOICES, SearchedChoice, SearchOutcome, SearchTask
from firmware.records.course import Course
from firmware.rules.board import Move
from firmware.rules.errors import RulesError

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
    choices = []
    for one in answer.choices:
        try:
            move = Move.parse(",".join(one.cells), position.game.size)
        except RulesError:
            continue
        is_examined = one.visits or answer.proved is not None
        if is_examined and move in position.legal_moves and task.only in (None, move):
            choices.append(_choice(move, one))
    played = None if task.at == len(course.plies) else course.plies[task.at].move
    count = CHOICES if task.is_second else 1
    needed = [one for place, one in enumerate(choices) if place < count or one.move == played]
    return SearchOutcome(task, tuple(needed), answer.proved)


def _choice(move: Move, one: SuggestedMove) -> SearchedChoice:
    return SearchedChoice(move, one.value, one.margin, one.visits, one.proved, one.reasons)
