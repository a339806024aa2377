"""The move that the computer player recommends, checked against the rules."""

from firmware.codes import PlayerFailure
from firmware.errors import PlayerError
from firmware.player.client import Analysis
from firmware.rules.board import Move
from firmware.rules.position import Position


def best_move(answer: Analysis, position: Position) -> Move:
    """Returns the first choice of the computer player that the rules allow.

    Raises:
        PlayerError: it named no legal move.
    """
    for choice in answer.choices:
        if choice.move in position.legal_moves:
            return choice.move
    raise PlayerError(PlayerFailure.NO_MOVE, "the player named no move that the rules allow")
