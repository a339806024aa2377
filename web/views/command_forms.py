"""Conversion of a submitted form to a command of the contract."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Final, Protocol

from web.contract import (
    MOST_HINTS,
    AssignSeat,
    Calibrate,
    CheckLights,
    Choose,
    Command,
    CommandName,
    EditionKey,
    EndGame,
    EndReason,
    Forget,
    GameKey,
    HintAmount,
    MeasureLens,
    NewGame,
    Page,
    ProbeLights,
    Resign,
    Scoring,
    SetPosition,
    Takeback,
    Timing,
    TurnEnd,
    command_from_json,
)
from web.contract.person_names import check_names
from web.presentation.position_text import parse_pieces


class SubmittedForm(Protocol):
    """The fields of a submitted form."""

    def get(self, key: str, default: str) -> str:
        """Returns the first value of a field, or the default."""


def command_from_form(form: SubmittedForm, page: Page | None) -> Command:
    """Returns the command that the field `word` of a form names, `NAME` or `NAME:ARGUMENT`.

    Args:
        form: the submitted form.
        page: the newest page, for the names of colours and squares; None before the first.

    Raises:
        UnfitNameError: a name does not fit, or two look alike.
        ValueError: there is no such command, or a field does not fit it; this includes errors of
            the contract.
    """
    word, _, argument = form.get("word", "").partition(":")
    if word == CommandName.SET_POSITION and argument == BY_HAND:
        pieces = parse_pieces(form.get("pieces", ""), page)
        return SetPosition(_whole(form.get("turn", "")), pieces)
    name = CommandName(word)
    if name in _READERS:
        return _READERS[name](form, argument)
    return command_from_json({"word": name})


def _whole(text: str) -> int:
    if not (text.isascii() and text.isdecimal() and len(text) <= 6):
        raise ValueError(f"{text!r:.20} is no number")
    return int(text)


def new_game(form: SubmittedForm, mode: str) -> NewGame:
    """Returns the command of the form that begins a game, in one of the ways to play.

    A puzzle has no clock, and hints whenever one is asked for.

    Raises:
        UnfitNameError: a name does not fit, or two look alike.
        ValueError: a field has another value than those offered.
    """
    game = GameKey(form.get("puzzle" if mode == ALONE else "game", GameKey.DUO))
    named = {COMPUTER: 1, WATCH: 0}.get(mode, PEOPLE[game])
    names = check_names(form.get(f"name-{place}", "") for place in range(named))
    agreed = NewGame(
        game=game,
        edition=EditionKey(form.get("edition", EditionKey.AUTO)),
        names=(*names, *("",) * (PEOPLE[game] - named)) if any(names) else (),
        seats=_seats(form, game),
        takeback=Takeback(form.get("takeback", Takeback.UNTIL_NEXT_MOVE)),
        hints=MOST_HINTS,
    )
    if game in PUZZLES:
        is_usual = agreed.takeback is Takeback.UNTIL_NEXT_MOVE
        return replace(agreed, takeback=Takeback.ANY) if is_usual else agreed
    shared = form.get("shared", "")
    timing = Timing(form.get("timing", Timing.NONE))
    timed = timing is not Timing.NONE
    return replace(
        agreed,
        first=form.get("first", "") if game is GameKey.DUO else "",
        shared=_whole(shared) if shared and game in SHARING else None,
        scoring=Scoring(form.get("scoring", Scoring.ADVANCED)),
        turn_end=TurnEnd(form.get("turn_end", TurnEnd.ITSELF)),
        timing=timing,
        clock_s=60 * _whole(form.get("minutes", "")) if timed else 0,
        step_s=_whole(form.get("step_s", "0")) if timed else 0,
        hints=_whole(form.get("hints", "0")),
        hint_amount=_amounts(form, game),
        computer=_computer(form, game, mode),
    )


def _amounts(form: SubmittedForm, game: GameKey) -> tuple[HintAmount, ...]:
    """Returns the amount of hints of each person; none if everybody may be shown everything."""
    fields = (form.get(f"amount-{i}", "") for i in range(PEOPLE[game]))
    amounts = tuple(HintAmount(text or HintAmount.EVERYTHING) for text in fields)
    return amounts if set(amounts) != {HintAmount.EVERYTHING} else ()


BOARD: Final = "board"
"""Way to play: on a real board, whose camera is a phone."""

ALONE: Final = "puzzle"
"""Way to play in which one person has a puzzle."""

COMPUTER: Final = "computer"
"""Way to play in which the computer has all seats but the first."""

WATCH: Final = "watch"
"""Way to play in which the computer has all seats, and nobody is named."""

PUZZLES: Final = (
    GameKey.PUZZLE_TETROMINOES,
    GameKey.PUZZLE_TETROMINOES_APART,
    GameKey.PUZZLE_PENTOMINOES,
    GameKey.PUZZLE_PENTOMINOES_APART,
    GameKey.PUZZLE_ALL,
    GameKey.PUZZLE_ALL_BY_SIZE,
)
"""The puzzles, with few pieces first; one person lays all colours."""

GAMES: Final = tuple(game for game in GameKey if game not in PUZZLES)
"""The games, for two people or more."""

PEOPLE: Final = {
    **dict.fromkeys(PUZZLES, 1),
    GameKey.DUO: 2,
    GameKey.CLASSIC: 4,
    GameKey.CLASSIC_2: 2,
    GameKey.CLASSIC_3: 3,
    GameKey.CLASSIC_TEAMS: 4,
    GameKey.DUO_4: 2,
    GameKey.DUO_4_3: 3,
}
"""Number of people, and so of names, in each game."""


SHARING: Final = (GameKey.CLASSIC_3, GameKey.DUO_4_3)
"""Games in which three people share a colour."""

USUAL_LEVEL: Final = "3"
"""Level of the computer that is offered first: it plays sensibly, and children win."""

FIRSTS: Final = ("purple", "orange", "black", "white", "blue", "green", "red", "yellow")
"""Colours that may begin a game of two colours; with four the order is fixed."""

BY_HAND: Final = "by-hand"
"""Argument of `SET_POSITION` for a position set piece by piece."""

STOP: Final = "stop"
"""Argument of `MEASURE_LENS`, `PROBE_LIGHTS` and `CHECK_LIGHTS` to stop."""

START: Final[Mapping[str, object]] = {
    "games": GAMES,
    "puzzles": PUZZLES,
    "people": PEOPLE,
    "editions": tuple(EditionKey),
    "timings": tuple(Timing),
    "firsts": FIRSTS,
    "usual_level": USUAL_LEVEL,
}
"""Values of the form that begins a game, `start.html`, by name."""

_ANSWERS: Final = {"yes": True, "no": False}
"""Answers by the argument of `CHECK_LIGHTS`; any other begins."""

_AROUND: Final = (3, 1, 2, 0)
"""Edges of the board in the order in which they are assigned: left, right, top, bottom."""


def _seats(form: SubmittedForm, game: GameKey) -> tuple[int, ...]:
    """Returns the edge of each person: the chosen or a free one; empty if nobody chose."""
    seats = [form.get(f"seat-{place}", "") for place in range(PEOPLE[game])]
    taken = [_whole(seat) for seat in seats if seat]
    free = [edge for edge in _AROUND if edge not in taken]
    return tuple(_whole(seat) if seat else free.pop(0) for seat in seats) if taken else ()


def _computer(form: SubmittedForm, game: GameKey, mode: str) -> tuple[int, ...]:
    """Returns the level of the computer for each person; empty if nobody is the computer's."""
    typed = [form.get(f"level-{place}", "") or "0" for place in range(PEOPLE[game])]
    if mode == COMPUTER:
        typed = ["0", *[form.get("level", USUAL_LEVEL)] * (PEOPLE[game] - 1)]
    levels = tuple(map(_whole, typed))
    return levels if any(levels) else ()


def _assign(_form: SubmittedForm, argument: str) -> Command:
    """Reads `PERSON` for a human being, or `PERSON-LEVEL` for the computer."""
    person, _, level = argument.partition("-")
    return AssignSeat(_whole(person), _whole(level) if level else 0)


def _calibrate(form: SubmittedForm, argument: str) -> Command:
    text = "" if argument == "alone" else form.get("corners", "")
    numbers = [float(part) for part in text.split(",")] if text else []
    return Calibrate(tuple(zip(numbers[::2], numbers[1::2], strict=True)))


_READERS: Final[Mapping[str, Callable[[SubmittedForm, str], Command]]] = {
    CommandName.NEW_GAME: lambda form, _: new_game(form, form.get("mode", "")),
    CommandName.CHOOSE: lambda _, argument: Choose(_whole(argument)),
    CommandName.SET_POSITION: lambda _, argument: SetPosition(_whole(argument)),
    CommandName.RESIGN: lambda _, argument: Resign(_whole(argument)),
    CommandName.END: lambda _, argument: EndGame(EndReason(argument)),
    CommandName.ASSIGN_SEAT: _assign,
    CommandName.CALIBRATE: _calibrate,
    CommandName.FORGET: lambda form, _: Forget(form.get("person", "")),
    CommandName.MEASURE_LENS: lambda _, argument: MeasureLens(argument == STOP),
    CommandName.PROBE_LIGHTS: lambda _, argument: ProbeLights(argument == STOP),
    CommandName.CHECK_LIGHTS: lambda _, argument: CheckLights(
        _ANSWERS.get(argument), argument == STOP
    ),
}
"""Functions from a form and the argument of its `word` to a command, by the name in `word`; all
others have no fields."""
