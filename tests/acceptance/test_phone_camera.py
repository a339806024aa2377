"""A phone's browser is the camera: a game over TLS, and all that may come between.

Chromium plays a film as its camera. The film of a game ends with its last picture for a while; a
film of that picture alone lets a page be loaded again without the board being empty.
"""

import json
import os
import re
import signal
import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path

import pytest
from playwright.sync_api import Page, Playwright, Response, ViewportSize, expect, sync_playwright

from firmware.rules.scoring import score
from tests.conftest import ROOT
from tests.support.browser import CHROMIUM, NEEDS_BROWSER, QUIET, PageVisit
from tests.support.filmed_game import filmed
from tests.support.free_port import free_port
from tests.support.process_tree import children
from tests.support.running_table import RunningTable, pairing_number
from tests.support.table_script import ScriptedTable, ScriptSetup, read
from tests.support.waiting import eventually

SCRIPT = ROOT / "tests" / "games" / "sloppy-piece-hangs-over-its-edge" / "script.jsonl"
FPS = 30
"""Pictures of a film that Chromium plays in a second."""
PHONE: ViewportSize = {"width": 390, "height": 664}
PATIENCE_MS = 30_000
FOUR_CORNERS = re.compile(r"^([\d.]+,[\d.]+ ?){4}$")

pytestmark = NEEDS_BROWSER


@pytest.fixture(scope="module")
def films(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """Returns the film of a game, and that of its last picture."""
    setting, actions = read(SCRIPT.read_text(encoding="utf-8"))
    jpegs: list[bytes] = []
    for _ in ScriptedTable(replace(setting), lambda _, jpeg: jpegs.append(jpeg)).play(actions):
        pass
    # At half its pace, after some time to find the board: a busy machine has to keep up.
    folder, times = tmp_path_factory.mktemp("films"), round(2 * FPS / setting.fps)
    game, still = folder / "game.mjpeg", folder / "still.mjpeg"
    with game.open("wb") as film:
        film.writelines([jpegs[0], jpegs[1]] * 5 * FPS)
        for jpeg in jpegs:
            film.writelines([jpeg] * times)
        film.writelines([jpegs[-1]] * 60 * FPS)
    # Two pictures in turn: a camera that sends the same bytes again stands still.
    still.write_bytes((jpegs[-1] * times + jpegs[-2] * times) * 4)
    return game, still


@pytest.fixture(scope="module")
def playwright() -> Iterator[Playwright]:
    with sync_playwright() as playwright:
        yield playwright


@contextmanager
def phone(playwright: Playwright, film: Path) -> Iterator[PageVisit]:
    fake = ["--use-fake-device-for-media-stream", "--use-fake-ui-for-media-stream"]
    words = [*QUIET, *fake, f"--use-file-for-fake-video-capture={film}"]
    browser = playwright.chromium.launch(executable_path=CHROMIUM, args=words)
    context = browser.new_context(
        viewport=PHONE, locale="en", has_touch=True, is_mobile=True, ignore_https_errors=True
    )
    yield PageVisit.begin(context)
    browser.close()


def become(page: Page, port: int, folder: Path) -> None:
    """Makes a phone the camera: by its plain page, past the warning, by the number."""
    page.goto(f"http://cornerlight.local:{port}/camera#{pairing_number(folder, '--camera')}")
    page.click("#secure")
    expect(page).to_have_url(re.compile("^https://"), timeout=PATIENCE_MS)
    page.click("#take button")
    expect(page.locator("#view")).to_be_visible(timeout=PATIENCE_MS)


def listens(port: int) -> bool:
    """Tells whether a table listens: for its page, and for the camera's over TLS."""
    with (
        suppress(OSError),
        socket.create_connection(("127.0.0.1", port), 1),
        socket.create_connection(("127.0.0.1", port + 1), 1),
    ):
        return True
    return False


def is_taken(response: Response) -> bool:
    return response.url.endswith("/camera/picture") and response.ok


def table_at(folder: Path, port: int) -> RunningTable:
    words = ["--port", str(port), "--no-browser", "--game", "duo", "--edition", "purple-orange"]
    return RunningTable("phone", folder, words, with_page=True)


def test_a_phone_is_the_camera_of_a_game_and_comes_back_by_itself(
    playwright: Playwright, films: tuple[Path, Path], tmp_path: Path
) -> None:
    port = free_port()
    expected = [
        sorted(action["cells"].split(","))
        for action in map(json.loads, SCRIPT.read_text().splitlines())
        if action.get("do") == "lay"
    ]
    with table_at(tmp_path, port) as table:
        table.wait_for("camera-away", fault="no-phone")
        eventually(lambda: listens(port), 60.0)
        with phone(playwright, films[0]) as first:
            become(first.page, port, tmp_path)
            for cells in expected:
                assert sorted(table.wait_for("move")["cells"]) == cells
            expect(first.page.locator("#found")).to_have_attribute("points", FOUR_CORNERS)
            first.shoot("phone-camera")
            assert first.faults() == []
            with phone(playwright, films[1]) as second:
                page = second.page
                become(page, port, tmp_path)
                expect(first.page.locator("#sentence")).to_contain_text(
                    "not the camera any more", timeout=PATIENCE_MS
                )
                page.reload()
                expect(page.locator("#view")).to_be_visible(timeout=PATIENCE_MS)
                page.context.set_offline(True)
                expect(page.locator("#sentence")).to_contain_text(
                    "tries again by itself", timeout=PATIENCE_MS
                )
                table.wait_for("camera-away", fault="no-phone")
                page.context.set_offline(False)
                table.wait_for("camera-back")
                (process,) = children(table.process.pid)
                os.kill(process, signal.SIGKILL)
                eventually(lambda: children(table.process.pid) - {process}, 60.0)
                eventually(lambda: listens(port), 60.0)
                with page.expect_response(is_taken, timeout=PATIENCE_MS):
                    pass
                assert table.end(signal.SIGTERM) == 0
                wrong = {"refused", "overruled", "disturbed", "moved"} & set(table.names())
                assert wrong == set()
                with table_at(tmp_path, port) as again:
                    again.wait_for("board-found")
                    with page.expect_response(is_taken, timeout=PATIENCE_MS):
                        pass
                    expect(page.locator("#sentence")).not_to_contain_text(
                        "again by itself", timeout=PATIENCE_MS
                    )
                assert len([one for one in table.events if one["event"] == "move"]) == 3


HIDE = """(hidden) => {
  Object.defineProperty(document, "hidden", { get: () => hidden, configurable: true });
  document.dispatchEvent(new Event("visibilitychange"));
}"""
DIE = "document.getElementById('video').srcObject.getVideoTracks()[0].stop()"
OTHER_LENS = """(turned) => {
  const open = navigator.mediaDevices.getUserMedia.bind(navigator.mediaDevices);
  navigator.mediaDevices.getUserMedia = async (wanted) => {
    const stream = await open(wanted);
    const film = document.createElement("video");
    film.srcObject = stream;
    film.muted = true;
    await film.play();
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = turned ? [480, 640] : [480, 360];
    const pen = canvas.getContext("2d");
    setInterval(() => {
      pen.setTransform(1, 0, 0, 1, 0, 0);
      if (turned) pen.setTransform(0, 1, -1, 0, canvas.width, 0);
      pen.drawImage(film, 0, 0, ...(turned ? [640, 480] : [480, 360]));
    }, 50);
    const made = canvas.captureStream(20);
    made.getVideoTracks()[0].addEventListener("ended", () => stream.getTracks()[0].stop());
    return made;
  };
}"""


def test_a_camera_that_is_hidden_dies_or_changes_comes_back_without_a_wrong_verdict(
    playwright: Playwright, films: tuple[Path, Path], tmp_path: Path
) -> None:
    port = free_port()
    with table_at(tmp_path, port) as table, phone(playwright, films[1]) as visit:
        page = visit.page
        eventually(lambda: listens(port), 60.0)
        become(page, port, tmp_path)
        table.wait_for("board-found")
        seen = page.locator("#found")
        expect(seen).to_have_attribute("points", FOUR_CORNERS, timeout=PATIENCE_MS)
        # The phone is locked during a call: the track is dead, and nothing is opened meanwhile.
        page.evaluate(HIDE, arg=True)
        page.evaluate(DIE)
        table.wait_for("camera-away", fault="no-phone")
        page.evaluate(HIDE, arg=False)
        table.wait_for("camera-back")
        # Another lens with fewer pixels, then frames that lie on their side.
        for turned in (False, True):
            page.evaluate(OTHER_LENS, turned)
            page.evaluate(DIE)
            table.wait_for("board-moved")
            page.wait_for_timeout(3_000)
        assert table.end(signal.SIGTERM) == 0
        expected = {"camera-away", "camera-back", "board-found", "board-moved", "standing"}
        assert set(table.names()) <= expected


LENSES = """([labels, first]) => {
  window.asked = [];
  const devices = navigator.mediaDevices;
  const open = devices.getUserMedia.bind(devices);
  let now = first;
  devices.getUserMedia = async ({ video }) => {
    window.asked.push(now = video.deviceId ? video.deviceId.exact : first);
    const stream = await open({ video: true });
    const [track] = stream.getVideoTracks();
    const settings = track.getSettings();
    track.getSettings = () => ({ ...settings, deviceId: now });
    return stream;
  };
  devices.enumerateDevices = async () => labels.map(
    (label) => ({ kind: "videoinput", deviceId: label, label }));
}"""


@pytest.mark.parametrize(
    ("labels", "first", "asked"),
    [
        (
            ["Front Camera", "Back Ultra Wide Camera", "Back Camera", "Back Telephoto Camera"],
            "Back Ultra Wide Camera",
            ["Back Ultra Wide Camera", "Back Camera"],
        ),
        (
            ["camera2 1, facing front", "camera2 2, facing back", "camera2 0, facing back"],
            "camera2 2, facing back",
            ["camera2 2, facing back", "camera2 0, facing back"],
        ),
        (["背面カメラ", "背面超広角カメラ"], "背面カメラ", ["背面カメラ"]),
        (["Integrated Camera", "USB Camera"], "USB Camera", ["USB Camera"]),
    ],
)
def test_the_main_lens_is_taken_where_a_browser_begins_with_another(
    playwright: Playwright,
    films: tuple[Path, Path],
    tmp_path: Path,
    labels: list[str],
    first: str,
    asked: list[str],
) -> None:
    port = free_port()
    with table_at(tmp_path, port), phone(playwright, films[1]) as visit:
        page = visit.page
        eventually(lambda: listens(port), 60.0)
        page.add_init_script(f"({LENSES})({json.dumps([labels, first])})")
        become(page, port, tmp_path)
        with page.expect_response(is_taken, timeout=PATIENCE_MS):
            pass
        assert page.evaluate("window.asked") == asked
        assert page.locator("#lens option:checked").inner_text() == asked[-1]
        page.select_option("#lens", labels[0])
        expect(page.locator("#lens")).to_have_value(labels[0])
        eventually(lambda: page.evaluate("window.asked.at(-1)") == labels[0], 20.0)


def test_a_whole_game_is_refereed_through_a_browser(playwright: Playwright, tmp_path: Path) -> None:
    port, film = free_port(), filmed(ScriptSetup(noise=3.7, jpeg=72), 99, 6)
    assert film.position.is_over
    path = tmp_path / "game.mjpeg"
    with path.open("wb") as file:
        file.writelines([film.jpegs[0], film.jpegs[1]] * 5 * FPS)
        for jpeg in film.jpegs:
            file.writelines([jpeg] * (FPS // 2))
        file.writelines([film.jpegs[-1]] * 60 * FPS)
    with table_at(tmp_path / "table", port) as table, phone(playwright, path) as visit:
        eventually(lambda: listens(port), 60.0)
        become(visit.page, port, tmp_path / "table")
        laid = [sorted(table.wait_for("move")["cells"]) for _ in film.moves]
        assert laid == [sorted(str(one).split(",")) for one in film.moves]
        over = table.wait_for("game-over")
        points = [one.advanced for one in score(film.position).colours]
        assert list(over["score"].values()) == points
        expected = {"camera-away", "camera-back", "board-found", "move", "pass", "game-over"}
        assert set(table.names()) <= expected
        assert visit.faults() == []


def test_a_page_that_no_camera_opens_says_why(playwright: Playwright, tmp_path: Path) -> None:
    port = free_port()
    with table_at(tmp_path, port) as table, phone(playwright, tmp_path / "nothing.mjpeg") as visit:
        table.wait_for("camera-away")
        eventually(lambda: listens(port), 60.0)
        visit.page.goto(f"http://localhost:{port}/camera#{pairing_number(tmp_path, '--camera')}")
        visit.page.click("#take button")
        expect(visit.page.locator("#sentence")).to_contain_text("no camera", timeout=PATIENCE_MS)
        expect(visit.page.locator("#begin")).to_be_visible()
