"""People at a table: seats, calls, offered matches, answers to results."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from uuid import uuid4

import pytest

from firmware.codes import EndReason, Timing
from firmware.game.config import GameConfig
from firmware.game.events import ArbiterCalled, CallEnded
from firmware.hall.link.hall_service import CALL_AGAIN_S, SILENT_S
from firmware.hall.link.share_token import read_share_token
from firmware.lights.scene import CALL, at, scene
from firmware.rules.variants import GAMES
from firmware.session.seats import SILENT_S as SEAT_SILENT_S
from tests.support.fake_table import FakeTable
from web.contract import (
    AgreeToBegin,
    AnswerKind,
    ArbiterCame,
    CallArbiter,
    ClubAction,
    ClubRequest,
    CommandRequest,
    ConfirmResult,
    DisputeResult,
    EmptySeat,
    EndGame,
    GameKey,
    HallState,
    MatchPlayer,
    NewGame,
    OfferedMatch,
    OfferMatch,
    OfferState,
    PlayedMatch,
    PlayRequest,
    RefusalReason,
    Reply,
    Resign,
    Resume,
    RoundClock,
    SeatAction,
    SeatHolder,
    Sit,
    Stand,
    Stay,
    Undo,
)

FREE, PERSON = SeatHolder.FREE, SeatHolder.PERSON
ANNA, BEN = MatchPlayer("p4", "Anna K."), MatchPlayer("p9", "Ben")
MATCH = OfferedMatch("2-07", 2, GameKey.DUO, (ANNA, BEN), 1200)
HALL = HallState("Town hall", "7")


class Club:
    """A table with people, and the program that connects it to a hall."""

    def __init__(self, folder: Path, config: GameConfig | None = None) -> None:
        self.folder = folder
        self.made = FakeTable(folder, config)
        self.paired = self.made.pairing.pair()
        self.share = read_share_token(folder / "share-token")

    def ask(self, action: ClubAction | SeatAction, token: str = "", pairing: str = "") -> Reply:
        seat = isinstance(action, Sit | Stand | Stay | EmptySeat)
        kind = PlayRequest if seat else ClubRequest
        self.made.asks(kind(uuid4().hex, token, pairing, action))  # type: ignore[arg-type]
        reply = self.made.feed.answers[-1]
        self.made.look(1)
        return reply

    def refused(self, action: ClubAction | SeatAction, token: str = "") -> RefusalReason | None:
        return self.ask(action, token).refused

    def hall(self, *actions: ClubAction) -> None:
        for action in actions:
            assert self.refused(action, self.share) is None

    def sit(self, person: int) -> str:
        reply = self.ask(Sit(person))
        assert reply.refused is None
        return reply.token

    def holders(self) -> list[SeatHolder]:
        self.made.look(1)
        return [seat.holder for seat in self.made.club.seats]

    def pass_time(self, seconds: float) -> None:
        """Lets time pass of which no frame tells."""
        after = float(next(self.made.wall_s)) + seconds
        self.made.wall_s = iter(range(int(after), 10**9))  # type: ignore[assignment]
        self.made.look(1)

    def begin(self) -> tuple[str, str]:
        """Has both players agree to the offered match; returns the tokens of their seats."""
        tokens = []
        for person in (0, 1):
            reply = self.ask(AgreeToBegin(MATCH.tag, person))
            assert reply.refused is None
            tokens.append(reply.token)
        return tokens[0], tokens[1]

    def restart(self) -> None:
        self.made.close()
        self.made = FakeTable(self.folder)

    def close(self) -> None:
        self.made.close()


@pytest.fixture
def club(tmp_path: Path) -> Iterator[Club]:
    made = Club(tmp_path, GameConfig(GAMES["duo"], names=("Ada", "Cleo")))
    yield made
    made.close()


def command(club: Club, command: object) -> None:
    assert club.made.asks(command) == [None]  # type: ignore[arg-type]
    club.made.look(1)


# Seats


def test_a_phone_takes_and_leaves_a_seat_at_a_real_table(club: Club) -> None:
    token = club.sit(0)
    assert club.holders() == [PERSON, FREE]
    assert club.refused(Sit(0)) is RefusalReason.SEAT_TAKEN
    assert club.refused(Stay(), token) is None
    assert club.refused(Stand(), token) is None
    assert club.holders() == [FREE, FREE]


def test_a_silent_phone_loses_its_seat_and_takes_it_back(club: Club) -> None:
    token = club.sit(1)
    club.pass_time(SEAT_SILENT_S + 1)
    assert club.holders() == [FREE, FREE]
    assert club.refused(Stay(), token) is None
    assert club.holders() == [FREE, PERSON]


def test_only_a_paired_phone_empties_a_seat(club: Club) -> None:
    token = club.sit(0)
    assert club.refused(EmptySeat(0), token) is RefusalReason.NOT_PAIRED
    assert club.ask(EmptySeat(0), pairing=club.paired).refused is None
    assert club.holders() == [FREE, FREE]


def test_a_forged_token_has_no_seat_and_cannot_choose_its_own(club: Club) -> None:
    forged = "f" * 43
    assert club.ask(Sit(0), forged).token != forged
    for action in (CallArbiter(), Stay()):
        assert club.refused(action, forged) is RefusalReason.NO_SEAT


# The arbiter


def test_a_seat_calls_the_arbiter_and_ends_the_call(club: Club) -> None:
    anna, ben = club.sit(0), club.sit(1)
    before = replace(club.made.state, call=None)
    assert club.refused(CallArbiter(), anna) is None
    assert club.made.club.call is not None
    assert club.made.club.call.person == 0
    assert replace(club.made.state, call=None) == before, "the game goes on as it was"
    assert club.refused(ArbiterCame(), ben) is RefusalReason.OTHER_SEAT
    assert club.refused(ArbiterCame()) is RefusalReason.NO_SEAT
    assert club.refused(ArbiterCame(), anna) is None
    assert club.made.club.call is None


def test_a_call_is_ended_by_the_hall_and_by_a_paired_phone(club: Club) -> None:
    anna = club.sit(0)
    for token, pairing in ((club.share, ""), ("", club.paired)):
        assert club.refused(CallArbiter(), anna) is None
        assert club.ask(ArbiterCame(), token, pairing).refused is None
        assert club.made.club.call is None
        club.pass_time(CALL_AGAIN_S)


def test_a_paired_phone_calls_without_a_seat(club: Club) -> None:
    assert club.ask(CallArbiter(), pairing=club.paired).refused is None
    assert club.made.club.call is not None
    assert club.made.club.call.person is None


def test_a_flood_of_calls_is_one_event_each_and_then_refused(club: Club) -> None:
    anna = club.sit(0)
    assert {club.refused(CallArbiter(), anna) for _ in range(50)} == {None}
    assert sum(isinstance(one, ArbiterCalled) for one in club.made.events) == 1
    assert club.refused(ArbiterCame(), anna) is None
    assert {club.refused(CallArbiter(), anna) for _ in range(5)} == {RefusalReason.CALL_ENDED}
    assert club.refused(ArbiterCame(), anna) is None
    assert sum(isinstance(one, CallEnded) for one in club.made.events) == 1


def test_a_call_survives_a_restart_and_a_new_game(club: Club) -> None:
    club.refused(CallArbiter(), club.sit(0))
    club.restart()
    club.made.look(1)
    assert club.made.club.call is not None
    assert club.made.club.call.person == 0
    club.made.token = club.paired
    command(club, NewGame())
    assert club.made.club.call is not None
    assert club.made.club.call.person is None, "another person may sit there now"


def test_moves_are_judged_as_ever_while_somebody_calls(club: Club) -> None:
    club.refused(CallArbiter(), club.sit(0))
    club.made.lay("purple", "e10,f10,f9,g9,g8")
    assert club.made.state.piece_count == 1
    assert club.made.state.call is not None
    club.made.lay("orange", "a1")
    assert club.made.state.refused
    club.made.lift("a1")
    club.made.lay("orange", "j5,j6,j7")
    assert club.made.state.piece_count == 2


def test_a_call_is_shown_in_lights_by_a_frame_that_alternates(club: Club) -> None:
    club.refused(CallArbiter(), club.sit(0))
    lit = scene(club.made.state, ("purple", "orange"))
    halves = [{square for square, ink in at(lit, now).items() if ink == CALL} for now in (0.0, 1.0)]
    assert all(halves)
    assert halves[0].isdisjoint(halves[1])
    assert {"row" for one in halves[0] | halves[1] if 0 < one // 14 < 13 and 0 < one % 14 < 13} == (
        set()
    )


# The hall


def test_a_table_shows_its_hall_until_it_leaves_it(club: Club) -> None:
    assert club.made.club.hall is None
    club.hall(HALL, OfferMatch(MATCH))
    assert club.made.club.hall == HALL
    assert club.made.club.offer is not None
    club.hall(HallState(""))
    assert (club.made.club.hall, club.made.club.offer) == (None, None)


def test_whoever_has_another_token_is_no_hall_and_a_hall_is_no_arbiter(club: Club) -> None:
    anna = club.sit(0)
    for token in ("", "x" * 43, anna, club.paired):
        for action in (HALL, OfferMatch(MATCH)):
            assert club.ask(action, token, club.paired).refused is RefusalReason.NOT_PAIRED
    assert club.made.club.hall is None
    club.hall(HALL, OfferMatch(MATCH))
    new = CommandRequest(uuid4().hex, club.made.page.revision, club.share, NewGame())
    assert club.made.asks(new) == [RefusalReason.NOT_PAIRED]
    agrees = AgreeToBegin(MATCH.tag)
    assert club.ask(agrees, club.share, club.share).refused is RefusalReason.NOT_PAIRED
    assert club.refused(EmptySeat(0), club.share) is RefusalReason.NOT_PAIRED


def test_a_hall_that_is_silent_is_not_reached(club: Club) -> None:
    club.hall(HALL)
    club.pass_time(SILENT_S + 1)
    assert club.made.club.hall == replace(HALL, connected=False)
    club.hall(HALL)
    assert club.made.club.hall == HALL


def test_the_clock_of_the_round_runs_on_at_the_table(club: Club) -> None:
    club.hall(replace(HALL, clock=RoundClock(2, 600_000, running=True)))
    club.pass_time(20)
    club.made.feed._joined += 1
    club.made.look(1)
    hall = club.made.club.hall
    assert hall is not None
    assert hall.clock is not None
    assert 570_000 <= hall.clock.left_ms <= 580_000


# The offered match


def test_a_match_begins_when_all_its_players_agree(club: Club) -> None:
    club.hall(HALL, OfferMatch(MATCH))
    reply = club.ask(AgreeToBegin(MATCH.tag, 0))
    offer = club.made.club.offer
    assert offer is not None
    assert (offer.state, offer.agreed) == (OfferState.PEOPLE, (0,))
    assert club.made.state.match is None
    other = club.ask(AgreeToBegin(MATCH.tag, 1))
    config = club.made.controller.session.config
    assert config.names == ("Anna K.", "Ben")
    assert (config.pace.timing, config.pace.clock_s) == (Timing.SUDDEN_DEATH, 1200)
    assert club.made.club.match == PlayedMatch("2-07", 2, ("p4", "p9"))
    assert club.made.club.offer is None
    assert club.holders() == [PERSON, PERSON]
    for person, token in enumerate((reply.token, other.token)):
        club.pass_time(CALL_AGAIN_S)
        assert club.refused(CallArbiter(), token) is None
        assert club.made.club.call is not None
        assert club.made.club.call.person == person
        club.refused(ArbiterCame(), token)


def test_a_paired_phone_agrees_for_all(club: Club) -> None:
    club.hall(HALL, OfferMatch(MATCH))
    assert club.refused(AgreeToBegin(MATCH.tag)) is RefusalReason.NOT_PAIRED
    assert club.ask(AgreeToBegin(MATCH.tag), pairing=club.paired).refused is None
    assert club.made.club.match is not None
    assert club.holders() == [FREE, FREE]


def test_nobody_agrees_twice_or_to_what_was_changed_or_withdrawn(club: Club) -> None:
    club.hall(HALL, OfferMatch(MATCH))
    token = club.ask(AgreeToBegin(MATCH.tag, 0)).token
    assert club.refused(AgreeToBegin(MATCH.tag, 0)) is RefusalReason.SEAT_TAKEN
    assert club.refused(AgreeToBegin(MATCH.tag, 0), token) is None
    assert club.refused(AgreeToBegin(MATCH.tag, 2)) is RefusalReason.NOT_FITTING
    club.hall(OfferMatch(replace(MATCH, clock_s=600)))
    offer = club.made.club.offer
    assert offer is not None
    assert offer.agreed == ()
    assert club.refused(AgreeToBegin(MATCH.tag, 0)) is RefusalReason.STALE
    club.hall(OfferMatch())
    assert club.made.club.offer is None
    assert club.refused(AgreeToBegin(MATCH.tag, 0)) is RefusalReason.NOT_POSSIBLE


def test_an_offer_interrupts_no_game_and_waits_for_its_end(club: Club) -> None:
    club.made.lay("purple", "e10,f10,f9,g9,g8")
    club.hall(HALL, OfferMatch(MATCH))
    offer = club.made.club.offer
    assert offer is not None
    assert offer.state is OfferState.GAME
    assert club.refused(AgreeToBegin(MATCH.tag, 0)) is RefusalReason.NOT_POSSIBLE
    club.made.token = club.paired
    command(club, EndGame(EndReason.ABANDONED))
    club.begin()
    offer = club.made.club.offer
    assert offer is not None
    assert offer.state is OfferState.BOARD, "old pieces lie on the board"
    club.made.lift("e10,f10,f9,g9,g8")
    club.made.look(20)
    assert club.made.club.match is not None
    assert club.made.state.piece_count == 0


def test_an_agreed_match_goes_on_after_an_undo_and_asks_anew(club: Club) -> None:
    club.made.lay("purple", "e10,f10,f9,g9,g8")
    club.made.token = club.paired
    command(club, EndGame(EndReason.ABANDONED))
    club.hall(HALL, OfferMatch(MATCH))
    club.begin()
    command(club, Resume())
    offer = club.made.club.offer
    assert offer is not None
    assert (offer.state, offer.agreed) == (OfferState.GAME, ())


def test_a_match_that_has_begun_is_offered_again_only_if_it_was_abandoned(club: Club) -> None:
    club.hall(HALL, OfferMatch(MATCH))
    club.begin()
    club.hall(OfferMatch(), OfferMatch(MATCH))
    assert club.made.club.offer is None
    club.restart()
    club.hall(HALL, OfferMatch(MATCH))
    assert club.made.club.offer is None, "the journal knows which match is played"
    club.made.token = club.paired
    club.made.lay("purple", "e10,f10,f9,g9,g8")
    command(club, EndGame(EndReason.ABANDONED))
    assert club.made.club.offer is not None


def test_a_match_for_another_number_of_people_does_not_fit(club: Club) -> None:
    wrong = replace(MATCH, game=GameKey.CLASSIC)
    assert club.refused(OfferMatch(wrong), club.share) is RefusalReason.NOT_FITTING
    puzzle = replace(MATCH, game=GameKey.PUZZLE_ALL)
    assert club.refused(OfferMatch(puzzle), club.share) is RefusalReason.NOT_FITTING


# Results


def finished(club: Club) -> tuple[str, str]:
    """Plays the match to an end; returns the tokens of both players."""
    club.hall(HALL, OfferMatch(MATCH))
    tokens = club.begin()
    club.made.token = club.paired
    club.made.lay("purple", "e10,f10,f9,g9,g8")
    command(club, Resign(1))
    return tokens


def answers(club: Club) -> list[AnswerKind]:
    assert club.made.club.result is not None
    return [side.answer for side in club.made.club.result.sides]


def test_each_side_confirms_the_result_under_the_token_of_its_seat(club: Club) -> None:
    anna, ben = finished(club)
    result = club.made.club.result
    assert result is not None
    assert (result.match.id, result.game) == ("2-07", club.made.page.name)
    assert [side.won for side in result.sides] == [True, False]
    assert club.refused(ConfirmResult(result.tag, 1), anna) is RefusalReason.OTHER_SEAT
    for token in ("", "x" * 43, club.share, club.paired):
        assert club.ask(ConfirmResult(result.tag, 0), token, club.paired).refused is (
            RefusalReason.NO_SEAT
        )
    assert club.refused(ConfirmResult(result.tag, 0), anna) is None
    assert answers(club) == [AnswerKind.CONFIRMED, AnswerKind.NONE]
    events = len(club.made.events)
    assert club.refused(ConfirmResult(result.tag, 0), anna) is None
    assert len(club.made.events) == events, "a repeated confirmation counts once"
    assert club.refused(DisputeResult(result.tag, 1, " I had 89. "), ben) is None
    assert answers(club) == [AnswerKind.CONFIRMED, AnswerKind.DISPUTED]
    assert club.made.club.result is not None
    assert club.made.club.result.sides[1].sentence == "I had 89."
    assert club.refused(ConfirmResult(result.tag, 1), ben) is None
    assert club.made.club.result.is_confirmed


def test_answers_survive_a_restart(club: Club) -> None:
    anna, _ = finished(club)
    assert club.made.club.result is not None
    club.refused(ConfirmResult(club.made.club.result.tag, 0), anna)
    club.restart()
    club.made.look(1)
    assert answers(club) == [AnswerKind.CONFIRMED, AnswerKind.NONE]


def test_a_corrected_game_asks_anew(club: Club) -> None:
    anna, _ = finished(club)
    assert club.made.club.result is not None
    tag = club.made.club.result.tag
    club.refused(ConfirmResult(tag, 0), anna)
    command(club, Resume())
    assert club.made.club.result is None
    assert club.refused(ConfirmResult(tag, 0), anna) is RefusalReason.NOT_POSSIBLE
    command(club, Undo())
    club.made.lift("e10,f10,f9,g9,g8")
    club.made.lay("purple", "e10,f10")
    command(club, Resign(1))
    assert answers(club) == [AnswerKind.NONE] * 2
    assert club.refused(ConfirmResult(tag, 0), anna) is RefusalReason.STALE


def test_no_rematch_follows_a_match_before_both_sides_have_confirmed(club: Club) -> None:
    anna, ben = finished(club)
    assert club.made.club.result is not None
    tag = club.made.club.result.tag
    club.made.lift("e10,f10,f9,g9,g8")
    club.made.look(20)
    assert club.made.club.result is not None, "the cleared board waits for the answers"
    club.refused(ConfirmResult(tag, 0), anna)
    club.refused(ConfirmResult(tag, 1), ben)
    club.made.look(20)
    assert club.made.club.match is None
    assert [result.tag for result in club.made.club.earlier] == [tag]
    assert all(result.is_confirmed for result in club.made.club.earlier)


def test_an_abandoned_match_has_no_result(club: Club) -> None:
    club.hall(HALL, OfferMatch(MATCH))
    club.begin()
    club.made.token = club.paired
    club.made.lay("purple", "e10,f10,f9,g9,g8")
    command(club, EndGame(EndReason.ABANDONED))
    assert club.made.club.match is not None
    assert club.made.club.result is None
    assert club.made.club.earlier == ()


def test_seats_follow_the_people_at_a_rematch(club: Club) -> None:
    anna = club.sit(0)
    club.made.table_factory.clears_board = True
    club.made.controller._look_again()
    club.made.token = club.paired
    club.made.lay("purple", "e10,f10,f9,g9,g8")
    command(club, EndGame(EndReason.ABANDONED))
    club.made.lift("e10,f10,f9,g9,g8")
    club.made.look(20)
    assert club.made.controller.session.config.names == ("Cleo", "Ada")
    assert club.holders() == [FREE, PERSON]
    assert club.refused(CallArbiter(), anna) is None
    assert club.made.club.call is not None
    assert club.made.club.call.person == 1
