"""Messages of a hall: JSON there and back, caps, versions, strangers' keys."""

import json
from dataclasses import replace

import pytest

from firmware.codes import EndReason, Scoring
from firmware.hall.link.messages import (
    CAPS,
    ClubMessage,
    ColourSummary,
    FaultCode,
    HallStatus,
    PairingEntry,
    Pairings,
    Standings,
    StandingsEntry,
    Status,
    Summary,
    TablePage,
    TableResults,
    TooLargeError,
    decode,
    encode,
)
from tests.support.example_pages import duo_refused
from web.contract import (
    AnswerKind,
    ArbiterPage,
    ContractError,
    GameKey,
    GameResult,
    MatchPlayer,
    MatchResult,
    OfferedMatch,
    PlayedMatch,
    PlayerClock,
    RefereeState,
    RoundClock,
    SideAnswer,
)

ANNA, BEN = MatchPlayer("p01", "Anna K."), MatchPlayer("p02", "Ben 碁")
SUMMARY = Summary(
    12,
    "duo",
    "2-07",
    RefereeState.WAITING,
    1,
    3,
    (
        ColourSummary("purple", "Anna K.", -70),
        ColourSummary("orange", "Ben 碁", -80),
    ),
    (PlayerClock((0,), 60_000), PlayerClock((1,), 59_000, running=True)),
    True,  # noqa: FBT003 - every field has a value here
    (FaultCode.LIGHTS, FaultCode.HEAT),
    GameResult((0,), (), EndReason.TIME),
)
SEAT = OfferedMatch("2-07", 2, GameKey.DUO, (ANNA, BEN), 900)
RESULT = MatchResult(
    PlayedMatch("2-07", 2, ("p01", "p02")),
    "duo-1",
    EndReason.RESIGNED,
    (
        SideAnswer((0,), -3, won=True, answer=AnswerKind.CONFIRMED),
        SideAnswer((1,), -9, False, AnswerKind.DISPUTED, "the last piece was mine"),  # noqa: FBT003
    ),
    Scoring.BASIC,
)
MESSAGES: list[ClubMessage] = [
    Status(online=True, url="http://table7.local:8000"),
    SUMMARY,
    TablePage(duo_refused().public),
    TableResults((RESULT,)),
    SEAT,
    HallStatus(online=True, name="Spring open"),
    RoundClock(2, -500, running=True),
    Pairings(
        2,
        True,  # noqa: FBT003 - every field has a value here
        "duo",
        (PairingEntry("2-07", "07", (ANNA, BEN), "1-0"),),
        (BEN,),
    ),
    Standings(2, ("Buchholz",), (StandingsEntry(1, ANNA, 1.5, (3.0,), 2),)),
]


@pytest.mark.parametrize("message", MESSAGES, ids=lambda message: type(message).__name__)
def test_a_message_is_the_same_after_the_wire(message: ClubMessage) -> None:
    payload = encode(message)
    assert json.loads(payload)["v"] == 1
    assert len(payload) <= CAPS[type(message)]
    assert decode(type(message), payload) == message


@pytest.mark.parametrize("message", MESSAGES, ids=lambda message: type(message).__name__)
def test_another_version_is_refused(message: ClubMessage) -> None:
    table = json.loads(encode(message))
    for version in (2, 0, "1", None, True):
        with pytest.raises(ContractError, match="not of version 1"):
            decode(type(message), json.dumps(table | {"v": version}).encode())


@pytest.mark.parametrize("message", MESSAGES, ids=lambda message: type(message).__name__)
def test_unknown_keys_are_ignored(message: ClubMessage) -> None:
    table = json.loads(encode(message))
    assert decode(type(message), json.dumps(table | {"mood": [1]}).encode()) == message


def test_unknown_keys_of_parts_are_ignored() -> None:
    table = json.loads(encode(SUMMARY))
    table["colors"][0]["mood"] = table["clocks"][1]["mood"] = table["result"]["mood"] = 1
    assert decode(Summary, json.dumps(table).encode()) == SUMMARY


def test_keys_that_an_earlier_release_lacks_have_their_defaults() -> None:
    table = json.loads(encode(SUMMARY))
    for key in ("calls", "faults", "result"):
        del table[key]
    del table["colors"][1]["score"]
    read = decode(Summary, json.dumps(table).encode())
    colours = (SUMMARY.colours[0], replace(SUMMARY.colours[1], score=None))
    assert read == replace(SUMMARY, calls=False, faults=(), result=None, colours=colours)


@pytest.mark.parametrize(
    ("key", "value", "place"),
    [
        ("revision", "12", "revision"),
        ("colors", {}, "colors"),
        ("colors", [5], "colors"),
        ("colors", [{"player": "purple"}], "colors"),
        ("state", "asleep", "state"),
        ("clocks", [{"colors": [0], "left_ms": "soon"}], "left_ms"),
        ("result", 5, "result"),
        ("turn", 1.5, "turn"),
    ],
)
def test_a_value_that_does_not_fit_is_named(key: str, value: object, place: str) -> None:
    table = json.loads(encode(SUMMARY)) | {key: value}
    with pytest.raises(ContractError, match=place):
        decode(Summary, json.dumps(table).encode())


@pytest.mark.parametrize("payload", [b"", b"{", b"[]", b"5", b"\xff\xfe", b"null", b"[" * 1500])
def test_what_is_no_message_is_refused(payload: bytes) -> None:
    with pytest.raises(ContractError):
        decode(Summary, payload)


@pytest.mark.parametrize("kind", [type(message) for message in MESSAGES])
def test_another_kind_of_message_is_refused_or_empty_of_facts(kind: type[ClubMessage]) -> None:
    with pytest.raises(ContractError):
        decode(kind, b'{"v":1}')


def test_the_sender_keeps_the_cap() -> None:
    encode(TableResults((RESULT,) * 40))
    with pytest.raises(TooLargeError, match="at most 16384 bytes"):
        encode(TableResults((RESULT,) * 60))
    with pytest.raises(TooLargeError, match="at most 512 bytes"):
        encode(Status(online=True, url="席" * 200))


def test_the_receiver_refuses_more_than_the_cap() -> None:
    with pytest.raises(TooLargeError):
        decode(Status, encode(Status(online=True)) + b" " * 512)


def test_only_the_public_page_leaves_a_table() -> None:
    page = replace(duo_refused(), private=ArbiterPage())
    with pytest.raises(ContractError, match="only the public page"):
        TablePage(page)
    stolen = json.dumps({"v": 1, "page": json.loads(page.to_json())})
    with pytest.raises(ContractError, match="only the public page"):
        decode(TablePage, stolen.encode())


@pytest.mark.parametrize("change", [{"size": 10**6}, {"turn": 9}, {"starts": [[99, 0]]}])
def test_a_page_that_cannot_be_drawn_is_refused(change: dict[str, object]) -> None:
    table = json.loads(encode(TablePage(duo_refused().public)))
    table["page"] |= change
    with pytest.raises(ContractError):
        decode(TablePage, json.dumps(table).encode())


def test_a_result_is_known_by_match_and_game() -> None:
    assert RESULT.key == ("2-07", "duo-1")
    assert replace(RESULT, sides=RESULT.sides[:1]).key == RESULT.key
