"""The club's messages survive JSON, and malformed ones are refused with a sentence."""

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from firmware.codes import EndReason
from web.contract import (
    VERSION,
    AgreeToBegin,
    AnswerKind,
    ArbiterCall,
    ArbiterCame,
    CallArbiter,
    ClubAction,
    ClubRequest,
    ClubTable,
    ConfirmResult,
    ContractError,
    DisputeResult,
    FrameDecoder,
    GameKey,
    HallState,
    MatchOffer,
    MatchPlayer,
    MatchResult,
    OfferedMatch,
    OfferMatch,
    OfferState,
    PlayedMatch,
    RoundClock,
    Seat,
    SeatHolder,
    SideAnswer,
    encode,
    fingerprint,
)

MATCH = OfferedMatch(
    "2-07", 2, GameKey.DUO, (MatchPlayer("p4", "Anna K."), MatchPlayer("p9", "Ben")), 1200
)
RESULT = MatchResult(
    PlayedMatch("2-07", 2, ("p4", "p9")),
    "000012-duo",
    EndReason.SCORE,
    (
        SideAnswer((0,), -3, won=True, answer=AnswerKind.CONFIRMED),
        SideAnswer((1,), -10, won=False, answer=AnswerKind.DISPUTED, sentence="I had 89."),
    ),
)
HALL = HallState("Town hall", "7", clock=RoundClock(2, 900_000, running=True))
SAMPLES: tuple[ClubAction, ...] = (
    HALL,
    HallState("Town hall", "7", connected=False),
    HallState(""),
    OfferMatch(MATCH),
    OfferMatch(),
    AgreeToBegin(MATCH.tag, 1),
    AgreeToBegin(MATCH.tag),
    ConfirmResult(RESULT.tag, 0),
    DisputeResult(RESULT.tag, 1, "I had 89."),
    CallArbiter(),
    ArbiterCame(),
)
TABLE = ClubTable(
    (Seat((0,), SeatHolder.PERSON, fingerprint("a")), Seat((1,))),
    ArbiterCall(1),
    HALL,
    MatchOffer(MATCH, OfferState.BOARD, (0, 1), (fingerprint("a"), "")),
    RESULT.match,
    RESULT,
    (RESULT,),
)


def request(action: ClubAction) -> ClubRequest:
    return ClubRequest("Abc-123_", "t" * 43, "p" * 43, action)


@pytest.mark.parametrize("action", SAMPLES, ids=lambda one: one.name)
def test_an_action_survives_the_wire(action: ClubAction) -> None:
    assert list(FrameDecoder().feed(encode(request(action)))) == [request(action)]


def test_every_action_has_a_sample() -> None:
    with pytest.raises(ContractError, match="an action is one of") as refusal:
        ClubRequest.action_from_json({"action": "fly"})
    named = str(refusal.value).rpartition("one of ")[2].split(", ")
    assert set(named) == {one.name for one in SAMPLES}


@pytest.mark.parametrize("table", [ClubTable(), TABLE])
def test_a_table_survives_the_wire(table: ClubTable) -> None:
    assert list(FrameDecoder().feed(encode(table))) == [table]


def test_a_table_has_at_most_four_seats() -> None:
    with pytest.raises(ContractError, match="at most 4"):
        ClubTable((Seat((0,)),) * 5)


def test_a_request_shows_no_token_in_a_log() -> None:
    assert "ttt" not in repr(request(CallArbiter()))
    assert "ppp" not in repr(request(CallArbiter()))


@pytest.mark.parametrize(
    "change",
    [
        {"version": VERSION + 1},
        {"extra": 1},
        {"seats": [{"colors": [0], "holder": "person", "phone": ""}]},
        {"call": {"person": "Anna"}},
        {"match": None},
    ],
)
def test_a_table_of_another_form_is_refused(change: dict[str, Any]) -> None:
    with pytest.raises(ContractError):
        ClubTable.from_json(json.dumps({**json.loads(TABLE.to_json()), **change}))


@pytest.mark.parametrize(
    ("make", "rule"),
    [
        (lambda: MatchPlayer("p1", "A" * 41), "a name of 1 to 40 characters that can be seen"),
        (lambda: MatchPlayer("p1", " "), "a player has a name"),
        (lambda: MatchPlayer("p1", "An\u200bna"), "a player has a name"),
        (lambda: HallState("Hall\x00"), "no control characters"),
        (lambda: MatchPlayer("p 1", "Anna"), "an id has 1 to 40"),
        (lambda: replace(MATCH, players=MATCH.players[:1]), "players are 2 to 4"),
        (lambda: replace(MATCH, players=MATCH.players[:1] * 2), "different people"),
        (lambda: replace(MATCH, clock_s=10**6), "clock_s is from 0"),
        (lambda: replace(MATCH, round=0), "a round is from 1"),
        (lambda: HallState("H" * 61), "the name of a hall has at most 60 characters"),
        (lambda: HallState("Hall", "7" * 21), "the label of a table has at most 20 characters"),
        (lambda: RoundClock(1, 10**9), "at most a day"),
        (lambda: AgreeToBegin("2-07", 0), "a tag has 16"),
        (lambda: AgreeToBegin(MATCH.tag, 4), "from 0 to 3"),
        (lambda: DisputeResult(RESULT.tag, 0, " "), "whoever disputes a result says why"),
        (lambda: DisputeResult(RESULT.tag, 0, "x" * 201), "the reason has at most 200 characters"),
        (lambda: ClubRequest("short", "", "", CallArbiter()), "an id has 8 to 64"),
        (lambda: MatchOffer(MATCH, agreed=(2,), phones=("",)), "only its players agree"),
    ],
)
def test_a_wrong_value_is_refused_with_its_rule(make: Callable[[], object], rule: str) -> None:
    with pytest.raises(ContractError, match=rule):
        make()


def test_a_tag_changes_with_the_offer_and_with_the_result_but_not_with_the_answers() -> None:
    assert replace(MATCH, clock_s=600).tag != MATCH.tag
    assert replace(MATCH, players=MATCH.players[::-1]).tag != MATCH.tag
    silent = tuple(replace(side, answer=AnswerKind.NONE, sentence="") for side in RESULT.sides)
    assert replace(RESULT, sides=silent).tag == RESULT.tag
    corrected = replace(RESULT, sides=(replace(RESULT.sides[0], score=-4), RESULT.sides[1]))
    assert corrected.tag != RESULT.tag


def test_the_clock_of_a_round_runs_on_and_stops_a_day_after_its_end() -> None:
    clock = RoundClock(2, 60_000, running=True)
    assert clock.aged(90_000).left_ms == -30_000
    assert clock.aged(10**9).left_ms == -86_400_000
    assert RoundClock(2, 60_000).aged(90_000).left_ms == 60_000
