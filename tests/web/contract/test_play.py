"""Gestures, seats and the simulated table: they survive JSON, and malformed ones are refused."""

import json
from dataclasses import replace
from typing import Any

import pytest

from web.contract import (
    VERSION,
    ArrangeSeats,
    ContractError,
    EmptySeat,
    FrameDecoder,
    Gesture,
    LiftPiece,
    OpponentState,
    Own,
    PiecePlace,
    PlayRequest,
    Prop,
    PutPiece,
    Seat,
    SeatAction,
    SeatHolder,
    ShiftPiece,
    ShowPlaces,
    SimulatedTable,
    Sit,
    Stand,
    Stay,
    TrayPiece,
    UseOwnBoard,
    UseProp,
    encode,
    fingerprint,
)

PLACE = PiecePlace(1, "L4", ((0, 0), (1, 0), (2, 0), (2, 1)), 4.25, 9.5, -12.5)
SAMPLES: tuple[Gesture | SeatAction, ...] = (
    PutPiece(PLACE),
    PutPiece(replace(PLACE, across=-3.0, down=17.0)),
    ShiftPiece(PLACE),
    LiftPiece(3, "1"),
    *(UseProp(prop, on=on) for prop in Prop for on in (True, False)),
    Sit(0),
    Stand(),
    Stay(),
    EmptySeat(2),
    ArrangeSeats(),
    ArrangeSeats((0, 2), (1, 3)),
    Own(),
    UseOwnBoard(),
    ShowPlaces(3, "Z5"),
)
TABLE = SimulatedTable(
    14,
    (0.05, 0.001, 0.1, 0.0, 0.06, 0.1, 0.0, 0.002, 1.0),
    (PLACE,),
    ((0, "1"),),
    (TrayPiece("2", ((0, 0), (0, 1))),),
    (Prop.CUP, Prop.HAND),
    OpponentState.PREPARING,
)


def request(action: Gesture | SeatAction) -> PlayRequest:
    return PlayRequest("Abc-123_", "t" * 43, "", action)


@pytest.mark.parametrize("action", SAMPLES, ids=lambda one: one.name)
def test_an_action_survives_the_wire(action: Gesture | SeatAction) -> None:
    assert list(FrameDecoder().feed(encode(request(action)))) == [request(action)]


def test_every_action_has_a_sample() -> None:
    with pytest.raises(ContractError, match="an action is one of") as refusal:
        PlayRequest.action_from_json({"action": "fly"})
    named = str(refusal.value).rpartition("one of ")[2].split(", ")
    assert set(named) == {one.name for one in SAMPLES}


@pytest.mark.parametrize("table", [TABLE, SimulatedTable(20, (1.0,) * 9)])
def test_the_state_of_a_table_survives_the_wire(table: SimulatedTable) -> None:
    assert list(FrameDecoder().feed(encode(table))) == [table]


@pytest.mark.parametrize(
    "changed",
    [
        {"across": float("nan")},
        {"down": float("inf")},
        {"across": 100.1},
        {"down": -100.1},
        {"across": 10**400},
        {"across": True},
        {"across": "4"},
        {"across": None},
        {"angle_deg": 45.5},
        {"angle_deg": float("-inf")},
        {"color": -1},
        {"color": 4},
        {"color": 1.0},
        {"piece": ""},
        {"piece": "a name that is too long"},
        {"piece": 4},
        {"shape": []},
        {"shape": [[0, 0]] * 6},
        {"shape": [[0, 5]]},
        {"shape": [[-1, 0]]},
        {"shape": [[0, 10**400]]},
        {"shape": [[0]]},
        {"shape": [[0, 0, 0]]},
        {"shape": [[0.0, 0.0]]},
        {"shape": "L4"},
        {"colour": 0},
    ],
    ids=lambda changed: str(changed)[:40],
)
def test_a_malformed_place_is_refused_with_one_sentence(changed: dict[str, Any]) -> None:
    action = json.loads(request(PutPiece(PLACE)).to_json())["action"]
    action["place"].update(changed)
    with pytest.raises(ContractError, match=r"^the message cannot be used: [^\n]{1,300}$"):
        PlayRequest.action_from_json(json.loads(json.dumps(action)))


@pytest.mark.parametrize(
    "value",
    [
        None,
        [],
        "put",
        {},
        {"action": None},
        {"action": ["put"]},
        {"action": "put"},
        {"action": "stand", "person": 0},
        {"action": "sit"},
        {"action": "sit", "person": "0"},
        {"action": "prop", "prop": "saucer", "on": True},
        {"action": "prop", "prop": "cup", "on": 1},
        {"action": "lift", "colour": 0, "piece": "1"},
        {"action": "arrange", "mine": [0], "computer": [0]},
        {"action": "arrange", "mine": [0, 0], "computer": []},
        {"action": "arrange", "mine": [4], "computer": []},
        {"action": "arrange", "mine": [-1], "computer": []},
        {"action": "arrange", "mine": 0, "computer": []},
    ],
    ids=str,
)
def test_what_is_no_action_is_refused(value: object) -> None:
    with pytest.raises(ContractError):
        PlayRequest.action_from_json(value)


@pytest.mark.parametrize(("colour", "piece"), [(-1, "1"), (4, "1"), (0, ""), (0, "long!")])
def test_a_lifted_piece_has_a_colour_of_a_game_and_a_name(colour: int, piece: str) -> None:
    with pytest.raises(ContractError):
        PlayRequest.action_from_json({"action": "lift", "color": colour, "piece": piece})


@pytest.mark.parametrize(
    "changed",
    [
        {"id": "short"},
        {"id": "Abc-123_\n"},
        {"token": "a b"},
        {"token": "t" * 65},
        {"pairing": "t" * 65},
        {"pairing": None},
        {"action": {}},
        {"version": VERSION + 1},
        {"more": 1},
    ],
    ids=str,
)
def test_a_malformed_request_is_refused(changed: dict[str, Any]) -> None:
    text = json.dumps({**json.loads(request(Stay()).to_json()), **changed})
    with pytest.raises(ContractError):
        PlayRequest.from_json(text)


@pytest.mark.parametrize("text", ["", "[]", "null", "[" * 100_000, "{", "\ud800"])
def test_text_that_is_no_table_is_refused(text: str) -> None:
    for kind in (PlayRequest, SimulatedTable):
        with pytest.raises(ContractError):
            kind.from_json(text)


def test_a_request_does_not_show_its_tokens() -> None:
    shown = repr(PlayRequest("Abc-123_", "a-secret", "another-secret", Stand()))
    assert "secret" not in shown


def test_a_seat_names_a_phone_only_if_a_person_has_it() -> None:
    for holder in (SeatHolder.FREE, SeatHolder.COMPUTER):
        with pytest.raises(ContractError, match="a person has a phone"):
            Seat((0,), holder, fingerprint("a"))
    for phone in ("", "a"):
        with pytest.raises(ContractError, match="a person has a phone"):
            Seat((0,), SeatHolder.PERSON, phone)


def test_a_table_has_a_whole_view() -> None:
    with pytest.raises(ContractError, match="9 numbers"):
        SimulatedTable(14, (1.0,) * 8)
