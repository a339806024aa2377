"""The JSON form of a tournament's events: a row of the hall's journal."""

from typing import Any, Final

from firmware.codec import Codec, ContractError
from firmware.hall.tournament.errors import TournamentError
from firmware.hall.tournament.events import EVENTS, TournamentEvent

_KINDS: Final = {kind.name: kind for kind in EVENTS}
"""Classes of events by the name in JSON."""

_CODEC: Final = Codec(has_gaps=True)
"""A later release may add fields, with defaults."""


def to_json(event: TournamentEvent) -> dict[str, Any]:
    """The JSON form of an event, `event` names its kind."""
    return {"event": event.name, **_CODEC.plain(event)}


def from_json(line: object) -> TournamentEvent:
    """Reads the form that `to_json` writes; a missing field has its default.

    Raises:
        TournamentError: it is no event of a tournament.
    """
    try:
        event: TournamentEvent = _CODEC.read_named(_KINDS, "event", line, "event")
    except (ContractError, TournamentError) as error:
        raise TournamentError(f"an event of the tournament cannot be read: {error}") from error
    return event
