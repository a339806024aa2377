"""From a form to a wish: what a phone sent, as the contract has it, or refused."""

from collections.abc import Callable
from typing import Any, Final, Protocol

from web.contract import (
    Calibrate,
    Check,
    Choose,
    EditionKey,
    End,
    EndTurn,
    GameKey,
    Hint,
    How,
    Inspect,
    NewGame,
    Overrule,
    Pause,
    Refuse,
    Resign,
    Resume,
    Scoring,
    Stand,
    Takeback,
    Timing,
    TurnEnd,
    Undo,
    Wish,
    Word,
)
from web.contract.page import MOST_PEOPLE


class Form(Protocol):
    """The fields of a form that was sent."""

    def get(self, key: str, default: str) -> str:
        """The first value of a field, or the default."""


def wish_of(form: Form) -> Wish:
    """The wish that a form names in its field `word`, `WORD` or `WORD:ARGUMENT`.

    Raises:
        ValueError: there is no such word, or a field does not fit it. Errors of the contract are
            among these.
    """
    word, _, argument = form.get("word", "").partition(":")
    return _READERS[Word(word)](form, argument)


def _whole(text: str) -> int:
    if not (text.isascii() and text.isdecimal() and len(text) <= 6):
        raise ValueError(f"{text!r:.20} is no number")
    return int(text)


def _new_game(form: Form, _: str) -> Wish:
    names = tuple(form.get(f"name-{place}", "").strip() for place in range(MOST_PEOPLE))
    timing = Timing(form.get("timing", Timing.NONE))
    timed = timing is not Timing.NONE
    return NewGame(
        game=GameKey(form.get("game", GameKey.DUO)),
        edition=EditionKey(form.get("edition", EditionKey.AUTO)),
        names=_names(names, GameKey(form.get("game", GameKey.DUO))),
        first=form.get("first", ""),
        scoring=Scoring(form.get("scoring", Scoring.ADVANCED)),
        takeback=Takeback(form.get("takeback", Takeback.UNTIL_NEXT_MOVE)),
        turn_end=TurnEnd(form.get("turn_end", TurnEnd.ITSELF)),
        timing=timing,
        clock_s=60 * _whole(form.get("minutes", "10")) if timed else 0,
        step_s=_whole(form.get("step_s", "0")) if timed else 0,
        hints=_whole(form.get("hints", "0")),
    )


PEOPLE: Final = {
    GameKey.DUO: 2,
    GameKey.CLASSIC: 4,
    GameKey.CLASSIC_2: 2,
    GameKey.CLASSIC_3: 3,
    GameKey.CLASSIC_TEAMS: 4,
    GameKey.DUO_4: 2,
    GameKey.DUO_4_3: 3,
}
"""How many people each game is for, and so how many names go with it."""


def _names(names: tuple[str, ...], game: GameKey) -> tuple[str, ...]:
    here = names[: PEOPLE[game]]
    return here if any(here) else ()


def _calibrate(form: Form, argument: str) -> Wish:
    text = "" if argument == "alone" else form.get("corners", "")
    numbers = [float(part) for part in text.split(",")] if text else []
    return Calibrate(tuple(zip(numbers[::2], numbers[1::2], strict=True)))


_READERS: Final[dict[Word, Callable[[Any, str], Wish]]] = {
    Word.NEW_GAME: _new_game,
    Word.CHOOSE: lambda _, argument: Choose(_whole(argument)),
    Word.REFUSE: lambda *_: Refuse(),
    Word.UNDO: lambda *_: Undo(),
    Word.STAND: lambda _, argument: Stand(_whole(argument)),
    Word.OVERRULE: lambda *_: Overrule(),
    Word.PAUSE: lambda *_: Pause(),
    Word.RESUME: lambda *_: Resume(),
    Word.RESIGN: lambda _, argument: Resign(_whole(argument)),
    Word.END: lambda _, argument: End(How(argument)),
    Word.END_TURN: lambda *_: EndTurn(),
    Word.CALIBRATE: _calibrate,
    Word.INSPECT: lambda *_: Inspect(),
    Word.HINT: lambda *_: Hint(),
    Word.CHECK: lambda *_: Check(),
}
