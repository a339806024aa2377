"""Sentences on events: names of people, colours and squares, and events without a sentence."""

import re
from dataclasses import replace

import pytest

from firmware.codes import Rule
from firmware.commands.event_lines import event_line
from firmware.commands.event_sentences import TableNames, event_sentence
from firmware.game.events import (
    EVENTS,
    AnewAsked,
    CameraAway,
    Candidate,
    ColouredSquares,
    ComputerMove,
    ComputerPreparing,
    ComputerReady,
    Disturbed,
    Event,
    GameBegun,
    HandEntered,
    HandLeft,
    Lifted,
    MoveAccepted,
    MoveRefused,
    NoMovesLeft,
    Overruled,
    Passed,
    Pending,
    PositionSet,
    Resigned,
    SeatsAssigned,
    Solved,
    TimedOut,
    Undone,
    Unsure,
    Withdrawn,
)
from firmware.rules.board import Board, Move
from firmware.rules.position import Position
from firmware.rules.variants import EDITIONS, GAMES
from firmware.rules.violations import Violation

DUO = TableNames(Position.start("duo"), EDITIONS["purple-orange"], ("Ada", "Ben"), (0, 7))
W = Move.parse("e10,f10,f9,g9,g8", 14)
G7, G8 = Board.of(14).parse_squares("g7,g8")
SIDE = Violation(Rule.TOUCHES_OWN_SIDE, (G7,), (G8,))


@pytest.mark.parametrize(
    ("event", "sentence"),
    [
        (
            MoveAccepted(1, 65.5, ply=1, colour=0, move=W, confidence=1.0),
            "Ada (purple) lays W at g8,f9,g9,e10,f10",
        ),
        (
            ComputerMove(1, 65.5, 1, W),
            "the computer (strong) lays orange W at g8,f9,g9,e10,f10",
        ),
        (ComputerPreparing(1, 65.5), "the computer's player gets ready"),
        (ComputerReady(1, 65.5), "the computer's player is ready"),
        (SeatsAssigned(1, 65.5, (0, 7)), "the computer plays Ben (orange) (strong)"),
        (SeatsAssigned(1, 65.5, (0, 0)), "people play all seats"),
        (
            SeatsAssigned(1, 65.5, (0, 0), "ended"),
            (
                "the computer cannot play, so somebody else plays for it: "
                "the player's process has ended; ask for a new one"
            ),
        ),
        (
            Undone(1, 65.5, ply=1, colour=1, move=W),
            "Ben (orange) takes W back from g8,f9,g9,e10,f10",
        ),
        (Withdrawn(1, 65.5, colour=1, squares=(G8, G7)), "Ben (orange) takes the piece back"),
        (
            Withdrawn(1, 65.5, colour=1, squares=(G7,), provisional_frame=(90, ("red", "blue"))),
            "blue",
        ),
        (
            Overruled(1, 65.5, ply=1, colour=0, move=W, violations=(SIDE,)),
            "; the arbiter lets it stand",
        ),
        (
            PositionSet(1, 65.5, position=DUO.position),
            "with 0 pieces; it is the turn of Ada (purple)",
        ),
        (
            PositionSet(1, 65.5, position=DUO.position, possible_turns=(0, 1)),
            "Ada (purple) or Ben (orange)",
        ),
        (Passed(1, 65.5, colour=0, after_ply=9), "Ada (purple) has no move left and passes"),
        (NoMovesLeft(1, 65.5, points=(12, -3)), "over: Ada (purple) 12, Ben (orange) -3"),
        (Resigned(1, 65.5, colours=(1,)), "Ben (orange) gave up"),
        (TimedOut(1, 65.5, colours=(0,)), "the time of Ada (purple) has run out"),
        (CameraAway(1, 65.5, reason="plug it in", fault="missing"), "no pictures: plug it in"),
        (GameBegun(1, 65.5, begins=""), "a new game begins: the first piece decides who is first"),
        (Unsure(1, 65.5, candidates=(Candidate(0, W, 0.5),)), "not sure what lies at g8,f9"),
        (Unsure(1, 65.5, candidates=()), "not sure what lies; put it straight"),
        (Disturbed(1, 65.5, expected=(ColouredSquares(0, (G7, G8)),), seen=()), "back to g7,g8"),
        (Disturbed(1, 65.5, expected=(), seen=(ColouredSquares(0, (G7,)),)), "take it away"),
    ],
)
def test_an_event_is_said_with_the_names_of_the_players(event: Event, sentence: str) -> None:
    assert sentence in event_sentence(event, DUO)


@pytest.mark.parametrize("rule", Rule)
def test_every_refusal_names_the_rule_in_words(rule: Rule) -> None:
    refused = MoveRefused(
        1, 65.5, colour=1, squares=(G7,), violations=(Violation(rule, (G7,), (G8,)), SIDE)
    )
    sentence = event_sentence(refused, DUO)
    assert sentence.startswith("Ben (orange) lays a piece at g7: refused; ")
    assert rule.value not in sentence
    assert not re.search(r"[{}]", sentence)
    assert sentence.count("; ") == 2


def test_the_rules_of_puzzles_name_the_field_and_the_sizes() -> None:
    squares = tuple(Board.of(20).parse_squares("i1,j1"))
    sentences = []
    for key, rule in (
        ("puzzle-tetrominoes", Rule.OUTSIDE_FIELD),
        ("puzzle-tetrominoes", Rule.WRONG_SIZE),
        ("puzzle-all-by-size", Rule.WRONG_SIZE),
    ):
        names = TableNames(Position.start(key), EDITIONS["blue-yellow-red-green"], ("Ada",))
        refused = MoveRefused(1, 65.5, 2, squares, (Violation(rule, squares),))
        sentences.append(event_sentence(refused, names).removeprefix("Ada (red) lays a piece at "))
    assert sentences == [
        "i1,j1: refused; it lies outside the field of 8x10 squares at i1,j1",
        "i1,j1: refused; the pieces of this puzzle have 4 squares",
        "i1,j1: refused; larger pieces come first: now those of 5 squares",
    ]


def test_a_puzzle_has_no_turn_and_no_points() -> None:
    names = TableNames(Position.start("puzzle-all"), EDITIONS["blue-yellow-red-green"])
    assert event_sentence(Solved(1, 65.5), names) == "the puzzle is solved"
    standing = PositionSet(1, 65.5, names.position)
    assert event_sentence(standing, names) == "the position on the board counts, with 0 pieces"
    assert event_sentence(GameBegun(1, 65.5, "blue"), names) == "a new puzzle begins"


def test_people_of_several_colours_are_told_apart_by_the_colour() -> None:
    names = TableNames(
        Position.start("classic-2"), EDITIONS["blue-yellow-red-green"], ("Ada", "Ben")
    )
    assert [names.colour(colour) for colour in range(4)] == [
        "Ada (blue)",
        "Ben (yellow)",
        "Ada (red)",
        "Ben (green)",
    ]


def test_a_piece_of_the_shared_colour_is_told_of_who_laid_it() -> None:
    position = Position.start("classic-3")
    names = TableNames(position, EDITIONS["blue-yellow-red-green"], ("Ada", "Ben", "Cleo"))
    for ply in range(1, 9):
        move, colour = next(iter(position.legal_moves)), position.to_move
        assert colour is not None
        position = position.play(move)
        sentence = event_sentence(
            MoveAccepted(1, 65.5, ply=ply, colour=colour, move=move, confidence=1.0),
            replace(names, position=position),
        )
        mover = ("Ada", "Ben", "Cleo", "Ada", "Ada", "Ben", "Cleo", "Ben")[ply - 1]
        assert sentence.startswith(f"{mover} ({names.edition[colour]}) lays ")


@pytest.mark.parametrize("game", GAMES)
def test_without_names_of_people_the_colours_are_said(game: str) -> None:
    position = Position.start(game)
    edition = next(one for one in EDITIONS.values() if len(one) == len(position.game.colours))
    names = TableNames(position, edition)
    assert [names.colour(colour) for colour in position.game.colours] == list(edition)


def test_only_what_people_need_not_know_has_no_sentence() -> None:
    silent = {
        HandEntered(1, 65.5),
        HandLeft(1, 65.5),
        Pending(1, 65.5, moves=()),
        Lifted(1, 65.5, colour=0, squares=(G7,)),
        AnewAsked(1, 65.5, size=14),
    }
    assert {event_line(event, DUO, as_json=False) for event in silent} == {""}
    assert all('"event"' in event_line(event, DUO, as_json=True) for event in silent)
    assert {type(event) for event in silent} < set(EVENTS)


def test_a_line_begins_with_minutes_and_seconds() -> None:
    event = Passed(1, 65.5, colour=0, after_ply=9)
    line = event_line(event, DUO, as_json=False)
    assert line == "   1:05  Ada (purple) has no move left and passes"
