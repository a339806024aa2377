"""From a form to a wish: what a phone sent, as the contract has it, or refused."""

from collections.abc import Callable
from typing import Any, Final, Protocol

from web.contract import (
    Calibrate,
    Choose,
    Command,
    CommandName,
    EditionKey,
    EndGame,
    EndReasonCode,
    EndTurn,
    GameKey,
    Hint,
    Inspect,
    NewGame,
    Overrule,
    Page,
    Pause,
    Refuse,
    Resign,
    Resume,
    ScoringCode,
    SetPosition,
    TakebackCode,
    TimingCode,
    TurnEndCode,
    Undo,
    Unpair,
)
from web.presentation.position_text import parse_pieces


class SubmittedForm(Protocol):
    """The fields of a form that was sent."""

    def get(self, key: str, default: str) -> str:
        """The first value of a field, or the default."""


def command_from_form(form: SubmittedForm, page: Page | None) -> Command:
    """The wish that a form names in its field `word`, `WORD` or `WORD:ARGUMENT`.

    Args:
        form: as it was sent.
        page: the newest, for the names of colours and squares; None before there is one.

    Raises:
        ValueError: there is no such word, or a field does not fit it. Errors of the contract are
            among these.
    """
    word, _, argument = form.get("word", "").partition(":")
    if word == CommandName.STAND and argument == BY_HAND:
        laid = parse_pieces(form.get("pieces", ""), page)
        return SetPosition(_whole(form.get("turn", "")), laid)
    return _READERS[CommandName(word)](form, argument)


def _whole(text: str) -> int:
    if not (text.isascii() and text.isdecimal() and len(text) <= 6):
        raise ValueError(f"{text!r:.20} is no number")
    return int(text)


def _new_game(form: SubmittedForm, _: str) -> Command:
    game = GameKey(form.get("game", GameKey.DUO))
    shared = form.get("shared", "")
    timing = TimingCode(form.get("timing", TimingCode.NONE))
    timed = timing is not TimingCode.NONE
    return NewGame(
        game=game,
        edition=EditionKey(form.get("edition", EditionKey.AUTO)),
        names=_names(form, game),
        seats=_seats(form, game),
        first=form.get("first", ""),
        shared=_whole(shared) if shared and game in SHARING else None,
        scoring=ScoringCode(form.get("scoring", ScoringCode.ADVANCED)),
        takeback=TakebackCode(form.get("takeback", TakebackCode.UNTIL_NEXT_MOVE)),
        turn_end=TurnEndCode(form.get("turn_end", TurnEndCode.ITSELF)),
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


SHARING: Final = (GameKey.CLASSIC_3, GameKey.DUO_4_3)
"""Games in which three people share a colour."""

FIRSTS: Final = ("purple", "orange", "black", "white", "blue", "green", "red", "yellow")
"""Colours that may begin a game of two colours; of four the order is fixed."""

BY_HAND: Final = "by-hand"
"""Argument of the word for a position that somebody sets piece by piece."""


def _names(form: SubmittedForm, game: GameKey) -> tuple[str, ...]:
    here = tuple(form.get(f"name-{place}", "").strip() for place in range(PEOPLE[game]))
    return here if any(here) else ()


def _seats(form: SubmittedForm, game: GameKey) -> tuple[int, ...]:
    """Where each sits; who did not say takes an edge that is free, and none if nobody said."""
    said = [form.get(f"seat-{place}", "") for place in range(PEOPLE[game])]
    taken = [_whole(seat) for seat in said if seat]
    free = [edge for edge in _AROUND if edge not in taken]
    return tuple(_whole(seat) if seat else free.pop(0) for seat in said) if taken else ()


_AROUND: Final = (3, 1, 2, 0)
"""Edges of the board in the order in which they are taken: left, right, top, bottom."""


def _calibrate(form: SubmittedForm, argument: str) -> Command:
    text = "" if argument == "alone" else form.get("corners", "")
    numbers = [float(part) for part in text.split(",")] if text else []
    return Calibrate(tuple(zip(numbers[::2], numbers[1::2], strict=True)))


_READERS: Final[dict[CommandName, Callable[[Any, str], Command]]] = {
    CommandName.NEW_GAME: _new_game,
    CommandName.CHOOSE: lambda _, argument: Choose(_whole(argument)),
    CommandName.REFUSE: lambda *_: Refuse(),
    CommandName.UNDO: lambda *_: Undo(),
    CommandName.STAND: lambda _, argument: SetPosition(_whole(argument)),
    CommandName.OVERRULE: lambda *_: Overrule(),
    CommandName.PAUSE: lambda *_: Pause(),
    CommandName.RESUME: lambda *_: Resume(),
    CommandName.RESIGN: lambda _, argument: Resign(_whole(argument)),
    CommandName.END: lambda _, argument: EndGame(EndReasonCode(argument)),
    CommandName.END_TURN: lambda *_: EndTurn(),
    CommandName.CALIBRATE: _calibrate,
    CommandName.INSPECT: lambda *_: Inspect(),
    CommandName.HINT: lambda *_: Hint(),
    CommandName.UNPAIR: lambda *_: Unpair(),
}
