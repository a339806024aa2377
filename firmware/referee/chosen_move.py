"""Withholds placements of the computer's colours that the computer has not chosen.

The evidence is explained and judged by the rules before, without regard to the choice. What lies in
the way of the choice has to be lifted.
"""

from dataclasses import replace

from firmware.codes import Rule
from firmware.game.events import Dismissed, Moment, ToLift
from firmware.game.state import GameState
from firmware.referee.adjudication import Accepted, Adjudication, Refused, refused_piece
from firmware.rules.board import Move, mask_of
from firmware.rules.position import Position
from firmware.rules.violations import Violation, violation


def in_the_way(state: GameState, chosen: Move, moment: Moment) -> list[ToLift]:
    """Returns the events that have objects lifted that a person dismissed, and that take its room.

    Args:
        state: the state of the game.
        chosen: the move of the computer.
        moment: time and number of the newest frame.
    """
    return [
        ToLift.of(one, moment)
        for one in state.not_counted
        if isinstance(one, Dismissed) and mask_of(one.squares) & chosen.mask
    ]


def withheld(judgement: Adjudication, state: GameState) -> Adjudication:
    """Returns a judgement that accepts no placement which the computer has not chosen.

    Such a placement and all that were laid after it are refused. What people lay before it counts.

    Args:
        judgement: judgement by the rules.
        state: the state of the game before the moves of the judgement.
    """
    before = state
    for number, move in enumerate(judgement.moves):
        broken = _broken(move, before)
        if broken is not None:
            return _cut(judgement, number, before.position, broken)
        after = before.position.play(move.move, move.colour)
        before = replace(before, position=after, chosen=None)
    return judgement


def _broken(move: Accepted, state: GameState) -> Violation | None:
    """Returns the reason to refuse a legal move; None if a person plays it, or it is the choice."""
    if not state.level_of(move.colour):
        return None
    chosen = state.chosen
    if chosen is None:
        return violation(Rule.STILL_THINKING, move.move.mask)
    if (chosen.colour, chosen.move) == (move.colour, move.move):
        return None
    return violation(Rule.NOT_CHOSEN, move.move.mask, chosen.move.mask)


def _cut(judgement: Adjudication, number: int, before: Position, broken: Violation) -> Adjudication:
    """Refuses the move of this number and all that follow."""
    first, *others = judgement.moves[number:]
    masks = {one.colour: one.mask for one in judgement.refused}
    withheld_only = first.colour not in masks and all(o.colour != first.colour for o in others)
    for one in (first, *others):
        masks[one.colour] = masks.get(one.colour, 0) | one.move.mask
    refused = [refused_piece(before, colour, mask) for colour, mask in masks.items()]
    if withheld_only:
        refused = [one for one in refused if one.colour != first.colour]
        refused.insert(0, Refused(first.colour, first.move.mask, (broken,)))
    with_reasons = tuple(one for one in refused if one.violations)
    return Adjudication(judgement.moves[:number], with_reasons, before)
