"""The arbiter's commands at a whole table: effects and refusals."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from firmware.codes import EndReason, Takeback, Timing
from firmware.game.config import GameConfig
from firmware.rules.variants import GAMES, PUZZLES
from firmware.session.pairing import Pairing
from tests.support.fake_table import FakeTable, house
from tests.support.noisy_board import FIRST, SECOND, THIRD
from web.contract import (
    Calibrate,
    Choose,
    Command,
    CommandName,
    EditionKey,
    EndGame,
    GameKey,
    Inspect,
    NewGame,
    Overrule,
    PairedPhones,
    PairRequest,
    Pause,
    PlacedPiece,
    RefereeState,
    RefusalReason,
    Refuse,
    Reply,
    Resign,
    Resume,
    SetPosition,
    Undo,
    Unpair,
)

DUO = GameConfig(GAMES["duo"], names=("Ada", "Ben"))


@pytest.fixture
def table(tmp_path: Path) -> Iterator[FakeTable]:
    with house(tmp_path, DUO) as made:
        yield made


@pytest.fixture
def played(table: FakeTable) -> FakeTable:
    """A table after three moves."""
    for colour, move in (("purple", FIRST), ("orange", SECOND), ("purple", THIRD)):
        table.lay(colour, move)
    assert table.state.piece_count == 3
    return table


def names(house: FakeTable) -> list[str]:
    return [event.name for event in house.events if event.name not in ("hand", "clear")]


def test_two_phones_that_undo_at_once_undo_once(played: FakeTable) -> None:
    assert played.asks(Undo(), Undo()) == [None, RefusalReason.STALE]
    assert played.state.piece_count == 2
    assert len(played.page.moves) == 2


def test_a_command_that_comes_twice_is_done_once(played: FakeTable) -> None:
    command = played.command(Undo())
    assert played.asks(command) == [None]
    later = replace(command, revision=played.page.revision)
    assert played.asks(later) == [RefusalReason.REPEATED]
    assert played.state.piece_count == 2


def test_a_command_from_before_a_move_is_stale_and_a_hand_makes_none_stale(
    played: FakeTable,
) -> None:
    before = played.command(Undo())
    played.reach()
    assert played.asks(Inspect(), played.command(Inspect(), revision=0)) == [None, None]
    played.lay("orange", "l8,m8,m9")
    assert played.state.piece_count == 4
    assert played.asks(before) == [RefusalReason.STALE]
    during = played.command(Undo())
    played.reach()
    assert played.page.revision > during.revision
    assert played.asks(during) == [None]


def test_a_revision_of_another_run_is_stale(played: FakeTable) -> None:
    ahead = played.command(Undo(), revision=played.page.revision + 1)
    assert played.asks(ahead, played.command(Undo(), revision=1)) == [RefusalReason.STALE] * 2


def test_only_paired_phones_are_heard(played: FakeTable) -> None:
    stranger = played.command(Undo(), token="x" * 43)
    assert played.asks(stranger, played.command(Undo(), token="")) == [RefusalReason.NOT_PAIRED] * 2
    played.pairing.forget()
    assert played.asks(Undo()) == [RefusalReason.NOT_PAIRED]


def test_a_phone_is_paired_by_the_number_and_by_no_other(table: FakeTable) -> None:
    number = table.pairing.issue_code(float(next(table.wall_s)))
    wrong = f"{(int(number) + 1) % 10**12:012}"
    assert table.asks(PairRequest("phone-one", wrong)) == [RefusalReason.WRONG_NUMBER]
    assert table.asks(PairRequest("phone-two", number), PairRequest("phone-three", number)) == [
        None,
        RefusalReason.WRONG_NUMBER,
    ]
    token = table.feed.answers[0].token
    assert table.asks(table.command(Inspect(), token=token)) == [None]


def test_the_page_learns_of_a_phone_before_the_phone_is_answered(
    table: FakeTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    number = table.pairing.issue_code(float(next(table.wall_s)))
    counts: list[int] = []
    answer = table.feed.answer

    def answered(who: int, reply: Reply) -> None:
        counts.append(len(table.feed.phones))
        assert table.feed.phones[-1].knows(reply.token)
        answer(who, reply)

    monkeypatch.setattr(table.feed, "answer", answered)
    before = len(table.feed.phones)
    assert table.asks(PairRequest("phone-one", number)) == [None]
    assert counts[0] > before
    assert not table.feed.phones[-1].numbers


def test_what_another_process_draws_or_forgets_is_reported_within_a_second(
    table: FakeTable,
) -> None:
    other = Pairing(table.folder / "paired.json")
    number = other.issue_code(float(next(table.wall_s)))
    table.look(2)  # a second each
    assert table.feed.phones[-1].takes(number)
    assert table.feed.phones[-1].knows(table.token)
    other.forget()
    table.look(2)
    assert table.feed.phones[-1] == PairedPhones()
    count = len(table.feed.phones)
    table.look(5)
    assert len(table.feed.phones) == count, "what has not changed is not published again"


def test_a_paired_phone_gets_the_number_of_the_camera_where_a_phone_can_be_it(
    table: FakeTable,
) -> None:
    def asks(token: str) -> Reply:
        gate, takes = table.controller._gate, table.feed.on_picture is not None
        request = PairRequest("phone-three", camera=True, token=token)
        return gate.answer_pairing(request, 1.0, can_show=False, takes_camera=takes)

    assert asks(table.token).refused is RefusalReason.NOT_POSSIBLE
    assert not table.feed.phones[-1].takes_camera
    table.feed.on_picture = lambda _: None
    assert asks("another-token").refused is RefusalReason.NOT_PAIRED
    reply = asks(table.token)
    assert reply.refused is None
    assert table.pairing.verify_camera_code(reply.number, 1.0)
    table.look(2)
    assert table.feed.phones[-1].takes_camera


def test_a_phone_that_asks_to_be_forgotten_is_and_its_token_is_worth_nothing(
    played: FakeTable,
) -> None:
    number = played.pairing.issue_code(float(next(played.wall_s)))
    assert played.asks(PairRequest("phone-two", number)) == [None]
    other = played.feed.answers[0].token
    assert played.asks(Unpair()) == [None]
    assert not played.pairing.knows(played.token)
    assert not played.feed.phones[-1].knows(played.token)
    assert played.asks(Undo()) == [RefusalReason.NOT_PAIRED]
    assert played.asks(played.command(Undo(), token=other)) == [None]


def test_every_refusal_but_that_of_a_stranger_follows_the_check_of_the_token(
    played: FakeTable,
) -> None:
    stranger = {"token": "x" * 43, "id": "a-good-id"}
    for command in (Undo(), Unpair(), Inspect(), NewGame(GameKey.DUO, names=("Ada",)), Overrule()):
        for revision in (1, played.page.revision):
            request = played.command(command, revision=revision, **stranger)
            assert played.asks(request, request) == [RefusalReason.NOT_PAIRED] * 2
    assert played.state.piece_count == 3


def test_an_undone_piece_is_not_accepted_again_until_it_was_lifted(played: FakeTable) -> None:
    assert played.asks(Undo()) == [None]
    assert not any(event.name == "move" for event in played.look(5))
    played.lift(THIRD)
    played.lay("purple", THIRD)
    assert played.state.piece_count == 3


def test_an_overruled_piece_stands_and_is_marked(played: FakeTable) -> None:
    played.lay("orange", "a1,b1")
    assert played.page.state.code is RefereeState.REFUSED
    assert played.asks(Overrule()) == [None]
    assert played.state.piece_count == 4
    assert [move.overruled for move in played.page.moves] == [False, False, False, True]
    assert played.page.turn == 0


def test_while_unsure_a_person_says_what_happened(tmp_path: Path) -> None:
    for command, plies in ((Choose(0), 1), (Refuse(), 0)):
        with house(tmp_path / str(plies), DUO) as table:
            table.reach()
            table.table_factory.board.lay("purple", FIRST)
            table.table_factory.board.blur("h8", purple=0.0)
            table.look(6)
            assert table.page.state.code is RefereeState.UNSURE
            assert len(table.page.candidates) >= 1
            missing = Choose(len(table.page.candidates))
            assert table.asks(missing) == [RefusalReason.NOT_POSSIBLE]
            assert table.asks(command) == [None]
            assert table.state.piece_count == plies
            assert not table.page.candidates


def test_a_pause_stops_everything_until_it_is_over(played: FakeTable) -> None:
    assert played.asks(Pause(), Pause()) == [None, RefusalReason.NOT_POSSIBLE]
    assert played.page.state.code is RefereeState.PAUSED
    assert played.lay("orange", "l8,m8,m9") == []
    assert played.asks(Undo()) == [RefusalReason.NOT_POSSIBLE]
    assert played.asks(Resume()) == [None]
    played.look()
    assert played.state.piece_count == 4


def test_who_resigns_loses_whatever_the_score(played: FakeTable) -> None:
    assert played.asks(Resign(0), Resign(1)) == [None, RefusalReason.STALE]
    result = played.page.result
    assert result is not None
    assert (result.winner, result.how) == ((1,), EndReason.RESIGNED)
    assert played.lay("orange", "l8,m8,m9") == []
    assert played.asks(Resume()) == [None]
    assert (played.page.result, played.page.resigned, played.page.turn) == (None, (), 1)


def test_of_four_who_resign_one_after_another_the_last_wins(tmp_path: Path) -> None:
    with house(tmp_path, GameConfig(GAMES["classic"])) as table:
        table.asks(Resign(0))
        assert table.page.turn == 1
        table.lay("yellow", "t20,s20,s19")
        assert table.page.turn == 2
        table.asks(Resign(1))
        table.asks(Resign(2))
        assert table.page.result is not None
        assert table.page.result.winner == (3,)
        assert table.asks(Resume()) == [None]
        page = table.page
        assert (page.result, page.resigned, page.turn) == (None, (0, 1), 2)


@pytest.mark.parametrize("how", [EndReason.SCORE, EndReason.ABANDONED])
def test_the_arbiter_ends_a_game_as_it_stands(played: FakeTable, how: EndReason) -> None:
    assert played.asks(EndGame(EndReason.TIME)) == [RefusalReason.NOT_POSSIBLE]
    assert played.asks(EndGame(how)) == [None]
    result = played.page.result
    assert result is not None
    assert result.how is how
    assert result.winner == ((0,) if how is EndReason.SCORE else ())


def test_a_position_is_set_by_hand(played: FakeTable) -> None:
    pieces = (PlacedPiece(0, ((4, 4),)), PlacedPiece(1, ((9, 9), (9, 10))))
    assert played.asks(SetPosition(1, pieces)) == [None]
    assert played.page.turn == 1
    assert [len(piece.squares) for piece in played.page.pieces] == [1, 2]
    overlapping = (PlacedPiece(0, ((4, 4),)), PlacedPiece(1, ((4, 4),)))
    no_piece = (PlacedPiece(0, ((0, 0), (5, 5))),)
    assert played.asks(SetPosition(0, overlapping)) == [RefusalReason.NOT_FITTING]
    assert played.asks(SetPosition(0, no_piece)) == [RefusalReason.NOT_FITTING]


def test_a_position_is_set_as_the_camera_sees_it(played: FakeTable) -> None:
    played.table_factory.board.lift(THIRD)
    played.look(1)
    assert played.asks(SetPosition(0)) == [None]
    assert played.state.piece_count == 2
    played.table_factory.eyes.hand = True
    played.look(1)
    assert played.asks(SetPosition(0)) == [RefusalReason.NOT_POSSIBLE]


def test_a_new_game_takes_the_place_of_the_old(played: FakeTable) -> None:
    number = played.journal.number
    command = NewGame(GameKey.CLASSIC_3, names=("Ada", "Ben", "Cleo"), shared=0, hints=3)
    assert played.asks(command) == [None]
    assert played.journal.number == number + 1
    assert (played.page.size, played.page.moves) == (20, ())
    assert played.page.colours[0].score is None
    played.look()
    played.lay("blue", "a20,b20")
    assert played.state.piece_count == 1


@pytest.mark.parametrize(
    "command",
    [
        NewGame(GameKey.CLASSIC, EditionKey.PURPLE_ORANGE),
        NewGame(GameKey.DUO, names=("Ada",)),
        NewGame(GameKey.DUO, seats=(0, 1, 2)),
        NewGame(GameKey.DUO, shared=1),
        NewGame(GameKey.DUO, EditionKey.BLACK_WHITE, first="purple"),
    ],
)
def test_a_new_game_that_does_not_fit_changes_nothing(played: FakeTable, command: Command) -> None:
    assert played.asks(command) == [RefusalReason.NOT_FITTING]
    assert played.state.piece_count == 3
    assert played.journal.number == 1


@pytest.fixture
def puzzle(tmp_path: Path) -> Iterator[FakeTable]:
    """A table with two pieces of a puzzle."""
    terms = GameConfig(PUZZLES["puzzle-tetrominoes"], takeback=Takeback.ANY)
    with house(tmp_path, terms) as made:
        made.lay("red", "a1,b1,c1,d1")
        made.lay("red", "a2,b2,a3,b3")
        assert made.state.piece_count == 2
        yield made


def test_a_puzzle_begins_without_a_clock(played: FakeTable) -> None:
    command = NewGame(
        GameKey.PUZZLE_ALL_BY_SIZE, takeback=Takeback.ANY, timing=Timing.DELAY, clock_s=60
    )
    assert played.asks(command) == [None]
    assert played.state.position.game is PUZZLES["puzzle-all-by-size"]
    assert played.page.clocks == ()


def test_a_puzzle_is_given_up_but_not_resigned(puzzle: FakeTable) -> None:
    assert puzzle.asks(Resign(0)) == [RefusalReason.NOT_POSSIBLE]
    assert puzzle.asks(EndGame(EndReason.SCORE)) == [RefusalReason.NOT_POSSIBLE]
    assert puzzle.asks(EndGame(EndReason.ABANDONED)) == [None]
    assert puzzle.page.result is not None
    assert puzzle.page.result.winner == ()


def test_a_puzzle_is_set_as_the_camera_sees_it(puzzle: FakeTable) -> None:
    puzzle.table_factory.board.lift("a1,b1,c1,d1")
    puzzle.table_factory.board.lay("blue", "h9,h8,h7,h6")
    puzzle.look(1)
    assert puzzle.asks(SetPosition(0)) == [None]
    assert list(map(len, puzzle.state.position.laid)) == [1, 0, 1, 0]


def test_the_arbiter_takes_back_the_last_piece_of_a_puzzle(puzzle: FakeTable) -> None:
    assert puzzle.asks(Undo()) == [None]
    assert puzzle.state.piece_count == 1
    puzzle.look(4)
    assert puzzle.state.piece_count == 1


def test_calibrating_keeps_the_game(played: FakeTable) -> None:
    corners = ((0.1, 0.1), (0.9, 0.1), (0.9, 0.9), (0.1, 0.9))
    assert played.asks(Calibrate(corners)) == [None]
    assert played.table_factory.corners == [corners]
    played.look()
    assert played.state.piece_count == 3
    assert not played.page.state.squares


def test_the_page_says_what_is_possible(table: FakeTable) -> None:
    assert CommandName.UNDO not in table.page.possible
    table.lay("purple", FIRST)
    assert {CommandName.UNDO, CommandName.PAUSE, CommandName.NEW_GAME} <= {*table.page.possible}
    assert CommandName.OVERRULE not in table.page.possible
    assert CommandName.END_TURN not in table.page.possible


def test_a_piece_that_only_the_arbiter_may_take_back_stays(tmp_path: Path) -> None:
    with house(tmp_path, replace(DUO, takeback=Takeback.ARBITER)) as table:
        table.lay("purple", FIRST)
        table.lift(FIRST)
        assert table.page.state.code is RefereeState.DISTURBED
        assert table.asks(Undo()) == [None]
        table.look()
        assert [event.name for event in table.events][-2:] == ["undone", "restored"]
