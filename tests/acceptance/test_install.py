"""A release on a whole Debian with systemd: installed, refereeing, hung, updated, removed.

A camera in the network, which is this test, shows a rendered table.
"""

import platform
import socket
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.support.container import booted, no_container
from tests.support.driver_sandbox import NODES, SCREEN, DriverSandbox
from tests.support.http_camera import CameraRequest, HttpCameraServer, answer
from tests.support.installed_release import InstalledRelease, unpacked_release
from tests.support.shared_shell import SHARED, MachineError, SharedShell
from tests.support.wled_controller import WledController
from vision.io.image_file import encode_jpeg

REASON = no_container()

pytestmark = pytest.mark.skipif(bool(REASON), reason=REASON or "containers can be started")

SUITES = ("trixie", "bookworm")
"""The Debian under each Raspberry Pi OS, with Python 3.13 and 3.11."""


@pytest.fixture(scope="module")
def release(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return unpacked_release(tmp_path_factory.mktemp("release"), platform.machine())


@contextmanager
def machine(suite: str, release: Path, folder: Path) -> Iterator[InstalledRelease]:
    """A machine with a camera in its network, and the settings for it."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port: int = free.getsockname()[1]
    try:
        with booted(suite, folder) as container:
            installed = InstalledRelease(container, release, port)

            def respond(_: CameraRequest, line: socket.socket) -> object:
                jpeg = encode_jpeg(installed.picture(), 90)
                line.sendall(answer("200 OK", "Content-Type: image/jpeg", body=jpeg))
                return True

            with HttpCameraServer(respond) as camera:
                source = camera.url("/shot.jpg")
                settings = f'[camera]\nsource = "{source}"\n[page]\nport = {port}\n'
                (container.shared / "table.toml").write_text(settings)
                dropin = "/etc/systemd/system/cornerlight-table.service.d"
                container.done(f"mkdir -p /etc/cornerlight {dropin}")
                container.done(f"cp {SHARED}/table.toml /etc/cornerlight")
                network = "s/^IPAddressAllow=.*/IPAddressAllow=127.0.0.1/"
                lines = f"{SHARED}/release/systemd/network-camera.conf"
                container.done(f"sed '{network}' {lines} > {dropin}/network-camera.conf")
                yield installed
    except MachineError as error:
        pytest.skip(str(error))


def drivers_may_open_what_they_need(shell: SharedShell) -> None:
    """Under the unit's rights no driver is refused what it opens; with fewer rights each is."""
    with closing(WledController(256)) as wled:
        sandbox = DriverSandbox(shell, wled.address)
        answers, fewer = sandbox.answers(), sandbox.answers("DeviceAllow=")
    assert {answers[path] for path in NODES} <= {"ENXIO", ""}
    assert {fewer[path] for path in NODES} == {answers[SCREEN]} == {"EPERM"}
    assert answers["spi"] == answers["wled"] == ""
    assert answers["ws2812-pio"] == "/dev/leds0 failed: No such device or address"
    assert "may not be written" in fewer["ws2812-pio"]
    if "not installed" not in answers["rpi-ws281x"]:  # it is made for one Python
        assert answers["rpi-ws281x"] == ""
        assert "/dev/spidev0.0: Operation not permitted" in fewer["rpi-ws281x"]
        assert "this computer has no pins" in answers["gpiozero"]
    builds = [name for name in answers if name.endswith(".toml")]
    assert len(builds) == len(list(ROOT.glob("hardware/*/table*.toml")))
    assert {answers[build] for build in builds} == {""}
    assert all("may not be used" in fewer[build] for build in builds)


@pytest.mark.parametrize("suite", SUITES)
def test_from_an_empty_machine_to_a_refereed_game(
    suite: str, release: Path, tmp_path: Path
) -> None:
    with machine(suite, release, tmp_path) as installed:
        status, output = installed.install()
        assert status == 0, output
        assert "goes on without the Raspberry Pi's own camera" in output
        installed.goes_on()
        installed.lay()
        installed.lay()
        installed.doctor_finds_what_is_broken()
        installed.a_report_has_no_number()
        installed.systemd_finds_nothing_to_say()
        installed.rights_are_narrow()
        installed.the_page_alone_has_its_key()
        installed.a_phone_can_be_paired()
        installed.the_console_pairs_a_phone()
        installed.a_hang_ends_no_game()
        installed.an_update_ends_no_game()
        installed.a_release_that_does_not_run_is_left()
        installed.a_file_of_the_table_switches_off()
        installed.a_rollback_ends_no_game()
        installed.the_player_answers()
        drivers_may_open_what_they_need(installed.shell)
        installed.nothing_but_games_stays()
