"""The page that every screen shows, from the state of a game."""

from dataclasses import replace

import pytest

from firmware.codes import EndReason, Scoring
from firmware.game.events import (
    Candidate,
    ColouredSquares,
    Disturbed,
    EndedByArbiter,
    MoveAccepted,
    MoveRefused,
    NoMovesLeft,
    Unsure,
)
from firmware.game.state import GameState, Ply, apply_event
from firmware.rules.board import Move
from firmware.rules.position import Position
from firmware.rules.variants import GAMES, LETTERS
from firmware.storage.page_builder import PageContext, PuzzleProgress, build_page
from tests.support.random_games import played
from vision.errors import BoardFailure
from vision.plastics import PLASTICS
from web.contract import (
    AnswerCode,
    GameResult,
    Mark,
    Page,
    PuzzleEntry,
    RefereeState,
)

SHOWN = PageContext(RefereeState.WAITING, ("purple", "orange"), names=("Ada", "Ben"))
FOUR = ("blue", "yellow", "red", "green")


def through_the_wire(made: Page) -> Page:
    """Encodes and decodes a page, which must not change it."""
    assert Page.from_json(made.to_json()) == made
    return made


def built(state: GameState, context: PageContext) -> Page:
    return through_the_wire(build_page(state, context))


def moved(state: GameState) -> GameState:
    position = state.position
    assert position.to_move is not None
    move = next(iter(position.legal_moves))
    return apply_event(
        state, MoveAccepted(1, 0.5, ply=1, colour=position.to_move, move=move, confidence=1.0)
    )


def test_an_empty_board_waits_for_the_first_colour() -> None:
    page = through_the_wire(build_page(GameState(Position.start("duo")), SHOWN))
    assert (page.turn, page.state.colour) == (0, 0)
    assert [colour.player for colour in page.colours] == ["Ada", "Ben"]
    assert [len(colour.left) for colour in page.colours] == [21, 21]
    assert page.starts == ((4, 4), (9, 9))
    assert (page.pieces, page.moves) == ((), ())


def test_moves_pieces_and_scores_are_those_of_the_game() -> None:
    state = moved(moved(GameState(Position.start("duo"))))
    page = through_the_wire(build_page(state, SHOWN))
    assert [piece.mark for piece in page.pieces] == [Mark.NONE, Mark.LAST]
    assert [(move.ply, move.colour) for move in page.moves] == [(1, 0), (2, 1)]
    for colour, one in enumerate(page.colours):
        laid = state.position.laid[colour]
        assert one.placed == sum(move.piece.size for move in laid)
        assert one.score == one.placed - 89
        assert len(one.left) == 20


def test_basic_scores_are_squares_in_hand() -> None:
    state = moved(GameState(Position.start("duo")))
    page = through_the_wire(build_page(state, replace(SHOWN, scoring=Scoring.BASIC)))
    assert page.colours[1].score == 89
    assert [side.score for side in page.sides][1] == 89


def test_a_refused_piece_is_shown_with_every_reason() -> None:
    position = Position.parse("duo free 1 | e10,f10,g10 | j5")
    squares = tuple(position.board.parse_squares("h10,i10"))
    refused = MoveRefused(
        1, 0.5, colour=0, squares=squares, violations=position.examine(squares, 0)
    )
    state = apply_event(GameState(position), refused)
    page = through_the_wire(build_page(state, replace(SHOWN, code=RefereeState.REFUSED)))
    [piece] = page.refused
    assert [reason.rule.value for reason in piece.reasons] == [
        "touches-own-side",
        "no-own-corner",
    ]
    assert piece.reasons[0].squares == ((4, 7),)
    assert piece.reasons[0].against == ((4, 6),)
    assert page.pieces[-1].mark is Mark.REFUSED
    taken = through_the_wire(build_page(state, replace(SHOWN, code=RefereeState.HAND)))
    assert taken.refused == page.refused, "it is there while a hand takes it away"
    ended = apply_event(state, EndedByArbiter(2, 1.0, EndReason.SCORE))
    assert build_page(ended, replace(SHOWN, code=RefereeState.GAME_OVER)).refused == ()


def test_the_newest_of_two_refused_pieces_comes_first() -> None:
    position = Position.start("duo")
    state = GameState(position)
    for colour, names in ((1, "a1,a2"), (0, "n13,n14")):
        squares = tuple(position.board.parse_squares(names))
        violations = position.examine(squares, colour)
        state = apply_event(state, MoveRefused(1, 0.5, colour, squares, violations))
    page = through_the_wire(build_page(state, replace(SHOWN, code=RefereeState.REFUSED)))
    assert [piece.colour for piece in page.refused] == [0, 1]
    assert page.state.colour == 0


def test_disturbed_and_unclear_squares_are_named() -> None:
    state = GameState(Position.parse("duo free 1 | e10 | j5"))
    disturbed = apply_event(
        state, Disturbed(1, 0.5, expected=(ColouredSquares(0, (60,)),), seen=())
    )
    page = through_the_wire(build_page(disturbed, replace(SHOWN, code=RefereeState.DISTURBED)))
    assert page.state.squares == ((4, 4),)
    move = next(iter(state.position.legal_moves))
    unsure = apply_event(state, Unsure(1, 0.5, candidates=(Candidate(0, move, 0.6),)))
    page = through_the_wire(build_page(unsure, replace(SHOWN, code=RefereeState.UNSURE)))
    assert len(page.state.squares) == move.piece.size


def test_a_piece_that_was_moved_is_led_back() -> None:
    state = GameState(Position.parse("duo free 1 | e10,f10 | j5"))
    patches = (
        (ColouredSquares(0, (60, 61)),),
        (ColouredSquares(0, (74, 75)), ColouredSquares(None, (60, 61))),
    )
    moved = apply_event(state, Disturbed(1, 0.5, *patches))
    page = through_the_wire(build_page(moved, replace(SHOWN, code=RefereeState.DISTURBED))).state
    assert (page.colour, page.current_squares, page.target_squares) == (
        0,
        ((5, 4), (5, 5)),
        ((4, 4), (4, 5)),
    )


def test_where_nobody_can_tell_whose_turn_it_is_the_page_asks() -> None:
    state = replace(GameState(Position.parse("duo free 1 | e10 | j5")), possible_turns=(0, 1))
    page = through_the_wire(
        build_page(state, replace(SHOWN, code=RefereeState.UNSURE, covered=(0,)))
    )
    assert (page.turn, page.state.asked, page.covered) == (None, (0, 1), ((0, 0),))
    during = through_the_wire(build_page(state, replace(SHOWN, code=RefereeState.HAND)))
    assert during.state.colour is None


def test_a_lost_board_says_why() -> None:
    shown = replace(SHOWN, code=RefereeState.BOARD_LOST, failure=BoardFailure.COVERED)
    made = through_the_wire(build_page(GameState(Position.start("duo")), shown))
    assert made.state.failure is BoardFailure.COVERED


def test_at_the_end_there_is_a_result() -> None:
    final = played("duo", 7, 90)
    state = apply_event(GameState(final), NoMovesLeft(1, 0.5, points=(0, 0)))
    made = through_the_wire(build_page(state, replace(SHOWN, code=RefereeState.GAME_OVER)))
    assert made.finished
    assert made.turn is None
    assert made.result is not None
    scores = [side.score for side in made.sides]
    if scores[0] != scores[1]:
        assert made.result.winner == (scores.index(max(scores)),)
    else:
        assert made.result.tied == (0, 1)


def test_a_shared_colour_has_no_score_and_is_played_in_turn() -> None:
    page = PageContext(RefereeState.WAITING, FOUR, names=("Ada", "Ben", "Cleo"))
    state = GameState(Position.start(GAMES["classic-3"]))
    for _ in range(4):
        state = moved(state)
    made = through_the_wire(build_page(state, page))
    assert made.colours[3].score is None
    assert made.colours[3].player == "Ben"
    assert all(3 not in side.colours for side in made.sides)


def test_a_piece_of_the_shared_colour_keeps_the_person_who_laid_it() -> None:
    page = PageContext(RefereeState.WAITING, FOUR, names=("Ada", "Ben", "Cleo"))
    state = GameState(Position.start(GAMES["classic-3"]))
    for plies in range(1, 17):
        state = moved(state)
        made = through_the_wire(build_page(state, page))
        movers = [made.colours[made.mover(move)].player for move in made.moves]
        assert (
            movers
            == ["Ada", "Ben", "Cleo", "Ada"][:plies]
            + [
                *["Ada", "Ben", "Cleo", "Ben"],
                *["Ada", "Ben", "Cleo", "Cleo"],
                *["Ada", "Ben", "Cleo", "Ada"],
            ][: max(plies - 4, 0)]
        )


def test_two_people_with_four_colours_have_two_each() -> None:
    page = PageContext(RefereeState.WAITING, FOUR, names=("Ada", "Ben"))
    made = through_the_wire(build_page(GameState(Position.start("classic-2")), page))
    assert [colour.player for colour in made.colours] == ["Ada", "Ben", "Ada", "Ben"]
    assert [side.colours for side in made.sides] == [(0, 2), (1, 3)]


def test_every_colour_of_plastic_can_be_drawn() -> None:
    assert set(PLASTICS) == set(LETTERS)


def test_a_puzzle_has_a_field_and_no_winner() -> None:
    for key, (columns, rows, pieces, starts) in {
        "puzzle-tetrominoes": (8, 10, 5, 0),
        "puzzle-pentominoes-apart": (15, 16, 12, 0),
        "puzzle-all": (20, 20, 21, 4),
    }.items():
        page = built(GameState(Position.start(key)), replace(SHOWN, edition=FOUR, names=("Ada",)))
        assert page.puzzle == PuzzleEntry(columns, rows)
        assert [len(colour.left) for colour in page.colours] == [pieces] * 4
        assert (page.turn, page.sides, page.state.colour) == (None, (), None)
        assert {colour.score for colour in page.colours} == {None}
        assert len(page.starts) == starts


def test_what_solver_and_clock_say_is_on_the_page() -> None:
    position = Position.start("puzzle-tetrominoes")
    move = Move.parse("a1,b1,c1,d1", 20)
    state = GameState(position.play(move, 2), (Ply(2, move, position),))
    progress = PuzzleProgress(
        AnswerCode.IMPOSSIBLE, 1, (2, move), 12.3456, running=True, best_s=99.5
    )
    context = replace(SHOWN, edition=FOUR, names=("Ada",), puzzle=progress)
    entry = built(state, context).puzzle
    assert entry is not None
    assert (entry.answer, entry.impossible_since) == (AnswerCode.IMPOSSIBLE, 1)
    assert set(entry.culprit) == {(19, 0), (19, 1), (19, 2), (19, 3)}
    assert (entry.taken_ms, entry.running, entry.best_s) == (12346, True, 99.5)
    later = replace(context, puzzle=replace(progress, taken_s=13.0))
    assert built(state, later) == built(state, context), "time alone publishes no page"


def test_a_puzzle_is_solved_or_left() -> None:
    state = replace(GameState(Position.start("puzzle-tetrominoes")), over=True)
    context = replace(SHOWN, code=RefereeState.GAME_OVER, edition=FOUR, names=("Ada",))
    assert built(state, context).result == GameResult(how=EndReason.SOLVED)
    left = replace(state, ended=EndReason.ABANDONED)
    assert built(left, context).result == GameResult(how=EndReason.ABANDONED)


@pytest.mark.parametrize("scoring", Scoring)
def test_a_shared_colour_has_no_points(scoring: Scoring) -> None:
    state = GameState(Position.start("classic-3"))
    page = built(state, replace(SHOWN, edition=FOUR, scoring=scoring))
    assert [colour.score is None for colour in page.colours] == [False, False, False, True]
