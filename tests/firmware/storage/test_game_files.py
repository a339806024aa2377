"""Pages of a stored game: one for each placement, pass and refusal that was not undone."""

from collections.abc import Sequence

from firmware.codes import EndReason
from firmware.game.config import GameConfig
from firmware.game.events import (
    Event,
    MoveAccepted,
    MoveRefused,
    Passed,
    PositionSet,
    Solved,
    Undone,
)
from firmware.rules.board import Move
from firmware.rules.position import Position
from firmware.rules.variants import GAMES, VARIANTS
from firmware.storage import game_files
from firmware.storage.game_files import export_files
from firmware.storage.stored_game import StoredGame
from firmware.storage.wall_clock import TimeOfDay
from tests.support.example_pages import SOLVED_TETROMINOES
from tests.support.noisy_board import FIRST, SECOND, THIRD
from web.contract import Mark, Page, RefereeState
from web.contract.game_folder import PAGES

DUO = GAMES["duo"]
EDITION = ("purple", "orange")
START = Position.start(DUO)
FAR = tuple(START.board.parse_squares("a1,b1"))
"""Squares of a piece that no first or second move may cover."""


def pages_of(events: Sequence[Event]) -> list[Page]:
    game = StoredGame(1, GameConfig(DUO), TimeOfDay("", trusted=False), tuple(events))
    return [Page.from_json(line) for line in export_files(game, game.name)[PAGES].splitlines()]


def accepted(ply: int, squares: str, **others: object) -> MoveAccepted:
    move = Move.parse(squares, DUO.size)
    colour = (ply - 1) % 2
    return MoveAccepted(10 * ply, float(ply), ply, colour, move, 1.0, **others)  # type: ignore[arg-type]


def refusal(frame: int, colour: int, position: Position = START, **others: object) -> MoveRefused:
    violations = position.examine(FAR, colour)
    return MoveRefused(frame, 0.0, colour, FAR, violations, **others)  # type: ignore[arg-type]


def test_a_refusal_has_a_page_and_what_was_undone_has_none() -> None:
    first = accepted(1, FIRST, turned=0, edition=EDITION)
    second = accepted(2, SECOND)
    after = START.play(first.move)
    events = [
        first,
        refusal(15, 1, after),
        second,
        refusal(25, 0, after.play(second.move)),
        Undone(30, 3.0, 2, 1, second.move),
    ]
    pages = pages_of(events)
    assert [(page.ply, page.evidence) for page in pages] == [
        (0, ""), (1, "0001"), (1, "0001-illegal-000015"), (1, "")
    ]  # fmt: skip
    assert pages[2].state.code is RefereeState.REFUSED
    assert pages[2].refused[0].reasons


def test_a_refusal_before_the_first_move_is_shown_in_the_frame_found_later() -> None:
    early = refusal(5, 0, provisional_frame=(0, ("orange", "purple")))
    pages = pages_of([early, accepted(1, FIRST, turned=90, edition=EDITION)])
    [piece] = [piece for piece in pages[1].pieces if piece.mark is Mark.REFUSED]
    assert pages[1].colours[piece.colour].name == "orange"
    names = {pages[1].square_name(square) for square in piece.squares}
    assert names == {"a13", "a14"}, "a1 and b1, turned clockwise"


def test_a_piece_that_breaks_no_rule_in_the_frame_found_later_is_not_refused_there() -> None:
    legal = tuple(START.board.parse_squares("e10,f10"))
    early = MoveRefused(5, 0.0, 0, legal, START.examine(FAR, 0), provisional_frame=(0, EDITION))
    pages = pages_of([early, refusal(6, 1), accepted(1, FIRST, turned=0, edition=EDITION)])
    assert [len(page.refused) for page in pages] == [0, 1, 1]
    assert pages[1].refused[0].reasons


def test_a_position_whose_turn_is_unknown_is_asked_about() -> None:
    position = Position.parse("duo free 1 | e10 | j5")
    page = pages_of([PositionSet(3, 0.3, position, 0, EDITION, (0, 1))])[-1]
    assert (page.state.code, page.state.asked) == (RefereeState.UNSURE, (0, 1))


def test_a_pass_is_a_move_without_squares_and_takes_no_number() -> None:
    events = [
        accepted(1, FIRST, turned=0, edition=EDITION),
        accepted(2, SECOND),
        Passed(25, 2.5, 0, 2),
        Passed(25, 2.5, 1, 2),
    ]
    pages = pages_of(events)
    assert [page.ply for page in pages] == [0, 1, 2, 2, 2]
    moves = [(move.ply, move.colour, bool(move.squares)) for move in pages[-1].moves]
    assert moves == [(1, 0, True), (2, 1, True), (2, 0, False), (2, 1, False)]


def test_refusals_beyond_the_limit_have_no_page() -> None:
    limit = game_files._MOST_REFUSALS
    first = accepted(1, FIRST, turned=0, edition=EDITION)
    after = START.play(first.move)
    refusals = [refusal(100 + number, 1, after) for number in range(limit + 5)]
    pages = pages_of([first, *refusals, accepted(2, SECOND), accepted(3, THIRD)])
    shown = [page for page in pages if page.state.code is RefereeState.REFUSED]
    assert len(shown) == limit
    assert pages[-1].ply == 3


def test_a_puzzle_is_kept_without_the_pieces_that_were_lifted() -> None:
    moves = [(colour, Move.parse(text, 20)) for colour, text in SOLVED_TETROMINOES]
    events: list[Event] = []

    def lay(number: int) -> None:
        colour, move = moves[number]
        ply = 1 + sum(1 if isinstance(one, MoveAccepted) else -1 for one in events)
        moment = len(events) + 1
        events.append(MoveAccepted(moment, 10.0 * moment, ply, colour, move, 1.0))

    for number in (5, 0, 1):
        lay(number)
    colour, move = moves[5]
    events.append(Undone(4, 40.0, 1, colour, move))
    for number in (2, 3, 4, *range(5, 20)):
        lay(number)
    events.append(Solved(23, 230.0))
    game = StoredGame(
        1,
        GameConfig(VARIANTS["puzzle-tetrominoes"]),
        TimeOfDay("", trusted=False),
        tuple(events),
    )
    pages = [Page.from_json(line) for line in export_files(game, game.name)[PAGES].splitlines()]
    assert [page.ply for page in pages] == [*range(21), 20]
    assert [one.squares for one in pages[2].moves] == [
        tuple(divmod(square, 20) for square in move.squares) for _, move in moves[:2]
    ]
    assert pages[-1].result is not None
    assert pages[-1].result.how is EndReason.SOLVED
    assert [page.puzzle.taken_ms for page in pages[:3] if page.puzzle] == [0, 10_000, 20_000]
    assert pages[-1].puzzle is not None
    assert pages[-1].puzzle.taken_ms == 220_000
    assert [page.evidence for page in pages[:4]] == ["", "0002", "", "0003"]
