import json
from dataclasses import replace
from typing import Any

import pytest

from firmware.codes import Rule
from tests.support import example_pages
from web.contract import (
    VERSION,
    BoardPiece,
    ContractError,
    FrameDecoder,
    GameResult,
    Heartbeat,
    LivePicture,
    Message,
    Page,
    RefereeState,
    RefereeStatus,
    RefusedPiece,
    ViolationEntry,
    encode,
)

JPEG = LivePicture(b"\xff\xd8\xff\xe0 not really, but begins as one")


@pytest.mark.parametrize("name", example_pages.ALL)
def test_a_page_survives_the_way_through_json(name: str) -> None:
    page = example_pages.ALL[name]()
    assert Page.from_json(page.to_json()) == page


def test_json_says_color_and_finished() -> None:
    table = json.loads(example_pages.duo_over().to_json())
    assert table["version"] == VERSION
    assert table["finished"] is True
    assert table["moves"][0]["color"] == 0
    assert "colour" not in json.dumps(table)


def test_json_names_the_squares_of_a_displaced_piece() -> None:
    page = example_pages.duo_astray()
    state = json.loads(page.to_json())["state"]
    assert state["lies"] == [list(square) for square in page.state.current_squares] != []
    assert state["belongs"] == [list(square) for square in page.state.target_squares] != []


@pytest.mark.parametrize(
    ("path", "value", "says"),
    [
        (("version",), VERSION + 1, "version"),
        (("size",), "14", "page.size is of kind int"),
        (("size",), True, "page.size is of kind int"),
        (("size",), 99, "size is from 5 to 26"),
        (("revision",), -1, "revision"),
        (("state", "code"), "asleep", "page.state.code is one of"),
        (("state", "code"), ["waiting"], "page.state.code is one of"),
        (("turn",), 7, "no color 7"),
        (("pieces", 0, "color"), -1, "no color -1"),
        (("pieces", 0, "squares"), [], "a piece on the board has squares"),
        (("refused", 0, "reasons", 0, "squares"), [[14, 0]], "not on the board"),
        (("colors", 0, "level"), 13, "a level is from 0 to 12"),
        (("pieces", 0, "squares", 0), [0, 14], "not on the board"),
        (("pieces", 0, "squares", 0), [0], "has 2 numbers"),
        (("pieces", 0, "squares", 0), "a1", "is a list"),
        (("colors", 0, "ink"), "red;}", "#rrggbb"),
        (("colors", 0, "letter"), "O", "different letters"),
        (("colors", 0, "player"), "x" * 201, "200 characters"),
        (("colors",), [], "at least one colour"),
        (("result",), {"winner": [0], "tied": [1], "how": "score"}, "a winner or a tie"),
        (("finished",), True, "finished"),
        (("surprise",), 1, "page has the keys"),
        (("machine", "hot"), True, "a hot computer has a temperature"),
        (("machine", "celsius"), 82, "a hot computer has a temperature"),
        (("machine", "undervoltage"), "no", "page.machine.undervoltage is of kind bool"),
        (("state",), {"code": "waiting"}, "page.state has the keys"),
    ],
)
def test_a_message_of_another_form_is_refused(path: tuple[Any, ...], value: Any, says: str) -> None:
    table = json.loads(example_pages.duo_refused().to_json())
    place = table
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = value
    with pytest.raises(ContractError, match=says) as caught:
        Page.from_json(json.dumps(table))
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("text", ["", "{", "[]", "3", '"page"', "null", "[" * 100_000, b"\xff"])
def test_what_is_not_a_table_is_refused(text: str | bytes) -> None:
    with pytest.raises(ContractError):
        Page.from_json(text)


@pytest.mark.parametrize(
    "state",
    [
        RefereeStatus(RefereeState.WAITING),
        RefereeStatus(RefereeState.REFUSED, colour=0),
        RefereeStatus(RefereeState.GAME_OVER),
    ],
)
def test_a_state_that_lacks_what_its_sentence_needs_is_refused(state: RefereeStatus) -> None:
    with pytest.raises(ContractError):
        replace(example_pages.empty(), state=state).check()


def test_parts_that_contradict_each_other_are_refused() -> None:
    page = example_pages.empty()
    with pytest.raises(ContractError, match="not on the board"):
        replace(page, pieces=(BoardPiece(0, ((-1, 0),)),)).check()
    with pytest.raises(ContractError, match="winner or a tie"):
        replace(page, result=GameResult()).check()
    overlap = (ViolationEntry(Rule.OVERLAP, ((0, 0),)),)
    for refused, rule in (
        (RefusedPiece(2, ((0, 0),), overlap), "no color 2"),
        (RefusedPiece(0, ((0, 14),), overlap), "not on the board"),
        (RefusedPiece(0, (), overlap), "has squares"),
        (RefusedPiece(0, ((0, 0),), ()), "has reasons"),
    ):
        with pytest.raises(ContractError, match=rule):
            replace(page, refused=(refused,)).check()
    with pytest.raises(ContractError, match="JPEG"):
        LivePicture(b"GIF89a")


def test_squares_have_their_names() -> None:
    page = example_pages.empty()
    assert [page.square_name(square) for square in page.starts] == ["e10", "j5"]
    assert page.square_name((0, 0)) == "a14"


def test_messages_survive_the_wire_in_any_pieces() -> None:
    messages: list[Message] = [
        example_pages.duo_refused(),
        JPEG,
        Heartbeat(),
        example_pages.empty(),
    ]
    wire = b"".join(map(encode, messages))
    for step in (1, 7, 1000, len(wire)):
        decoder = FrameDecoder()
        heard = [
            message
            for start in range(0, len(wire), step)
            for message in decoder.feed(wire[start : start + step])
        ]
        assert heard == messages


def frame(header: Any, body: bytes = b"") -> bytes:
    text = json.dumps(header).encode()
    return len(text).to_bytes(4, "big") + text + body


@pytest.mark.parametrize(
    "wire",
    [
        b"GET / HTTP/1.1\r\n\r\n",
        frame({"version": VERSION + 1, "topic": "alive", "length": 0}),
        frame({"version": VERSION, "topic": "alive", "length": -1}),
        frame({"version": VERSION, "topic": "alive", "length": 1 << 40}),
        frame({"version": VERSION, "topic": "alive", "length": "0"}),
        frame({"version": VERSION, "topic": "secrets", "length": 0}),
        frame({"version": VERSION, "topic": "page", "length": 2}, b"{}"),
        frame({"version": VERSION, "topic": "picture", "length": 2}, b"{}"),
        frame([]),
        b"\0\0\0\2{{",
    ],
)
def test_a_wire_of_another_form_is_refused(wire: bytes) -> None:
    with pytest.raises(ContractError):
        list(FrameDecoder().feed(wire))
