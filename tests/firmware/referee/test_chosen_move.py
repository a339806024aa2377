"""Placements of the computer's colours count only where the computer has chosen them."""

from dataclasses import replace

from firmware.codes import Rule
from firmware.game.events import ComputerMove
from firmware.game.state import GameState
from firmware.referee.adjudication import Accepted, Adjudication
from firmware.referee.chosen_move import withheld
from firmware.rules.position import Position

START = Position.start("duo")
FIRST = max(START.legal_moves, key=lambda move: move.piece.size)
AFTER = START.play(FIRST)
SECOND, OTHER = sorted(AFTER.legal_moves, key=lambda move: -move.piece.size)[:2]
STATE = GameState(START, computer=(0, 5))


def judged(position: Position, *moves: Accepted) -> Adjudication:
    for one in moves:
        position = position.play(one.move)
    return Adjudication(moves, (), position)


def test_moves_of_people_are_untouched() -> None:
    judgement = judged(START, Accepted(0, FIRST, 5.0))
    assert withheld(judgement, STATE) is judgement
    people = judged(START, Accepted(0, FIRST, 5.0), Accepted(1, SECOND, 5.0))
    assert withheld(people, replace(STATE, computer=())) is people


def test_a_move_before_the_choice_waits_for_it() -> None:
    judgement = judged(START, Accepted(0, FIRST, 5.0), Accepted(1, SECOND, 5.0))
    found = withheld(judgement, STATE)
    assert [one.move for one in found.moves] == [FIRST]
    [refused] = found.refused
    assert (refused.colour, refused.mask) == (1, SECOND.mask)
    assert [violation.rule for violation in refused.violations] == [Rule.STILL_THINKING]
    assert found.after == AFTER
    assert withheld(found, STATE) is found


def test_only_the_chosen_move_counts() -> None:
    state = replace(STATE, position=AFTER, chosen=ComputerMove(1, 0.5, 1, SECOND))
    right = judged(AFTER, Accepted(1, SECOND, 5.0))
    assert withheld(right, state) is right
    [refused] = withheld(judged(AFTER, Accepted(1, OTHER, 5.0)), state).refused
    [violation] = refused.violations
    assert violation.rule is Rule.NOT_CHOSEN
    assert set(violation.squares) == set(OTHER.squares)
    assert set(violation.against) == set(SECOND.squares)


def test_pieces_after_a_withheld_one_are_judged_without_it() -> None:
    state = replace(STATE, position=AFTER, chosen=ComputerMove(1, 0.5, 1, SECOND))
    third = next(iter(AFTER.play(OTHER).legal_moves))
    both = judged(AFTER, Accepted(1, OTHER, 5.0), Accepted(0, third, 5.0))
    found = withheld(both, state)
    assert not found.moves
    rules = {one.colour: [violation.rule for violation in one.violations] for one in found.refused}
    assert rules == {1: [Rule.NOT_CHOSEN], 0: [Rule.WRONG_TURN]}
