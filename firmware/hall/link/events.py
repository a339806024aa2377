"""Events for home automation: the changes between two pages of a table."""

from firmware.hall.link.messages import EventType, FaultCode, TableEvent
from firmware.hall.link.summaries import faults_of
from web.contract import ClubTable, Page, RefereeState


def events_between(
    before: tuple[Page | None, ClubTable | None], now: tuple[Page | None, ClubTable | None]
) -> list[TableEvent]:
    """Returns the events between two states of a table; none for the first page.

    Args:
        before: page and people of the state before.
        now: page and people of the present state.
    """
    (old, old_club), (page, club) = before, now
    if page is None or old is None:
        return []
    events = []
    is_new = page.begun and (not old.begun or (old.name, old.title) != (page.name, page.title))
    if is_new:
        events.append(TableEvent(EventType.GAME_BEGAN))
    if page.ply > (0 if is_new else old.ply):
        events.append(_move(page))
    refused = page.state.code is RefereeState.REFUSED
    if refused and (old.state.code is not RefereeState.REFUSED or old.refused != page.refused):
        events.append(_refusal(page))
    if page.finished and not old.finished:
        scores = tuple(side.score for side in page.sides)
        events.append(TableEvent(EventType.GAME_OVER, ply=page.ply, scores=scores))
    if club is not None and club.call and not (old_club and old_club.call):
        events.append(TableEvent(EventType.ARBITER_CALLED, ply=page.ply))
    events += [_fault(fault) for fault in faults_of(page) if fault not in faults_of(old)]
    return events


def _move(page: Page) -> TableEvent:
    move = next(one for one in reversed(page.moves) if one.piece)
    colour = page.colours[move.colour]
    return TableEvent(EventType.MOVE, colour.name, colour.player, move.piece, move.ply)


def _refusal(page: Page) -> TableEvent:
    piece = page.refused[0]
    colour = page.colours[piece.colour]
    rules = tuple(str(reason.rule) for reason in piece.reasons)
    return TableEvent(EventType.REFUSED, colour.name, colour.player, ply=page.ply, rules=rules)


def _fault(fault: FaultCode) -> TableEvent:
    return TableEvent(EventType.FAULT, fault=fault)
