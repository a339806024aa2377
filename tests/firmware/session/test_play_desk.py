"""Players of a simulated table: who may make which gesture, and what is published of it."""

from collections.abc import Collection
from pathlib import Path

import pytest

from firmware.errors import CornerlightError
from firmware.game.config import GameConfig
from firmware.game.events import SeatsAssigned
from firmware.game.seating import colours_of
from firmware.game.state import GameState
from firmware.rules.board import Move
from firmware.rules.position import Position
from firmware.rules.variants import GAMES, VARIANTS, Variant
from firmware.session.feed_server import FeedServer, Published
from firmware.session.pairing import Pairing
from firmware.session.play_desk import USUAL_LEVEL, PlayDesk
from firmware.session.seats import MOST_A_SECOND, SILENT_S
from firmware.session.service import ServiceStatus
from firmware.storage.session_inputs import SessionInput
from tests.support.fake_table import house
from web.contract import (
    ArrangeSeats,
    EmptySeat,
    Gesture,
    LiftPiece,
    Own,
    PiecePlace,
    PlayRequest,
    Prop,
    PutPiece,
    RefusalReason,
    Reply,
    Seat,
    SeatAction,
    SeatHolder,
    ShiftPiece,
    SimulatedTable,
    Sit,
    Stand,
    Stay,
    UseOwnBoard,
    UseProp,
    fingerprint,
)


class Performer:
    """A table that notes gestures; `refuses` is its answer to them."""

    def __init__(self, key: str, computer: Collection[int] = ()) -> None:
        self.game: Variant = VARIANTS[key]
        self.computer = frozenset(computer)
        self.by_hand = False
        self.is_left, self.may_leave = False, True
        self.performed: list[Gesture] = []
        self.refuses: RefusalReason | None = None
        self.pieces: tuple[PiecePlace, ...] = ()

    def perform(self, gesture: Gesture) -> RefusalReason | None:
        self.performed.append(gesture)
        return self.refuses

    def seat_computer(self, persons: Collection[int], *, by_hand: bool) -> None:
        self.computer, self.by_hand = frozenset(persons), by_hand

    def leave(self) -> None:
        if not self.may_leave:
            raise CornerlightError("another table runs here")
        self.is_left = True

    def stand_in(self, position: Position) -> Move:
        return next(iter(position.legal_moves))

    def entry(self) -> SimulatedTable:
        return SimulatedTable(self.game.size, (1.0,) * 9, self.pieces)


class Listener(FeedServer):
    """A server of the page that keeps the published tables."""

    def __init__(self) -> None:
        self.tables: list[SimulatedTable] = []

    def publish(self, message: Published) -> None:
        assert isinstance(message, SimulatedTable)
        self.tables.append(message)


class Desk:
    """A play desk with a performer, a listener and a paired phone."""

    def __init__(self, folder: Path, key: str = "duo", computer: Collection[int] = ()) -> None:
        self.table = Performer(key, computer)
        self.feed = Listener()
        self.pairing = Pairing(folder / "paired.json")
        self.paired = self.pairing.pair()
        self.desk = PlayDesk(self.table, self.pairing, self.feed)
        self.desk.table = self  # type: ignore[assignment]
        self.session = self
        self.status = ServiceStatus()
        self.entered: list[SessionInput] = []
        self.now = 0.0

    @property
    def config(self) -> GameConfig:
        return GameConfig(self.table.game)

    @property
    def state(self) -> GameState:
        return GameState(Position.start(self.table.game))

    def enter(self, one: SessionInput) -> None:
        self.entered.append(one)

    def ask(self, action: Gesture | SeatAction, token: str = "", pairing: str = "") -> Reply:
        return self.desk.answer(PlayRequest("Abc-123_", token, pairing, action))

    def sit(self, person: int, token: str = "") -> str:
        reply = self.ask(Sit(person), token)
        assert reply.refused is None
        return reply.token

    def entries(self) -> tuple[Seat, ...]:
        entries = self.desk.entries()
        self.desk.publish()
        return entries

    def holders(self) -> list[SeatHolder]:
        return [seat.holder for seat in self.entries()]


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path)


def gestures(colour: int) -> tuple[Gesture, ...]:
    place = PiecePlace(colour, "1", ((0, 0),), 4.5, 4.5)
    return PutPiece(place), ShiftPiece(place), LiftPiece(colour, "1")


PROP = UseProp(Prop.CUP)
PERSON, FREE, COMPUTER = SeatHolder.PERSON, SeatHolder.FREE, SeatHolder.COMPUTER


def test_a_stranger_makes_no_gesture(desk: Desk) -> None:
    desk.sit(0)
    for token in ("", "x" * 43, desk.paired):
        for gesture in (*gestures(0), PROP):
            assert desk.ask(gesture, token, desk.paired).refused is RefusalReason.NO_SEAT
    assert desk.table.performed == []


@pytest.mark.parametrize("key", VARIANTS)
def test_a_seat_moves_its_own_colours_and_a_shared_one(tmp_path: Path, key: str) -> None:
    desk = Desk(tmp_path, key)
    game = VARIANTS[key]
    for person in range(game.people):
        token, desk.now = desk.sit(person), desk.now + 10
        for colour in range(4):
            own = colour in colours_of(game, person) or colour == game.shared
            expected = None if own else RefusalReason.NOT_YOURS
            for gesture in gestures(colour):
                assert desk.ask(gesture, token).refused is expected
            desk.now += 10
        desk.ask(Stand(), token)


@pytest.mark.parametrize("key", VARIANTS)
def test_all_seats_together_move_every_colour(tmp_path: Path, key: str) -> None:
    desk = Desk(tmp_path, key)
    token = ""
    for person in range(VARIANTS[key].people):
        token = desk.sit(person, token)
    for colour in VARIANTS[key].colours:
        desk.now += 1
        assert [desk.ask(one, token).refused for one in gestures(colour)] == [None] * 3


def test_everybody_with_a_seat_uses_props(desk: Desk) -> None:
    assert desk.ask(PROP, desk.sit(1)).refused is None
    assert desk.table.performed == [PROP]


def test_the_table_may_refuse_a_gesture(desk: Desk) -> None:
    desk.table.refuses = RefusalReason.NOT_POSSIBLE
    assert desk.ask(gestures(0)[0], desk.sit(0)).refused is RefusalReason.NOT_POSSIBLE


def test_a_flood_of_gestures_is_refused_and_no_seat_is_lost(desk: Desk) -> None:
    token, other = desk.sit(0), desk.sit(1)
    refused = [desk.ask(PROP, token).refused for _ in range(500)]
    assert refused.count(None) == MOST_A_SECOND
    assert set(refused[MOST_A_SECOND:]) == {RefusalReason.BUSY}
    assert desk.ask(PROP, other).refused is None
    desk.now += 1
    assert desk.ask(PROP, token).refused is None
    assert desk.holders() == [PERSON, PERSON]


def test_a_seat_is_taken_once(desk: Desk) -> None:
    desk.sit(0)
    for person in (0, 2, -1):
        assert desk.ask(Sit(person)).refused is RefusalReason.SEAT_TAKEN


def test_a_phone_is_told_that_its_seat_is_lost(desk: Desk) -> None:
    token = desk.sit(0)
    assert desk.ask(Stay(), token).refused is None
    desk.now = SILENT_S + 1
    assert desk.holders() == [FREE, FREE]
    assert desk.ask(gestures(0)[0], token).refused is RefusalReason.NO_SEAT
    other = desk.sit(0)
    assert desk.ask(Stay(), token).refused is RefusalReason.NO_SEAT
    assert desk.ask(Stay(), other).refused is None


def test_a_phone_that_comes_back_goes_on(desk: Desk) -> None:
    token = desk.sit(0)
    desk.now = SILENT_S + 1
    assert desk.holders() == [FREE, FREE]
    assert desk.ask(Stay(), token).refused is None
    assert desk.holders() == [PERSON, FREE]
    assert desk.ask(gestures(0)[0], token).refused is None


def test_only_paired_phones_arrange_and_empty_seats(desk: Desk) -> None:
    token = desk.sit(0)
    for action in (ArrangeSeats((0,), (1,)), EmptySeat(0)):
        for pairing in ("", "x" * 43, token):
            assert desk.ask(action, token, pairing).refused is RefusalReason.NOT_PAIRED
    assert desk.holders() == [PERSON, FREE]
    assert desk.ask(EmptySeat(0), "", desk.paired).refused is None
    assert desk.holders() == [FREE, FREE]


def test_a_seat_without_a_phone_cannot_be_emptied(tmp_path: Path) -> None:
    desk = Desk(tmp_path, computer={1})
    for person in (-1, 0, 1, 2):
        refused = desk.ask(EmptySeat(person), "", desk.paired).refused
        assert refused is RefusalReason.NOT_POSSIBLE


def test_a_paired_phone_deals_the_seats(desk: Desk) -> None:
    guest = desk.sit(1)
    reply = desk.ask(ArrangeSeats((0,), (1,)), "", desk.paired)
    assert desk.holders() == [PERSON, COMPUTER]
    assert desk.table.computer == {1}
    assert desk.entries()[0].phone == fingerprint(reply.token)
    assert desk.ask(gestures(1)[0], guest).refused is RefusalReason.NO_SEAT
    assert desk.ask(gestures(0)[0], reply.token).refused is None
    assert desk.ask(ArrangeSeats((), (0, 1)), reply.token, desk.paired).token == ""
    assert desk.holders() == [COMPUTER, COMPUTER]


def test_seats_that_the_game_lacks_do_not_fit(desk: Desk) -> None:
    for action in (ArrangeSeats((2,)), ArrangeSeats((), (1, 3))):
        refused = desk.ask(action, "", desk.paired).refused
        assert refused is RefusalReason.NOT_FITTING
    assert desk.holders() == [FREE, FREE]


def test_the_browser_of_the_machine_is_paired_without_a_number(desk: Desk) -> None:
    token = desk.ask(Own()).token
    assert desk.pairing.knows(token)
    assert desk.ask(ArrangeSeats((0,)), "", token).refused is None


def test_a_paired_browser_leaves_for_a_real_board_where_one_can_begin(desk: Desk) -> None:
    assert desk.ask(UseOwnBoard()).refused is RefusalReason.NOT_PAIRED
    token = desk.ask(Own()).token
    desk.table.may_leave = False
    assert desk.ask(UseOwnBoard(), "", token).refused is RefusalReason.NOT_POSSIBLE
    assert not desk.table.is_left
    desk.table.may_leave = True
    assert desk.ask(UseOwnBoard(), "", token).refused is None
    assert desk.table.is_left


def test_what_has_not_changed_is_not_published_again(desk: Desk) -> None:
    for _ in range(5):
        desk.desk.publish()
    assert len(desk.feed.tables) == 1
    desk.table.pieces = (PiecePlace(0, "1", ((0, 0),), 4.5, 4.5),)
    desk.desk.publish()
    assert desk.feed.tables[-1].pieces == desk.table.pieces
    assert len(desk.feed.tables) == 2


@pytest.mark.parametrize("key", GAMES)
def test_seats_are_published_with_the_colours_that_only_they_play(tmp_path: Path, key: str) -> None:
    desk = Desk(tmp_path, key)
    colours = [seat.colours for seat in desk.entries()]
    assert len(colours) == GAMES[key].people
    together = sorted(colour for own in colours for colour in own)
    assert together == [one for one in GAMES[key].colours if one != GAMES[key].shared]


def test_seats_follow_from_game_to_game(tmp_path: Path) -> None:
    desk = Desk(tmp_path, computer={1})
    token = desk.sit(0)
    for key in (*GAMES, *reversed(GAMES)):
        desk.table.game = GAMES[key]
        people = GAMES[key].people
        assert desk.holders() == [PERSON] + [COMPUTER] * (people - 1)
        assert desk.table.computer == set(range(1, people))
        assert desk.ask(gestures(0)[0], token).refused is None
        desk.now += 1


def test_a_real_table_refuses_gestures_and_pairs_nobody(tmp_path: Path) -> None:
    with house(tmp_path, GameConfig(GAMES["duo"])) as made:
        pairing = made.pairing.pair()
        actions = (*gestures(0), PROP, ArrangeSeats(), Own(), UseOwnBoard())
        for action in actions:
            reply = made.controller._answer(PlayRequest("Abc-123_", "", pairing, action))
            assert (reply.refused, reply.token) == (RefusalReason.NO_SEAT, "")


def test_the_computer_of_a_game_sits_down_to_no_puzzle(tmp_path: Path) -> None:
    desk = Desk(tmp_path, "duo", computer=(0, 1))
    assert desk.holders() == [COMPUTER, COMPUTER]
    desk.table.game = VARIANTS["puzzle-tetrominoes"]
    assert desk.holders() == [FREE]
    refused = desk.ask(ArrangeSeats((), (0,)), "", desk.paired).refused
    assert refused is RefusalReason.NOT_FITTING
    assert desk.ask(ArrangeSeats((0,)), "", desk.paired).refused is None
    assert desk.holders() == [PERSON]


def test_levels_and_the_hand_of_the_computer_are_those_that_people_chose(desk: Desk) -> None:
    desk.ask(ArrangeSeats((0,), (1,)), "", desk.paired)
    token = desk.ask(ArrangeSeats((0,), (1,), (9,), by_hand=True), "", desk.paired).token
    assert desk.entered == [SeatsAssigned(0, 0.0, (0, level)) for level in (USUAL_LEVEL, 9)]
    desk.entries()
    assert desk.table.by_hand
    assert desk.feed.tables[-1].by_hand
    assert [desk.ask(one, token).refused for one in gestures(1)] == [None] * 3


def test_scripted_people_who_play_all_seats_are_no_computer(desk: Desk) -> None:
    desk.ask(ArrangeSeats((), (0, 1)), "", desk.paired)
    assert desk.entered == [SeatsAssigned(0, 0.0, (0, 0))]
    assert desk.desk.plays_all
