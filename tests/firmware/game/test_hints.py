"""Steps of a hint, their cost and the squares that they reveal."""

from dataclasses import replace

import pytest

from firmware.codes import HintAmount, HintStep, MoveReasonCode
from firmware.game.config import GameConfig
from firmware.game.events import Hinted, Moment
from firmware.game.hints import (
    agrees,
    can_be_given,
    corners_of,
    next_step,
    none_agreed,
    reason_squares,
    remaining,
    revealed_squares,
    steps_of,
)
from firmware.game.reasons import Reason
from firmware.game.state import GameState, apply_event
from firmware.rules.board import Move
from firmware.rules.extent import field_of
from firmware.rules.position import Position
from firmware.rules.variants import GAMES, PUZZLES
from tests.support.solved_puzzles import TETROMINOES, moves_of

PIECES = moves_of(TETROMINOES)


def begun(count: int) -> GameState:
    position = Position.start(TETROMINOES.game)
    for colour, move in PIECES[:count]:
        position = position.put(move, colour)
    return GameState(position)


def hinted(state: GameState, step: HintStep, number: int) -> GameState:
    colour, move = PIECES[number]
    return apply_event(state, Hinted(*Moment(1, 0.5), 0, colour, move, step))


def names(state: GameState) -> set[str]:
    board = state.position.board
    return {board.format_square(square) for square in revealed_squares(state)}


DUO = GameConfig(GAMES["duo"], hints=1)
MOVE = Move.parse("g8,h8,i8,i7", 14)


def duo(step: HintStep, reasons: tuple[Reason, ...] | None = ()) -> GameState:
    """A game of Duo with a hint for purple."""
    position = Position.start("duo")
    for text in ("e10,f10,f9", "j5,j6"):
        position = position.play(Move.parse(text, 14))
    return apply_event(GameState(position), Hinted(1, 0.5, 0, 0, MOVE, step, reasons))


def steps_from(state: GameState, terms: GameConfig) -> list[HintStep]:
    """The steps that follow one another from a state on."""
    steps = []
    while (step := next_step(state, terms)) is not None:
        steps.append(step)
        reasons = None if state.hint is None else state.hint.reasons
        state = apply_event(state, Hinted(1, 0.5, 0, 0, MOVE, step, reasons))
    return steps


def test_a_game_has_five_steps_and_a_puzzle_four() -> None:
    for game in GAMES.values():
        assert steps_of(game) == (
            HintStep.AREA,
            HintStep.PIECE,
            HintStep.SQUARE,
            HintStep.WHOLE,
            HintStep.REASON,
        )
    for puzzle in PUZZLES.values():
        steps = steps_of(puzzle)
        assert steps == (HintStep.SOLVABLE, HintStep.AREA, HintStep.PIECE, HintStep.WHOLE)


def test_a_person_who_agreed_on_area_and_piece_sees_no_more() -> None:
    terms = replace(DUO, hint_amount=(HintAmount.AREA_AND_PIECE, HintAmount.EVERYTHING))
    assert steps_from(duo(HintStep.AREA), terms) == [HintStep.PIECE]
    assert not none_agreed(duo(HintStep.AREA), terms)
    other = replace(terms, hint_amount=terms.hint_amount[::-1])
    assert len(steps_from(duo(HintStep.AREA), other)) == 4


def test_a_person_who_agreed_on_none_gets_none_but_may_ask() -> None:
    terms = replace(DUO, hint_amount=(HintAmount.NONE, HintAmount.EVERYTHING))
    state = replace(duo(HintStep.AREA), hint=None)
    assert next_step(state, terms) is None
    assert none_agreed(state, terms)
    assert can_be_given(state, terms)


@pytest.mark.parametrize("step", [HintStep.WHERE, HintStep.REACH])
def test_a_hint_of_an_earlier_version_goes_on_with_the_whole_move(step: HintStep) -> None:
    state = duo(step, None)
    assert remaining(state, DUO) == (0, 1)
    assert steps_from(state, DUO) == [HintStep.WHOLE]


def test_a_whole_move_of_an_earlier_version_has_no_further_step() -> None:
    assert steps_from(duo(HintStep.WHOLE, None), DUO) == []
    assert steps_from(duo(HintStep.WHOLE, ()), DUO) == [HintStep.REASON]


def test_the_steps_of_a_game_reveal_more_and_more() -> None:
    area, piece = names(duo(HintStep.AREA)), names(duo(HintStep.PIECE))
    assert "g8" in area
    assert area == piece
    assert names(duo(HintStep.SQUARE)) == {"g8"}
    assert names(duo(HintStep.WHOLE)) == names(duo(HintStep.REASON)) == {"g8", "h8", "i8", "i7"}


def test_the_last_step_shows_the_squares_of_the_first_reason_that_has_some() -> None:
    reasons = (Reason(MoveReasonCode.PROVEN, 3, ()), Reason(MoveReasonCode.BLOCKS, 9, ("i7", "i8")))
    assert reason_squares(duo(HintStep.WHOLE, reasons)) == ()
    board = Position.start("duo").board
    assert board.format_squares(reason_squares(duo(HintStep.REASON, reasons))) == "i7,i8"
    assert reason_squares(duo(HintStep.REASON)) == ()


def test_the_steps_of_a_puzzle_follow_each_other_and_the_first_one_costs() -> None:
    state, config = begun(3), GameConfig(TETROMINOES.game, hints=2)
    for step in steps_of(TETROMINOES.game):
        assert next_step(state, config) is step
        state = hinted(state, step, 8)
        assert remaining(state, config) == (1,)
    assert next_step(state, config) is None
    colour, move = PIECES[8]
    after = replace(state, hint=None, position=state.position.put(move, colour))
    assert next_step(after, config) is HintStep.SOLVABLE


def test_each_step_reveals_more_of_the_piece() -> None:
    state = begun(3)
    assert names(hinted(state, HintStep.SOLVABLE, 8)) == set()
    piece = names(hinted(state, HintStep.PIECE, 8))
    whole = names(hinted(state, HintStep.WHOLE, 8))
    assert whole == {"b1", "c1", "c2", "d2"}
    assert len(piece) == 1
    assert piece < whole


def test_an_area_is_the_free_part_of_the_field_where_the_piece_begins() -> None:
    # The field of 8 by 10 squares has four areas of 4 by 5.
    state = begun(5)
    area = names(hinted(state, HintStep.AREA, 8))
    lower_left = {f"{column}{row}" for column in "abcd" for row in range(1, 6)}
    covered = {"a4", "b4", "b5", "a1", "a2", "b2", "a3"}
    assert area == lower_left - covered


@pytest.mark.parametrize("key", PUZZLES)
def test_the_areas_of_a_field_are_its_squares_in_equal_parts(key: str) -> None:
    state = GameState(Position.start(PUZZLES[key]))
    board, field = state.position.board, field_of(PUZZLES[key])
    areas = set()
    for square in (s for s in range(board.squares) if field >> s & 1):
        move = board.move(board.indices(board.covering_any(1 << square))[0])
        if move.mask == 1 << square:
            hint = Hinted(1, 0.5, 0, 0, move, HintStep.AREA)
            found = revealed_squares(replace(state, hint=hint))
            assert square in found
            areas.add(found)
    sizes = {len(area) for area in areas}
    assert sum(map(len, areas)) == field.bit_count()
    assert sizes <= {20, 25}
    assert len(areas) in (4, 12, 16)


@pytest.mark.parametrize("step", steps_of(GAMES["duo"]))
def test_a_move_agrees_if_all_that_was_revealed_holds_for_it(step: HintStep) -> None:
    state = duo(step)
    assert state.hint is not None
    shown = set(revealed_squares(state))
    agreeing = [one for one in state.position.legal_moves if agrees(state, one)]
    roots = corners_of(state.position, 0)
    root = next(square for square in MOVE.squares if roots >> square & 1)

    def fits(one: Move) -> bool:
        if step in (HintStep.WHOLE, HintStep.REASON):
            return one == MOVE
        is_there = first_root(one, roots) in (shown if step is not HintStep.SQUARE else (root,))
        return is_there and (step is HintStep.AREA or one.piece == MOVE.piece)

    assert agreeing == [one for one in state.position.legal_moves if fits(one)]
    counts = {"area": 120, "piece": 10, "square": 10, "whole": 1, "reason": 1}
    assert len(agreeing) == counts[step], "of 566 legal moves"


def first_root(move: Move, roots: int) -> int:
    return next(square for square in move.squares if roots >> square & 1)
