"""`Share` between a real feed socket and a real broker."""

import json
import signal
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

import pytest

from firmware.codes import EndReason
from firmware.hall.link.messages import (
    ClubMessage,
    FaultCode,
    HallStatus,
    Status,
    Summary,
    TablePage,
    TableResults,
    decode,
    encode,
)
from firmware.hall.link.topics import TableTopic
from tests.support import example_pages
from tests.support.hall_bench import HallBench
from tests.support.mqtt_clients import NotingClient
from tests.support.shared_table import TOKEN, SharedTableBench, numbered
from tests.support.waiting import eventually
from tests.support.wall_clock import WALL_CLOCK
from web.contract import (
    AnswerKind,
    ArbiterPage,
    ClubTable,
    GameKey,
    MatchPlayer,
    MatchResult,
    OfferedMatch,
    OfferMatch,
    PlayedMatch,
    PlayerClock,
    RoundClock,
    SideAnswer,
)

Kind = TypeVar("Kind", bound=ClubMessage)

ANNA, BEN = MatchPlayer("p01", "Anna K."), MatchPlayer("p02", "Ben")
MATCH = PlayedMatch("2-07", 2, ("p01", "p02"))


@pytest.fixture
def hall(tmp_path: Path) -> Iterator[HallBench]:
    with HallBench(tmp_path / "hall") as bench:
        yield bench


@pytest.fixture
def organiser(hall: HallBench) -> NotingClient:
    return hall.join("hall", hall.topics.all_of_tables)


@pytest.fixture
def table(hall: HallBench, tmp_path: Path) -> Iterator[SharedTableBench]:
    with SharedTableBench(hall, tmp_path / "table") as bench:
        yield bench


def newest(organiser: NotingClient, hall: HallBench, topic: TableTopic, kind: type[Kind]) -> Kind:
    return decode(kind, organiser.wait_for(hall.topics.table("07", topic))[-1])


def test_the_organiser_sees_the_table(
    hall: HallBench, organiser: NotingClient, table: SharedTableBench
) -> None:
    page = replace(example_pages.duo_refused(), private=ArbiterPage())
    table.show(page)
    eventually(
        lambda: newest(organiser, hall, TableTopic.SUMMARY, Summary).revision == page.revision
    )
    status = newest(organiser, hall, TableTopic.STATUS, Status)
    assert status == Status(online=True, url="http://t7:8000")
    assert newest(organiser, hall, TableTopic.PAGE, TablePage).page == page.public
    assert newest(organiser, hall, TableTopic.SUMMARY, Summary).game == "duo"


def test_pages_and_summaries_are_sent_at_their_rates_and_the_last_one_arrives(
    hall: HallBench, organiser: NotingClient, table: SharedTableBench
) -> None:
    page = example_pages.classic_middle()
    begun = time.monotonic()
    for number in range(1, 301):
        table.show(numbered(page, number))
        time.sleep(0.01)
    eventually(lambda: newest(organiser, hall, TableTopic.PAGE, TablePage).page.revision == 300)
    eventually(lambda: newest(organiser, hall, TableTopic.SUMMARY, Summary).revision == 300)
    passed_s = time.monotonic() - begun
    pages = organiser.messages[hall.topics.table("07", TableTopic.PAGE)]
    summaries = organiser.messages[hall.topics.table("07", TableTopic.SUMMARY)]
    assert 2 <= len(pages) <= passed_s + 2
    assert 4 <= len(summaries) <= 2 * passed_s + 2


def test_a_match_of_the_hall_is_offered_with_the_token_of_share(
    hall: HallBench, organiser: NotingClient, table: SharedTableBench
) -> None:
    table.show(example_pages.empty())
    match = OfferedMatch("2-07", 2, GameKey.DUO, (BEN, ANNA), 900)
    organiser.publish(hall.topics.seat("07"), encode(match), retain=True)
    table.until(lambda: table.offers[-1:] == [OfferMatch(match)])
    assert table.tokens == {TOKEN}
    organiser.publish(hall.topics.seat("07"), b"", retain=True)
    table.until(lambda: table.offers[-1:] == [OfferMatch(None)])


def test_an_offer_withdrawn_while_the_table_was_away_is_withdrawn_on_return(
    hall: HallBench, tmp_path: Path
) -> None:
    with SharedTableBench(hall, tmp_path / "table") as table:
        table.show(example_pages.empty())
        table.until(lambda: table.offers == [OfferMatch(None)])


def test_a_table_that_starts_again_is_offered_the_match_again(
    hall: HallBench, organiser: NotingClient, table: SharedTableBench
) -> None:
    seat = OfferedMatch("2-07", 2, GameKey.DUO, (ANNA, BEN))
    organiser.publish(hall.topics.seat("07"), encode(seat), retain=True)
    table.show(example_pages.empty())
    table.until(lambda: len(table.offers) == 1 and table.offers[0].match)
    path = table.client._path
    table.feed.close()
    eventually(
        lambda: newest(organiser, hall, TableTopic.SUMMARY, Summary).faults == (FaultCode.NO_TABLE,)
    )
    table.feed = type(table.feed)(path)
    table.feed.start()
    table.show(example_pages.empty())
    table.until(lambda: len(table.offers) == 2 and table.offers[1] == table.offers[0])
    eventually(lambda: newest(organiser, hall, TableTopic.SUMMARY, Summary).faults == ())


def test_a_seat_that_cannot_be_used_changes_nothing(
    hall: HallBench, organiser: NotingClient, table: SharedTableBench
) -> None:
    table.show(example_pages.empty())
    table.until(lambda: table.offers)
    seat = json.loads(encode(OfferedMatch("1-07", 1, GameKey.DUO, (ANNA, BEN))))
    alone = json.dumps({**seat, "players": seat["players"][:1]}).encode()
    for payload in (b"{", b'{"v":2}', b'{"v":1,"round":1}', b"\xff" * 100, alone):
        organiser.publish(hall.topics.seat("07"), payload, retain=True)
    for name in ("x" * 61, "a\nb", "Open"):
        organiser.publish(hall.topics.hall_status, encode(HallStatus(online=True, name=name)))
    table.until(lambda: table.states[-1].hall == "Open")
    assert all(offer.match is None for offer in table.offers)


def test_the_table_is_told_the_hall_and_its_clock(
    hall: HallBench, organiser: NotingClient, table: SharedTableBench
) -> None:
    table.show(example_pages.duo_over(), ClubTable(match=PlayedMatch("1-07", 1, ("p01", "p02"))))
    organiser.publish(hall.topics.hall_status, encode(HallStatus(True, "Spring open")), retain=True)  # noqa: FBT003
    organiser.publish(hall.topics.clock, encode(RoundClock(2, 60_000, running=True)), retain=True)
    table.until(lambda: table.states and table.states[-1].clock)
    state = table.states[-1]
    assert (state.hall, state.table, state.connected) == ("Spring open", "7", True)
    assert state.clock is not None
    assert 50_000 < state.clock.left_ms <= 60_000


def over(answers: tuple[AnswerKind, AnswerKind], pairing: str = "2-07") -> ClubTable:
    match = replace(MATCH, id=pairing)
    sides = tuple(
        SideAnswer((person,), score, person == 0, answer)
        for person, score, answer in zip((0, 1), (-3, -10), answers, strict=True)
    )
    result = MatchResult(match, f"duo-{pairing}", EndReason.SCORE, sides)
    return ClubTable(match=match, result=result)


def test_results_are_kept_by_match_and_game_also_over_a_restart_of_share(
    hall: HallBench, organiser: NotingClient, tmp_path: Path
) -> None:
    nobody = AnswerKind.NONE, AnswerKind.NONE
    confirmed = AnswerKind.CONFIRMED, AnswerKind.CONFIRMED
    page = example_pages.duo_over()

    def results() -> TableResults:
        return newest(organiser, hall, TableTopic.RESULTS, TableResults)

    with SharedTableBench(hall, tmp_path / "table") as table:
        table.show(replace(page, name="duo-1-07"), over(nobody, "1-07"))
        eventually(lambda: len(results().results) == 1)
        table.show(replace(page, name="duo-1-07", revision=99), over(confirmed, "1-07"))
        eventually(lambda: results().results[0].is_confirmed)
    with SharedTableBench(hall, tmp_path / "table") as table:
        table.show(replace(page, name="duo-2-07"), over(nobody))
        eventually(lambda: len(results().results) == 2)
    first, second = results().results
    assert first.key == ("1-07", "duo-1-07")
    assert first.is_confirmed
    assert second.key == ("2-07", "duo-2-07")
    assert [side.won for side in second.sides] == [True, False]
    assert (tmp_path / "table" / "hall-left.json").stat().st_mode & 0o777 == 0o600


def test_an_answer_just_before_the_next_game_is_not_lost(
    hall: HallBench, organiser: NotingClient, table: SharedTableBench
) -> None:
    page = replace(example_pages.duo_over(), name="duo-2-07")
    table.show(page, over((AnswerKind.CONFIRMED, AnswerKind.NONE)))

    def confirmed() -> list[bool]:
        (result,) = newest(organiser, hall, TableTopic.RESULTS, TableResults).results
        return [side.answer is AnswerKind.CONFIRMED for side in result.sides]

    eventually(lambda: confirmed() == [True, False])
    last = over((AnswerKind.CONFIRMED, AnswerKind.CONFIRMED)).result
    assert last is not None
    table.show(replace(example_pages.empty(), revision=99), ClubTable(earlier=(last,)))
    eventually(lambda: confirmed() == [True, True])


def test_after_the_broker_was_killed_the_newest_state_returns(
    hall: HallBench, table: SharedTableBench
) -> None:
    table.show(numbered(example_pages.empty(), 1))
    eventually(lambda: table.share.is_connected)
    hall.signal(signal.SIGKILL)
    for number in range(2, 60):
        table.show(numbered(example_pages.empty(), number))
        time.sleep(0.02)
    eventually(lambda: table.share.is_connected, 20.0)
    organiser = hall.join("hall", hall.topics.all_of_tables)
    eventually(lambda: newest(organiser, hall, TableTopic.SUMMARY, Summary).revision == 59)


@WALL_CLOCK
def test_a_broker_that_hangs_delays_neither_the_table_nor_the_loop_of_share(
    hall: HallBench, organiser: NotingClient, table: SharedTableBench
) -> None:
    table.show(numbered(example_pages.empty(), 1))
    eventually(lambda: newest(organiser, hall, TableTopic.SUMMARY, Summary).revision == 1)
    table.longest_s = 0.0
    longest_s = 0.0
    with hall.stopped():
        for number in range(2, 200):
            begun = time.monotonic()
            table.show(numbered(example_pages.classic_middle(), number))
            longest_s = max(longest_s, time.monotonic() - begun)
            time.sleep(0.015)
    # Both share the interpreter with this test; whoever waited for the broker would need seconds.
    assert longest_s < 0.5
    assert table.longest_s < 1.0
    eventually(lambda: newest(organiser, hall, TableTopic.SUMMARY, Summary).revision == 199, 30.0)


def test_running_clocks_are_sent_as_they_are_now(
    hall: HallBench, organiser: NotingClient, table: SharedTableBench
) -> None:
    clocks = PlayerClock((0,), 60_000, running=True, free_ms=500), PlayerClock((1,), 60_000)
    table.show(replace(example_pages.empty(), clocks=clocks, revision=1))
    eventually(lambda: newest(organiser, hall, TableTopic.SUMMARY, Summary).revision == 1)
    hall.signal(signal.SIGKILL)
    eventually(lambda: not table.share.is_connected)
    eventually(lambda: table.share.is_connected, 20.0)
    again = hall.join("hall", hall.topics.all_of_tables)
    first, second = newest(again, hall, TableTopic.SUMMARY, Summary).clocks
    assert first.left_ms < 60_000
    assert first.free_ms == 0
    assert second.left_ms == 60_000


def test_a_goodbye_tells_that_the_table_is_offline(
    hall: HallBench, organiser: NotingClient, tmp_path: Path
) -> None:
    with SharedTableBench(hall, tmp_path / "table") as table:
        table.show(example_pages.empty())
        eventually(lambda: newest(organiser, hall, TableTopic.STATUS, Status).online)
    eventually(lambda: not newest(organiser, hall, TableTopic.STATUS, Status).online)
