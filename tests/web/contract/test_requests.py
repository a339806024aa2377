"""Requests to the table: they survive JSON, and values out of bounds are refused."""

import json
from typing import Any

import pytest

from firmware.codes import EndReason, Scoring, Takeback, Timing, TurnEnd
from firmware.rules.variants import EDITIONS, VARIANTS
from web.contract import (
    VERSION,
    AssignSeat,
    BeginAnew,
    Calibrate,
    CancelHint,
    CheckLights,
    Choose,
    Command,
    CommandName,
    CommandRequest,
    ContractError,
    EditionKey,
    EndGame,
    EndTurn,
    Forget,
    FrameDecoder,
    GameKey,
    Hint,
    Inspect,
    MeasureLens,
    Message,
    NewGame,
    Overrule,
    PairedPhones,
    PairRequest,
    Pause,
    PlacedPiece,
    ProbeLights,
    RefusalReason,
    Refuse,
    Rematch,
    Reply,
    Resign,
    Resume,
    SetPosition,
    SwitchOff,
    Undo,
    Unpair,
    encode,
    fingerprint,
)
from web.contract.commands import COMMANDS

WHOLE = NewGame(
    GameKey.CLASSIC_3,
    EditionKey.FOUR,
    ("Ada", "Ben", "クレオ"),
    (0, 1, 2),
    "blue",
    0,
    Scoring.BASIC,
    Takeback.ARBITER,
    TurnEnd.BUTTON,
    Timing.DELAY,
    600,
    5,
    3,
)
SAMPLES: tuple[Command, ...] = (
    WHOLE,
    NewGame(),
    BeginAnew(),
    Rematch(),
    Choose(1),
    Refuse(),
    Undo(),
    SetPosition(1),
    SetPosition(0, (PlacedPiece(0, ((4, 4), (4, 5))),)),
    Overrule(),
    Pause(),
    Resume(),
    Resign(1),
    EndGame(EndReason.TIME),
    EndTurn(),
    AssignSeat(1, 7),
    Calibrate(),
    Calibrate(((0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0))),
    Inspect(),
    MeasureLens(),
    MeasureLens(stop=True),
    ProbeLights(),
    ProbeLights(stop=True),
    CheckLights(),
    CheckLights(right=False),
    CheckLights(stop=True),
    Hint(),
    CancelHint(),
    Unpair(),
    SwitchOff(),
    Forget("Ada"),
)


def command(one: Command) -> CommandRequest:
    return CommandRequest("Abc-123_", 7, "t" * 43, one)


def test_every_word_has_a_wish_and_a_sample() -> None:
    assert set(COMMANDS) == set(CommandName) == {wish.name for wish in SAMPLES}


@pytest.mark.parametrize("wish", SAMPLES, ids=lambda wish: wish.name)
def test_a_command_survives_the_wire(wish: Command) -> None:
    assert list(FrameDecoder().feed(encode(command(wish)))) == [command(wish)]


def test_pairing_and_answers_survive_the_wire() -> None:
    messages: list[Message] = [
        PairRequest("Abc-123_", "012345678901"),
        PairRequest("Abc-123_"),
        Reply("Abc-123_", token="x" * 43),
    ]
    messages += [
        PairedPhones(),
        PairedPhones((fingerprint("t"),), (("salt", fingerprint("saltn")),)),
    ]
    messages += [Reply("Abc-123_", refusal, 3, wait_s=9) for refusal in RefusalReason]
    assert list(FrameDecoder().feed(b"".join(map(encode, messages)))) == messages


@pytest.mark.parametrize(
    ("path", "value", "says"),
    [
        (("version",), VERSION + 1, "version"),
        (("id",), "short", "8 to 64"),
        (("id",), "x" * 65, "8 to 64"),
        (("id",), 12345678, "kind str"),
        (("revision",), -1, "revision"),
        (("revision",), 2**53, "revision"),
        (("revision",), "7", "kind int"),
        (("token",), "a b", "token"),
        (("token",), "x" * 65, "token"),
        (("surprise",), 1, "keys"),
        (("wish",), "undo", "a wish is one of"),
        (("wish", "word"), "sudo", "a wish is one of"),
        (("wish", "word"), [], "a wish is one of"),
        (("wish", "surprise"), 1, "wish has the keys"),
        (("wish", "game"), "chess", "wish.game is one of"),
        (("wish", "names"), ["x" * 41], "at most 40"),
        (("wish", "names"), ["a\u0007"], "control"),
        (("wish", "names"), ["a\u202e"], "control"),
        (("wish", "names"), ["a"] * 5, "at most 4"),
        (("wish", "seats"), [0, 0], "another sits"),
        (("wish", "seats"), [4], "from 0 to 3"),
        (("wish", "shared"), 4, "from 0 to 3"),
        (("wish", "clock_s"), 0, "clock_s is from 1"),
        (("wish", "clock_s"), 10**6, "clock_s is from 1"),
        (("wish", "step_s"), -1, "step_s"),
        (("wish", "hints"), 100, "hints"),
        (("wish", "hints"), True, "kind int"),
    ],
)
def test_a_command_of_another_form_is_refused(path: tuple[str, ...], value: Any, says: str) -> None:
    table = json.loads(command(WHOLE).to_json())
    place = table
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = value
    with pytest.raises(ContractError, match=says):
        CommandRequest.from_json(json.dumps(table))


@pytest.mark.parametrize(
    "make",
    [
        lambda: Choose(-1),
        lambda: Resign(4),
        lambda: EndGame(EndReason.RESIGNED),
        lambda: SetPosition(4),
        lambda: SetPosition(0, (PlacedPiece(0, ((0, 0),)),) * 85),
        lambda: PlacedPiece(0, ()),
        lambda: PlacedPiece(0, ((0, 26),)),
        lambda: PlacedPiece(4, ((0, 0),)),
        lambda: PlacedPiece(0, tuple((0, at) for at in range(6))),
        lambda: Calibrate(((0.0, 0.0),)),
        lambda: Calibrate(((0.0, 0.0), (1.0, 0.0), (1.0, 1.1), (0.0, 1.0))),
        lambda: Calibrate(((0.0, 0.0), (1.0, 0.0), (1.0, float("nan")), (0.0, 1.0))),
        lambda: PairRequest("Abc-123_", "12345x789012"),
        lambda: PairRequest("Abc-123_", "1234567890123"),
        lambda: PairRequest("Abc-123_", "123456"),
        lambda: PairedPhones(("token",)),
        lambda: PairedPhones((), (("salt", "number"),)),
    ],
)
def test_nothing_beyond_its_bounds_can_be_made(make: Any) -> None:
    with pytest.raises(ContractError):
        make()


@pytest.mark.parametrize("text", ["", "{", "[]", "null", b"\xff", "[" * 100_000])
def test_what_is_not_a_command_is_refused(text: str | bytes) -> None:
    for kind in (CommandRequest, PairRequest, PairedPhones, Reply):
        with pytest.raises(ContractError):
            kind.from_json(text)


def test_tokens_and_numbers_are_not_printed() -> None:
    text = repr(
        [
            command(Undo()),
            PairRequest("Abc-123_", "482913482913"),
            Reply("Abc-123_", token="x" * 43),
        ]
    )
    assert "tttt" not in text
    assert "482913" not in text
    assert "xxxx" not in text


def test_the_words_of_the_contract_are_those_of_the_program() -> None:
    assert [key.value for key in GameKey] == list(VARIANTS)
    assert [key.value for key in EditionKey] == ["auto", *EDITIONS]
