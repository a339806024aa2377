"""A search of a review as a request to the player, and its answer as a result."""

from firmware.coach.course import Course
from firmware.coach.search_task import CHOICES, SearchedChoice, SearchOutcome, SearchTask
from firmware.player.client import Analysis, SearchOptions, SuggestedMove
from firmware.rules.board import Move
from firmware.rules.errors import RulesError


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
        "most": CHOICES,
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
        if one.visits and move in position.legal_moves:
            choices.append(_choice(move, one))
    if not task.is_second:
        played = None if task.at == len(course.plies) else course.plies[task.at].move
        choices = [one for place, one in enumerate(choices) if not place or one.move == played]
    return SearchOutcome(task, tuple(choices))


def _choice(move: Move, one: SuggestedMove) -> SearchedChoice:
    return SearchedChoice(move, one.value, one.margin, one.visits)
