import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest

from firmware.errors import UnreadableError
from firmware.session import feed_server as feed_module
from firmware.session.feed_server import MOST_ASKED, MOST_LISTENERS, FeedServer, IncomingRequest
from tests.evaluation.framing import long, small
from tests.support import example_pages
from tests.support.turning_feed import TurningFeed
from tests.support.waiting import eventually
from tests.support.wall_clock import WALL_CLOCK
from web import table_client as link_module
from web.contract import (
    LONGEST_PICTURE,
    CameraPicture,
    CommandRequest,
    ContractError,
    FrameDecoder,
    Heartbeat,
    LivePicture,
    Page,
    PairedPhones,
    PairRequest,
    RefusalReason,
    Reply,
    Undo,
    encode,
    fingerprint,
)
from web.table_client import ConnectionLost, TableClient, subscribe

pytestmark = pytest.mark.slow

JPEG = b"\xff\xd8\xff\xe0"
SOON_S = 5.0


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "table.sock"


@pytest.fixture
def page() -> Page:
    return example_pages.duo_refused()


def connected(path: Path) -> socket.socket:
    caller = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    caller.settimeout(SOON_S)
    caller.connect(str(path))
    return caller


def hears(link: TableClient, page: Page) -> None:
    eventually(lambda: link.news.connected and link.news.page == page)


def requests_of(feed: FeedServer, count: int) -> list[IncomingRequest]:
    """Returns the next `count` requests, as soon as they have arrived."""
    requests: list[IncomingRequest] = []

    def all_came() -> bool:
        requests.extend(feed.take_requests())
        return len(requests) == count

    eventually(all_came)
    return requests


def heard(caller: socket.socket) -> Iterator[object]:
    decoder = FrameDecoder()
    while data := caller.recv(4096):
        yield from (one for one in decoder.feed(data) if not isinstance(one, Heartbeat))


def test_a_late_joiner_has_the_newest_of_everything_at_once(path: Path, page: Page) -> None:
    with TurningFeed(path) as feed:
        for revision in range(50):
            feed.publish(replace(page, revision=revision))
            feed.publish(LivePicture(JPEG + bytes([revision])))
        with connected(path) as caller:
            messages = heard(caller)
            assert next(messages) == replace(page, revision=49)
            assert next(messages) == LivePicture(JPEG + bytes([49]))


def test_what_is_published_while_nobody_listens_is_stored(path: Path, page: Page) -> None:
    feed = TurningFeed(path)
    feed.publish(page)
    with feed, TableClient(path) as link:
        eventually(lambda: link.news.page == page)


def test_every_listener_hears_a_change(path: Path, page: Page) -> None:
    with TurningFeed(path) as feed, TableClient(path) as one, TableClient(path) as other:
        feed.publish(page)
        eventually(lambda: one.news.page == other.news.page == page)
        newer = replace(page, revision=page.revision + 1)
        feed.publish(newer)
        eventually(lambda: one.news.page == other.news.page == newer)


@WALL_CLOCK
def test_a_slow_listener_skips_to_the_newest_and_holds_nobody_up(path: Path, page: Page) -> None:
    big = JPEG + bytes(1 << 20)
    with TurningFeed(path) as feed, connected(path) as slow, TableClient(path) as quick:
        began = time.monotonic()
        for revision in range(100):
            feed.publish(LivePicture(big + revision.to_bytes(2, "big")))
            feed.publish(replace(page, revision=revision))
        assert time.monotonic() - began < 30, "the table waited for a listener"
        eventually(lambda: quick.news.page and quick.news.page.revision == 99)
        pictures = 0
        for message in heard(slow):
            pictures += isinstance(message, LivePicture)
            if message == LivePicture(big + (99).to_bytes(2, "big")):
                break
        assert pictures < 10


def test_a_dead_listener_is_dropped(
    path: Path, page: Page, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(feed_module, "PATIENCE_S", 0.2)
    monkeypatch.setattr(feed_module, "KEEP_ALIVE_S", 0.1)
    with TurningFeed(path) as feed, connected(path) as dead:
        feed.publish(LivePicture(JPEG + bytes(4 << 20)))
        eventually(lambda: feed._listeners)
        eventually(lambda: not feed._listeners)
        feed.publish(page)
        with TableClient(path) as link:
            eventually(lambda: link.news.page == page)
        assert dead.fileno() >= 0


def test_a_listener_that_talks_is_hung_up_on(path: Path) -> None:
    with TurningFeed(path) as feed, connected(path) as talker:
        eventually(lambda: feed._listeners)
        talker.sendall(b"let me in")
        with suppress(ConnectionResetError):
            assert talker.recv(1) == b""
        eventually(lambda: not feed._listeners)


def test_an_answer_goes_to_who_asked_and_to_nobody_else(path: Path, page: Page) -> None:
    command = CommandRequest("id-number-one", 7, "t" * 43, Undo())
    with TurningFeed(path) as feed, connected(path) as one, connected(path) as other:
        one.sendall(encode(command) + encode(PairRequest("id-number-two", "1" * 12)))
        requests = requests_of(feed, 2)
        assert [request.message for request in requests] == [
            command,
            PairRequest("id-number-two", "1" * 12),
        ]
        for request in requests:
            feed.answer(request.who, Reply(request.message.id, RefusalReason.STALE, 8))
        feed.publish(page)
        heard_by_one = heard(one)
        assert [next(heard_by_one).id for _ in range(2)] == [  # type: ignore[attr-defined]
            "id-number-one",
            "id-number-two",
        ]
        assert next(heard(other)) == page


def test_more_commands_than_can_wait_are_answered_with_busy(path: Path) -> None:
    with TurningFeed(path) as feed, connected(path) as caller:
        for number in range(MOST_ASKED + 1):
            caller.sendall(encode(CommandRequest(f"command-{number:03}", 7, "", Undo())))
        answer = next(heard(caller))
        assert answer == Reply(f"command-{MOST_ASKED:03}", RefusalReason.BUSY)
        assert len(feed.take_requests()) == MOST_ASKED


@pytest.mark.parametrize(
    "data",
    [
        encode(Heartbeat()),
        encode(LivePicture(JPEG)),
        encode(CommandRequest("a-good-id", 7, "", Undo())).replace(b"undo", b"sudo"),
        b"\0\0\0\x3a" + b'{"version": 4, "topic": "command", "length": 8000000}'.ljust(58),
    ],
)
def test_a_listener_that_does_more_than_ask_is_hung_up_on(path: Path, data: bytes) -> None:
    with TurningFeed(path) as feed, connected(path) as talker:
        eventually(lambda: feed._listeners)
        talker.sendall(data)
        eventually(lambda: not feed._listeners)
        assert feed.take_requests() == []


def test_too_many_listeners_are_turned_away_and_the_others_served(path: Path, page: Page) -> None:
    with TurningFeed(path) as feed:
        callers = [connected(path) for _ in range(MOST_LISTENERS)]
        eventually(lambda: len(feed._listeners) == MOST_LISTENERS)
        with connected(path) as late:
            assert late.recv(1) == b""
        feed.publish(page)
        for caller in callers:
            assert next(heard(caller)) == page
            caller.close()


def test_a_listener_that_leaves_half_a_message_is_hung_up_on(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(feed_module, "PATIENCE_S", 0.3)
    monkeypatch.setattr(feed_module, "KEEP_ALIVE_S", 0.1)
    message = encode(CommandRequest("a-good-id", 7, "", Undo()))
    with TurningFeed(path) as feed, connected(path) as talker:
        for _ in range(6):  # longer than the patience, but each is completed
            talker.sendall(message[:20])
            time.sleep(0.1)
            talker.sendall(message[20:])
        requests_of(feed, 6)
        talker.sendall(message[:20])
        eventually(lambda: not feed._listeners)


def test_who_may_ask_is_sent_before_the_answer(path: Path, page: Page) -> None:
    phones = PairedPhones(("0" * 64,))
    with TurningFeed(path) as feed, connected(path) as caller:
        caller.sendall(encode(PairRequest("a-good-id")))
        (request,) = requests_of(feed, 1)
        for n in range(50):
            feed.publish(replace(page, revision=n))
        feed.publish(phones)
        feed.answer(request.who, Reply("a-good-id"))
        messages = heard(caller)
        kinds = [next(message for message in messages if not isinstance(message, Page | Heartbeat))]
        assert kinds == [phones]


def test_a_late_joiner_learns_who_may_ask(path: Path) -> None:
    phones = PairedPhones(("0" * 64,))
    with TurningFeed(path) as feed, TableClient(path) as link:
        assert link.news.phones is None
        feed.publish(phones)
        eventually(lambda: link.news.phones == phones)
        with TableClient(path) as late:
            eventually(lambda: late.news.phones == phones)


def test_nobody_is_known_while_the_table_is_away(path: Path) -> None:
    with TableClient(path) as link:
        with TurningFeed(path) as feed:
            feed.publish(PairedPhones(("0" * 64,)))
            eventually(lambda: link.news.phones)
        eventually(lambda: not link.news.connected)
        assert link.news.phones is None
        with TurningFeed(path):
            eventually(lambda: link.news.connected)
            assert link.news.phones is None, "it is back, and has not sent its phones"


def test_a_loop_that_turns_gives_signs_of_life(path: Path) -> None:
    with FeedServer(path) as feed, connected(path) as caller:
        decoder, messages = FrameDecoder(), 0
        began = time.monotonic()
        caller.settimeout(0.05)
        while messages < 3:
            feed.turned()
            with suppress(TimeoutError):
                messages += len(list(decoder.feed(caller.recv(4096))))
        assert time.monotonic() - began >= feed_module.KEEP_ALIVE_S


@WALL_CLOCK
def test_a_table_that_stands_is_said_to_be_away(path: Path, page: Page) -> None:
    """The process lives, and its loop does nothing: no listener takes it for a table."""
    with TurningFeed(path) as feed, TableClient(path) as link:
        feed.publish(page)
        hears(link, page)
        feed.stand()
        began = time.monotonic()
        asking = [
            threading.Thread(target=link.ask, args=(PairRequest(f"question-{n}"), 0.1))
            for n in range(2 * MOST_ASKED)  # of which some are answered with busy
        ]
        for thread in asking:
            thread.start()
        eventually(lambda: not link.news.connected)
        assert time.monotonic() - began < 3.5
        for thread in asking:
            thread.join()
        with TableClient(path) as late:
            time.sleep(2.0)  # both have connected again meanwhile
            assert not link.news.connected
            assert not late.news.connected
            assert late.news.page is None
            feed.turned()
            hears(late, page)
            feed.turned()
            eventually(lambda: link.news.connected)


def test_a_table_that_falls_silent_is_taken_for_dead(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(link_module, "SILENCE_S", 0.1)
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as mute:
        mute.bind(str(path))
        mute.listen()
        message = next(subscribe(path, threading.Event()))
    assert isinstance(message, ConnectionLost)
    assert "silent for 0.1 s" in message.reason


def test_the_page_survives_a_restart_of_the_table(path: Path, page: Page) -> None:
    with TableClient(path) as link:
        assert not link.news.connected
        for revision in (7, 3):  # a table that starts anew counts anew
            with TurningFeed(path) as feed:
                newest = replace(page, revision=revision)
                feed.publish(newest)
                hears(link, newest)
            eventually(lambda: not link.news.connected)
            assert link.news.page == newest, "the last page stays in view"


TABLE = """
import sys, time
from pathlib import Path
from tests.evaluation.framing import long, small
from tests.support.turning_feed import TurningFeed
from tests.support.waiting import eventually
from tests.support import example_pages as examples
with TurningFeed(Path(sys.argv[1])) as feed:
    feed.publish(examples.duo_refused())
    time.sleep(60)
"""


def test_a_table_that_is_killed_leaves_a_socket_that_the_next_one_replaces(
    path: Path, page: Page
) -> None:
    with TableClient(path) as link:
        for _ in range(2):
            table = subprocess.Popen([sys.executable, "-c", TABLE, str(path)])
            try:
                eventually(lambda: link.news.connected and link.news.page == page)
            finally:
                table.kill()
                table.wait()
            assert path.is_socket()
            eventually(lambda: not link.news.connected)


def test_the_table_survives_a_listener_that_goes(path: Path, page: Page) -> None:
    with TurningFeed(path) as feed:
        for _ in range(5):
            with connected(path):
                feed.publish(page)
        with TableClient(path) as link:
            eventually(lambda: link.news.page == page)


def test_a_message_of_another_kind_ends_the_conversation_not_the_link(
    path: Path, page: Page
) -> None:
    with TableClient(path) as link:
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as other:
            other.bind(str(path))
            other.listen()
            caller, _ = other.accept()
            with caller:
                caller.sendall(b'\0\0\0\x0e{"version": 9}')
                assert caller.recv(1) == b""
        path.unlink()
        with TurningFeed(path) as feed:
            feed.publish(page)
            eventually(lambda: link.news.page == page)


def test_a_second_table_is_refused_and_the_first_continues(path: Path, page: Page) -> None:
    with TurningFeed(path) as feed:
        with (
            pytest.raises(UnreadableError, match="another table serves it already"),
            TurningFeed(path),
        ):
            pass
        feed.publish(page)
        with TableClient(path) as link:
            eventually(lambda: link.news.page == page)
    assert not path.exists()


def test_the_folder_may_have_a_long_name(tmp_path: Path, page: Page) -> None:
    path = tmp_path / ("folder " * 25) / "table.sock"
    path.parent.mkdir()
    test_a_second_table_is_refused_and_the_first_continues(path, page)


def test_a_place_where_no_socket_can_be_is_named(tmp_path: Path) -> None:
    taken = tmp_path / "taken"
    taken.write_text("mine")
    for path, why in (
        (taken, "Address already in use"),
        (tmp_path / "none" / "table.sock", "No such file"),
        (tmp_path / ("x" * 200), "name a shorter one"),
    ):
        feed = FeedServer(path)
        with pytest.raises(UnreadableError, match=f"cannot serve the page at .*: .*{why}"):
            feed.start()
    assert taken.read_text() == "mine"


def test_only_a_jpeg_is_a_picture(path: Path) -> None:
    with TurningFeed(path) as feed, pytest.raises(ContractError):
        feed.publish(LivePicture(b""))


def test_the_socket_is_for_the_table_and_its_group(path: Path) -> None:
    with TurningFeed(path):
        assert path.stat().st_mode & 0o777 == 0o660


def test_threads_end_when_closed(path: Path) -> None:
    before = threading.active_count()
    with FeedServer(path), TableClient(path):
        assert threading.active_count() == before + 2
    assert threading.active_count() == before


def test_who_waits_is_let_go_when_the_link_closes(path: Path) -> None:
    link = TableClient(path)
    link.start()
    waiter = threading.Thread(target=link.wait, args=(0, 60.0))
    waiter.start()
    link.close()
    waiter.join(SOON_S)
    assert not waiter.is_alive()


def test_a_question_is_answered_to_who_asked(path: Path, page: Page) -> None:
    with TurningFeed(path) as feed, TableClient(path) as link:
        feed.publish(page)
        eventually(lambda: link.news.connected)
        answers: list[object] = []
        asking = [
            threading.Thread(
                target=lambda id_: answers.append(link.ask(PairRequest(id_))), args=(id_,)
            )
            for id_ in (f"question-{n}" for n in range(5))
        ]
        for thread in asking:
            thread.start()
        for one in reversed(requests_of(feed, 5)):
            feed.answer(one.who, Reply(one.message.id, token=one.message.id))
        for thread in asking:
            thread.join(SOON_S)
        assert sorted(str(a.token) for a in answers if isinstance(a, Reply)) == [
            f"question-{n}" for n in range(5)
        ]


def says_that_it_lives(table: socket.socket, over: threading.Event) -> None:
    with suppress(BrokenPipeError):
        while not over.wait(0.1):
            table.sendall(encode(Heartbeat()))


def test_a_question_that_was_sent_in_part_ends_the_connection(
    path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """A table that hung reads whole messages later, and at most one incomplete one."""
    monkeypatch.setattr(link_module, "ANSWER_S", 0.3)
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as table:
        table.bind(str(path))
        table.listen()
        table.settimeout(SOON_S)
        link = TableClient(path)
        small(link)
        with link:
            hung, _ = table.accept()
            # The buffers take some requests, and then part of one.
            eventually(lambda: link._connection is not None)
            over = threading.Event()
            living = threading.Thread(target=says_that_it_lives, args=(hung, over))
            living.start()
            tries = 0
            while "could not be asked" not in caplog.text:
                tries += 1
                link.ask(long(f"question-{tries:06}"), patience_s=0.0)
            with hung:
                hung.settimeout(SOON_S)
                read = hung.recv(1 << 16)  # there is room again
                link.ask(long("question-more"), patience_s=0.0)
                over.set()
                living.join()
                while data := hung.recv(1 << 16):
                    read += data
            decoder = FrameDecoder()
            ids = [message.id for message in decoder.feed(read)]  # type: ignore[union-attr]
            assert ids == [f"question-{n:06}" for n in range(1, tries)]
            assert decoder.is_halfway
            again, _ = table.accept()
            with again:
                eventually(lambda: link._connection is not None)
                link.ask(PairRequest("question-next"), patience_s=0.0)
                assert next(heard(again)).id == "question-next"  # type: ignore[attr-defined]


def test_a_form_that_was_sent_twice_at_once_is_answered_twice(path: Path) -> None:
    with TurningFeed(path) as feed, TableClient(path) as link:
        eventually(lambda: link._connection is not None)
        answers: list[Reply | None] = []
        threads = [
            threading.Thread(target=lambda: answers.append(link.ask(PairRequest("a-good-id"))))
            for _ in range(2)
        ]
        for thread in threads:
            thread.start()
        for one, refusal in zip(requests_of(feed, 2), (None, RefusalReason.REPEATED), strict=True):
            feed.answer(one.who, Reply(one.message.id, refusal))
        for thread in threads:
            thread.join(SOON_S)
        assert {answer.refused for answer in answers if answer} == {None, RefusalReason.REPEATED}
        assert not link._pending


def test_a_table_that_is_silent_or_gone_answers_nothing(path: Path) -> None:
    with TableClient(path) as link:
        assert link.ask(PairRequest("question-1"), patience_s=5.0) is None, "nobody is there"
        with TurningFeed(path):
            eventually(lambda: link.news.connected)
            assert link.ask(PairRequest("question-2"), patience_s=0.05) is None, (
                "it does not answer"
            )
            waiting = threading.Thread(target=link.ask, args=(PairRequest("question-3"), 60.0))
            waiting.start()
        waiting.join(SOON_S)
        assert not waiting.is_alive(), "it hung up meanwhile"


def taken_by(path: Path, *pictures: CameraPicture) -> list[bytes]:
    """Returns the pictures that the table takes of those that a page sends."""
    taken: list[bytes] = []
    with TurningFeed(path) as feed:
        feed.on_picture = taken.append
        feed.publish(PairedPhones(camera=fingerprint("the-camera")))
        with connected(path) as caller:
            for picture in pictures:
                caller.sendall(encode(picture))
            caller.sendall(encode(PairRequest("a-good-id")))
            requests_of(feed, 1)
    return taken


def test_the_pictures_of_the_phone_that_is_the_camera_are_taken_and_no_others(path: Path) -> None:
    largest = JPEG + bytes(LONGEST_PICTURE - len(JPEG))
    sent = [CameraPicture(token, jpeg) for token, jpeg in (
        ("the-camera", JPEG),
        ("", JPEG),
        ("another", JPEG),
        ("the-camera", largest),
    )]  # fmt: skip
    assert taken_by(path, *sent) == [JPEG, largest]


def test_a_longer_picture_is_hung_up_on(path: Path) -> None:
    taken: list[bytes] = []
    with TurningFeed(path) as feed, connected(path) as caller:
        feed.on_picture = taken.append
        with suppress(ConnectionError):
            caller.sendall(encode(CameraPicture("the-camera", JPEG + bytes(LONGEST_PICTURE))))
            while caller.recv(1 << 16):
                pass
    assert taken == []


def test_a_table_without_such_a_camera_takes_no_picture(path: Path) -> None:
    with TurningFeed(path) as feed, connected(path) as caller:
        feed.publish(PairedPhones(camera=fingerprint("the-camera")))
        caller.sendall(encode(CameraPicture("the-camera", JPEG)))
        caller.sendall(encode(PairRequest("a-good-id")))
        requests_of(feed, 1)
