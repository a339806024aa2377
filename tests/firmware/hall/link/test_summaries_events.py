"""Events between two pages."""

from dataclasses import replace

from firmware.hall.link.messages import EventType, FaultCode, TableEvent
from firmware.hall.link.summaries import events_between
from tests.support import example_pages
from web.contract import ArbiterCall, ClubTable, Page


def kinds(before: Page | None, now: Page | None) -> list[EventType]:
    return [one.event_type for one in events_between((before, None), (now, None))]


def test_the_first_page_and_the_same_page_are_no_events() -> None:
    for name in example_pages.ALL:
        page = example_pages.ALL[name]()
        assert kinds(None, page) == []
        assert kinds(page, None) == []
        assert kinds(page, page) == []


def test_a_move_names_who_laid_what() -> None:
    page = example_pages.classic_middle()
    earlier = replace(page, moves=page.moves[:-1], pieces=page.pieces[:-1])
    laid = next(move for move in reversed(page.moves) if move.piece)
    colour = page.colours[laid.colour]
    assert events_between((earlier, None), (page, None)) == [
        TableEvent(EventType.MOVE, colour.name, colour.player, laid.piece, laid.ply)
    ]


def test_a_refused_piece_names_its_rules_once() -> None:
    page = example_pages.duo_refused()
    before = replace(
        page,
        state=example_pages.duo_over().state,
        refused=(),
        result=example_pages.duo_over().result,
    )
    (event,) = [
        e for e in events_between((before, None), (page, None)) if e.event_type == "refused"
    ]
    assert event.rules == ("touches-own-side",)
    assert kinds(page, replace(page, revision=99)) == []


def test_the_end_has_the_scores() -> None:
    page = example_pages.duo_over()
    before = replace(page, result=None, state=example_pages.empty().state)
    (event,) = events_between((before, None), (page, None))
    assert event == TableEvent(
        EventType.GAME_OVER, ply=page.ply, scores=tuple(side.score for side in page.sides)
    )


def test_a_new_game_begins_with_its_first_piece() -> None:
    page = example_pages.classic_middle()
    assert kinds(example_pages.empty("classic"), page) == ["game-began", "move"]
    over = replace(example_pages.duo_over(), name="duo-1")
    assert kinds(over, example_pages.empty()) == []


def test_a_call_is_told_once() -> None:
    page = example_pages.empty()
    calls = ClubTable(call=ArbiterCall(0))
    (event,) = events_between((page, ClubTable()), (page, calls))
    assert event.event_type is EventType.ARBITER_CALLED
    assert events_between((page, calls), (page, calls)) == []


def test_only_a_new_fault_is_told() -> None:
    page = example_pages.empty()
    dark = replace(page, lights=False)
    assert events_between((page, None), (dark, None)) == [
        TableEvent(EventType.FAULT, fault=FaultCode.LIGHTS)
    ]
    assert kinds(dark, dark) == kinds(dark, page) == []
