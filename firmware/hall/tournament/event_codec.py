"""The JSON form of a tournament's events: a row of the hall's journal."""

from collections.abc import Mapping
from dataclasses import MISSING, fields
from typing import Any, Final

from firmware.hall.tournament.errors import TournamentError
from firmware.hall.tournament.events import EVENTS, TournamentEvent
from web.contract import ContractError
from web.contract.schema import plain, read_named

_KINDS: Final = {kind.name: kind for kind in EVENTS}
"""Classes of events by the name in JSON."""


def to_json(event: TournamentEvent) -> dict[str, Any]:
    """The JSON form of an event, `event` names its kind."""
    return {"event": event.name, **plain(event)}


def from_json(line: object) -> TournamentEvent:
    """Reads the form that `to_json` writes; a missing field has its default.

    Raises:
        TournamentError: it is no event of a tournament.
    """
    if not isinstance(line, Mapping):
        raise TournamentError("an event of a tournament is a table of keys and values")
    kind = _KINDS.get(line["event"]) if isinstance(line.get("event"), str) else None
    try:
        event: TournamentEvent = read_named(_KINDS, "event", _defaults(kind) | dict(line), "event")
    except (ContractError, TournamentError) as error:
        raise TournamentError(f"an event of the tournament cannot be read: {error}") from error
    return event


def _defaults(kind: type[TournamentEvent] | None) -> dict[str, Any]:
    """The fields that may be missing, as JSON has them."""
    if kind is None:
        return {}
    return {item.name: plain(item.default) for item in fields(kind) if item.default is not MISSING}
