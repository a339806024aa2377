"""Conversion of a submitted form to a command of the contract."""

from collections.abc import Callable, Mapping
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


def _new_game(form: SubmittedForm, _: str) -> Command:
    game = GameKey(form.get("game", GameKey.DUO))
    shared = form.get("shared", "")
    timing = Timing(form.get("timing", Timing.NONE))
    timed = timing is not Timing.NONE
    if game in PUZZLES:
        return new_puzzle(game, form)
    return NewGame(
        game=game,
        edition=EditionKey(form.get("edition", EditionKey.AUTO)),
        names=_names(form, game),
        seats=_seats(form, game),
        first=form.get("first", ""),
        shared=_whole(shared) if shared and game in SHARING else None,
        scoring=Scoring(form.get("scoring", Scoring.ADVANCED)),
        takeback=Takeback(form.get("takeback", Takeback.UNTIL_NEXT_MOVE)),
        turn_end=TurnEnd(form.get("turn_end", TurnEnd.ITSELF)),
        timing=timing,
        clock_s=60 * _whole(form.get("minutes", "10")) if timed else 0,
        step_s=_whole(form.get("step_s", "0")) if timed else 0,
        hints=_whole(form.get("hints", "0")),
        hint_amount=_amounts(form, game),
        computer=_computer(form, game),
    )


def _amounts(form: SubmittedForm, game: GameKey) -> tuple[HintAmount, ...]:
    """Returns the amount of hints of each person; none if everybody may be shown everything."""
    fields = (form.get(f"amount-{i}", "") for i in range(PEOPLE[game]))
    amounts = tuple(HintAmount(text or HintAmount.EVERYTHING) for text in fields)
    return amounts if set(amounts) != {HintAmount.EVERYTHING} else ()


def new_puzzle(game: GameKey, form: SubmittedForm, *, name: str = "") -> NewGame:
    """Returns the command that begins a puzzle; it has no clock, and hints whenever one is asked.

    Args:
        game: the puzzle.
        form: the submitted form.
        name: name of the person if the form has none.

    Raises:
        ValueError: it is no puzzle, or a field does not fit.
    """
    if game not in PUZZLES:
        raise ValueError(f"{game} is no puzzle")
    return NewGame(
        game=game,
        edition=EditionKey(form.get("edition", EditionKey.AUTO)),
        names=_names(form, game) or ((name,) if name else ()),
        seats=_seats(form, game),
        takeback=Takeback(form.get("takeback-puzzle", Takeback.ANY)),
        hints=MOST_HINTS,
    )


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

FIRSTS: Final = ("purple", "orange", "black", "white", "blue", "green", "red", "yellow")
"""Colours that may begin a game of two colours; with four the order is fixed."""

USUAL: Final[Mapping[str, str]] = {
    "timing": "none",
    "minutes": "15",
    "step_s": "10",
    "scoring": "advanced",
    "takeback": "until-next-move",
    "hints": "0",
}
"""The options that a new form shows."""

PRESETS: Final[Mapping[str, Mapping[str, str]]] = {
    "family": {**USUAL, "scoring": "basic"},
    "club": {**USUAL, "timing": "increment", "takeback": "arbiter"},
    "beginners": {**USUAL, "scoring": "basic", "hints": "5"},
}
"""The usual choices by name; what they leave out stays as it is."""

BY_HAND: Final = "by-hand"
"""Argument of `SET_POSITION` for a position set piece by piece."""

STOP: Final = "stop"
"""Argument of `MEASURE_LENS`, `PROBE_LIGHTS` and `CHECK_LIGHTS` to stop."""

_ANSWERS: Final = {"yes": True, "no": False}
"""Answers by the argument of `CHECK_LIGHTS`; any other begins."""

_AROUND: Final = (3, 1, 2, 0)
"""Edges of the board in the order in which they are assigned: left, right, top, bottom."""


def _names(form: SubmittedForm, game: GameKey) -> tuple[str, ...]:
    names = check_names(form.get(f"name-{place}", "") for place in range(PEOPLE[game]))
    return names if any(names) else ()


def _seats(form: SubmittedForm, game: GameKey) -> tuple[int, ...]:
    """Returns the edge of each person: the chosen or a free one; empty if nobody chose."""
    seats = [form.get(f"seat-{place}", "") for place in range(PEOPLE[game])]
    taken = [_whole(seat) for seat in seats if seat]
    free = [edge for edge in _AROUND if edge not in taken]
    return tuple(_whole(seat) if seat else free.pop(0) for seat in seats) if taken else ()


def _computer(form: SubmittedForm, game: GameKey) -> tuple[int, ...]:
    """Returns the level of the computer for each person; empty if nobody is the computer's."""
    levels = tuple(_whole(form.get(f"level-{place}", "") or "0") for place in range(PEOPLE[game]))
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
    CommandName.NEW_GAME: _new_game,
    CommandName.CHOOSE: lambda _, argument: Choose(_whole(argument)),
    CommandName.SET_POSITION: lambda _, argument: SetPosition(_whole(argument)),
    CommandName.RESIGN: lambda _, argument: Resign(_whole(argument)),
    CommandName.END: lambda _, argument: EndGame(EndReason(argument)),
    CommandName.ASSIGN_SEAT: _assign,
    CommandName.CALIBRATE: _calibrate,
    CommandName.MEASURE_LENS: lambda _, argument: MeasureLens(argument == STOP),
    CommandName.PROBE_LIGHTS: lambda _, argument: ProbeLights(argument == STOP),
    CommandName.CHECK_LIGHTS: lambda _, argument: CheckLights(
        _ANSWERS.get(argument), argument == STOP
    ),
}
"""Functions from a form and the argument of its `word` to a command, by the name in `word`; all
others have no fields."""
