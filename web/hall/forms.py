"""Conversion of a submitted form to a command of the hall."""

from collections.abc import Callable, Iterable
from typing import Any, Final, Protocol

from firmware.hall.tournament.codes import PublicForm, TieBreak
from firmware.hall.tournament.events import (
    MatchForfeited,
    MatchMoved,
    MatchResultConfirmed,
    PlayerRemoved,
    PlayerReturned,
    PlayersSwapped,
    PlayerWithdrew,
    ResultCorrected,
    RoundDiscarded,
    RoundLocked,
    RoundPublished,
    TournamentEvent,
)
from firmware.hall.tournament.matches import MatchOutcome
from firmware.hall.tournament.settings import TournamentSettings
from web.contract import GameKey
from web.contract.person_names import check_names, clean_name
from web.hall.commands import (
    MOST_POINTS,
    AddTable,
    ChangePlayer,
    ClockAction,
    DrawRound,
    EnterPlayers,
    HallCommand,
    HallCommandError,
    IssueNumber,
    NewPlayer,
    RecordEvent,
    RemoveTable,
    SetDelay,
    SetRoundClock,
    SetUpTournament,
)


class HallForm(Protocol):
    """The fields of a submitted form."""

    def get(self, key: str, default: str) -> str:
        """Returns the first value of a field, or the default."""

    def getlist(self, key: str) -> list[str]:
        """Returns all values of a field."""


def hall_command(form: HallForm) -> HallCommand:
    """Returns the command that the field `word` of a form names, `NAME` or `NAME:ARGUMENT`.

    Raises:
        TournamentError: choices for a tournament contradict each other, or scores are no result.
        UnfitNameError: a name does not fit, or two of a list look alike.
        ValueError: there is no such command, or a field does not fit it.
    """
    word, _, argument = form.get("word", "").partition(":")
    if word not in _READERS:
        raise HallCommandError(f"there is no command {word!r:.20}")
    return _READERS[word](form, argument)


def _whole(text: str, least: int = 0, most: int = 999_999) -> int:
    text = text.strip().replace("−", "-")
    digits = text.removeprefix("-").removeprefix("+")
    if not (digits.isascii() and digits.isdecimal() and len(digits) <= 6):
        raise HallCommandError(f"{text!r:.20} is no number")
    if not least <= int(text) <= most:
        raise HallCommandError(f"{text!r:.20} is not from {least} to {most}")
    return int(text)


def _at(form: HallForm) -> tuple[int, int]:
    """Returns the number and the revision of the round that a form is about."""
    return _whole(form.get("round", "")), _whole(form.get("revision", "0"))


def _of_round(kind: Callable[[int], TournamentEvent]) -> Callable[[HallForm, str], HallCommand]:
    """Returns the reader of an event that is about a round alone."""

    def read(form: HallForm, _: str) -> HallCommand:
        number, revision = _at(form)
        return RecordEvent(kind(number), number, revision)

    return read


def _text(form: HallForm, key: str) -> str:
    """Returns a typed text on one line."""
    return clean_name(form.get(key, ""))


def _set_up(form: HallForm, _: str) -> HallCommand:
    chosen = [form.get(f"tie-break-{place}", "") for place in range(len(TieBreak))]
    settings = TournamentSettings(
        name=_text(form, "event"),
        game=GameKey(form.get("game", "")),
        rounds=_whole(form.get("rounds", "")),
        tie_breaks=tuple(dict.fromkeys(TieBreak(one) for one in chosen if one)),
        clock_s=60 * _whole(form.get("minutes", "") or "0"),
        round_s=60 * _whole(form.get("round-minutes", "") or "0"),
    )
    return SetUpTournament(_whole(form.get("set-up-revision", "0")), settings)


def _new_players(form: HallForm, typed: Iterable[str]) -> tuple[NewPlayer, ...]:
    chosen, minor = PublicForm(form.get("form", PublicForm.SHORT)), form.get("minor", "") == "1"
    return tuple(NewPlayer(name, chosen, minor) for name in check_names(typed))


def _enter(form: HallForm, _: str) -> HallCommand:
    names = (" ".join(line.split()) for line in form.get("names", "").splitlines())
    return EnterPlayers(_new_players(form, _listed(names)))


def _listed(lines: Iterable[str]) -> list[str]:
    """Returns the names of a pasted list, without numbers before them and empty lines."""
    return [name for name in (_without_number(line) for line in lines) if name]


def _without_number(line: str) -> str:
    number, _, rest = line.partition(" ")
    is_number = number.rstrip(".)").isdecimal() and number.isascii() and rest
    return rest if is_number else line


def _change(form: HallForm, argument: str) -> HallCommand:
    return ChangePlayer(argument, *_new_players(form, [form.get("name", "")]))


def _withdraw(form: HallForm, argument: str) -> HallCommand:
    return RecordEvent(PlayerWithdrew(argument, _text(form, "reason")))


def _swap(form: HallForm, _: str) -> HallCommand:
    number, revision = _at(form)
    one, other = form.get("one", ""), form.get("other", "")
    if one == other:
        raise HallCommandError("two players are two")
    event = PlayersSwapped(number, one, other)
    return RecordEvent(event, number, revision)


def _move(form: HallForm, argument: str) -> HallCommand:
    return RecordEvent(MatchMoved(argument, _whole(form.get("table", "0"))), *_at(form))


def _confirm(form: HallForm, argument: str) -> HallCommand:
    match, _, key = argument.partition(":")
    return RecordEvent(MatchResultConfirmed(match, key), *_at(form))


def _type(form: HallForm, argument: str) -> HallCommand:
    places = range(len(form.getlist("player")))
    scores = [_whole(form.get(f"score-{at}", ""), -MOST_POINTS, MOST_POINTS) for at in places]
    outcome = MatchOutcome.by_scores(scores)
    return RecordEvent(ResultCorrected(argument, outcome, _text(form, "reason")), *_at(form))


def _forfeit(form: HallForm, argument: str) -> HallCommand:
    absent = tuple(form.getlist("absent"))
    return RecordEvent(MatchForfeited(argument, absent, _text(form, "reason")), *_at(form))


def _clock(_: HallForm, argument: str) -> HallCommand:
    number, action, seconds = (*argument.split(":"), "0")[:3]
    return SetRoundClock(_whole(number), ClockAction(action), _whole(seconds, least=-86_400))


_READERS: Final[dict[str, Callable[[Any, str], HallCommand]]] = {
    "set-up": _set_up,
    "enter": _enter,
    "change": _change,
    "remove-player": lambda _, argument: RecordEvent(PlayerRemoved(argument)),
    "withdraw": _withdraw,
    "reinstate": lambda _, argument: RecordEvent(PlayerReturned(argument)),
    "draw": lambda form, _: DrawRound(*_at(form)),
    "discard": _of_round(RoundDiscarded),
    "publish": _of_round(RoundPublished),
    "lock": _of_round(RoundLocked),
    "swap": _swap,
    "move": _move,
    "confirm": _confirm,
    "type": _type,
    "forfeit": _forfeit,
    "clock": _clock,
    "add-table": lambda *_: AddTable(),
    "remove-table": lambda _, argument: RemoveTable(_whole(argument)),
    "delay": lambda form, _: SetDelay(_whole(form.get("seconds", ""))),
    "number": lambda *_: IssueNumber(),
}
"""Functions from a form and the argument of its `word` to a command, by the name in `word`."""
