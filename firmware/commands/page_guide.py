"""Tells the person at the terminal how phones reach the score page.

At the start: the addresses, a QR code, and the number that pairs the arbiter's phone. A minute
later, if no phone came: the usual causes.
"""

import argparse
import io
import os
import shlex
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Final, TextIO

import segno

from firmware.commands.main import say
from firmware.commands.page_process import PageProcess
from firmware.machine.network import local_url, missing_address, page_urls
from firmware.session.pairing import NUMBER_LIVES_S, Pairing, grouped

_LONELY_S: Final = 60.0
"""Seconds without any phone after which the usual causes are named."""

LOOK_S: Final = 10.0
"""Seconds between two looks at the addresses of this machine."""

_BROWSER_S: Final = 60.0
"""Seconds in which the program that opens the browser has to end."""

_COMMANDS: Final[Mapping[str, str]] = {
    "firewall-cmd": "sudo firewall-cmd --add-port={port}/tcp",
    "ufw": "sudo ufw allow {port}/tcp",
    "nft": "sudo nft insert rule inet filter input tcp dport {port} accept",
}
"""Commands by the program that has to be there. Distributions that have the first or the second
use the third beneath it; the names of table and chain are those of Debian's nftables.conf."""

_FOLDERS: Final = "/usr/sbin:/usr/bin:/sbin:/bin:/usr/local/sbin:/usr/local/bin"
"""Folders of these programs, which are not all in the path of a usual user."""

_COLOURS: Final = "\033[38;5;231;48;5;16m"
"""White blocks on black, whatever colours the terminal has: scanners need the light margin."""

_PLAIN: Final = "\033[0m"
"""ANSI code that ends `_COLOURS` after each line, so that the rest of it has the usual ones."""


class PageGuide:
    """Guide to the page of one table. Without a page it only draws a number.

    Args:
        page: the process of the page; None if another process serves it.
        pairing: the paired phones.
        verb: name of the verb that runs the table.
        options: options with which `cornerlight pair` finds the table.
        opens_browser: True to open the page in a browser of this machine.
        path: path of the page that is opened on this machine.
        is_silent: True to print nothing, as where a program reads the output.

    Attributes:
        takes_camera: True if a phone is to be the camera: then the code leads there.
        camera_came: True if a phone has sent a picture; for the advice a minute later.
    """

    def __init__(
        self,
        page: PageProcess | None,
        pairing: Pairing,
        verb: str,
        options: Sequence[str] = (),
        *,
        opens_browser: bool = False,
        path: str = "",
        is_silent: bool = False,
    ) -> None:
        self.takes_camera = False
        self.camera_came: Callable[[], bool] = lambda: False
        self._page: Final = page
        self._pairing: Final = pairing
        self._verb: Final = verb
        self._options: Final = options
        self._opens_browser: Final = opens_browser
        self._path: Final = path
        self._begun_s: Final = time.monotonic()
        self._is_silent: Final = is_silent
        self._urls: tuple[str, ...] = ()
        self._looked_s = self._begun_s
        self._is_announced = self._is_done = is_silent

    def turn(self) -> None:
        """Prints what is due, and returns at once.

        Raises:
            CornerlightError: the page has ended.
        """
        page = self._page
        if page is not None:
            page.check()
        self._say_due()

    @property
    def has_page(self) -> bool:
        """True if this program serves the page."""
        return self._page is not None

    def offer_camera(self) -> None:
        """Says that no camera was found, and how a phone becomes it; once."""
        if self.takes_camera or self._is_silent:
            return
        self.takes_camera = True
        say("no camera was found; name one with --camera, or take a phone:")
        if self._is_announced:
            self._say_camera()

    def say_next(self, commands: Mapping[str, str]) -> None:
        """Prints what a person may do next.

        Args:
            commands: further commands, by what they do.
        """
        page = self._page
        lines = [f"{purpose}: {command}" for purpose, command in commands.items()]
        if page is not None and page.port is not None:
            lines.insert(0, f"see the page: {local_url(page.settings.host, page.port)}")
        lines.append(f"pair a phone as arbiter: {self._another_number()}")
        say("what to try next:\n" + "\n".join(f"  - {line}" for line in lines))

    def _say_due(self) -> None:
        page = self._page
        if not self._is_announced and (page is None or page.port is not None):
            self._is_announced = True
            self._announce()
            if page is not None and page.port is not None and self._opens_browser:
                open_browser(local_url(page.settings.host, page.port) + self._path)
        self._say_moved()
        lonely = time.monotonic() - self._begun_s > _LONELY_S
        if page is None or page.port is None or self._is_done:
            return
        came = self.camera_came() if self.takes_camera else page.was_visited
        if came or lonely:
            self._is_done = True
        if lonely and not came and not (page.was_visited and page.tls_port is None):
            tls_port = page.tls_port if self.takes_camera else None
            say(lonely_advice(page.settings.host, page.port, tls_port))

    def _announce(self) -> None:
        number = self._pairing.issue_code(time.monotonic())
        page = self._page
        if page is None or page.port is None:
            self._say_number("to speak as arbiter,", number, "/arbiter of the score page")
            return
        host, port = page.settings.host, page.port
        for line in address_lines(host, port, self._path):
            say(line)
        if self.takes_camera:
            self._say_camera()
            self._say_number("to speak as arbiter,", number, f"{self._url()}arbiter")
        else:
            self._say_code("to speak as arbiter,", number, "arbiter")
        self._urls, self._looked_s = page_urls(host, port), time.monotonic()

    def _say_moved(self) -> None:
        """Announces the page again where this machine has got another address; looks seldom."""
        page, now = self._page, time.monotonic()
        if page is None or page.port is None or self._is_silent or now - self._looked_s < LOOK_S:
            return
        self._looked_s, urls = now, page_urls(page.settings.host, page.port)
        if urls and urls != self._urls:
            say("this machine has another address now; codes of before lead nowhere:")
            self._announce()

    def _say_camera(self) -> None:
        number = self._pairing.issue_camera_code(time.monotonic())
        self._say_code("on the phone that is to be the camera,", number, "camera", "--camera")

    def _url(self) -> str:
        """Returns the best address of the page."""
        assert self._page is not None, "a page leads to a code"
        assert self._page.port is not None, "it is announced"
        host, port = self._page.settings.host, self._page.port
        return (page_urls(host, port) or (local_url(host, port),))[0]

    def _say_code(self, begin: str, number: str, path: str, *options: str) -> None:
        """Prints a number and its QR code, where one can be scanned."""
        url = self._url() + path
        code = terminal_qr(f"{url}#{number}")
        if code:
            say(code)
        self._say_number(f"{begin} scan this, or" if code else begin, number, url, *options)

    def _say_number(self, begin: str, number: str, where: str, *options: str) -> None:
        minutes = f"{NUMBER_LIVES_S / 60:.0f} minutes"
        say(
            f"{begin} type {grouped(number)} at {where} within {minutes}; "
            f"for another number: {self._another_number(*options)}"
        )

    def _another_number(self, *options: str) -> str:
        """Returns the command that draws another number."""
        if self._pairing.trouble:
            return f"end the {self._verb} and start it again"
        return shlex.join(["cornerlight", "pair", *options, *self._options])


def address_lines(host: str, port: int, path: str = "") -> list[str]:
    """Returns lines on the addresses of the page.

    Args:
        host: address or name on which it listens.
        port: its port.
        path: path of the page for this machine.
    """
    urls = page_urls(host, port)
    phones = "the score page, for phones in the same network: " + " or ".join(urls)
    what = "play" if path else "the score page is"
    here = f"{what} at {local_url(host, port)}{path} on this machine"
    return [phones if urls else missing_address(host), here]


def lonely_advice(host: str, port: int, tls_port: int | None = None) -> str:
    """Returns the usual causes that no phone opens the page, one a line.

    Args:
        host: address or name on which it listens.
        port: its port.
        tls_port: the port for the camera, if a phone is to be the camera and none is.
    """
    urls = page_urls(host, port)
    what = "is the camera" if tls_port else "has opened the page"
    if not urls:
        return f"no phone {what}: {missing_address(host)}"
    begin = f"no phone {what} at {urls[0]}" if tls_port else f"no phone has opened {urls[0]}"
    remedy = firewall_remedy(port)
    if tls_port:
        remedy += f"; the camera needs port {tls_port} in the same way"
    return (
        f"{begin} yet; if one tries and cannot:\n"
        "  - it is in another WiFi, or uses mobile data: join the one of this machine\n"
        "  - the WiFi is for guests and keeps devices apart: use the main one\n"
        f"  - a firewall on this machine blocks it: {remedy}"
    )


def add_no_browser(parser: argparse.ArgumentParser) -> None:
    """Adds the option that opens no browser."""
    parser.add_argument("--no-browser", action="store_true", help="do not open the score page")


def wants_browser(arguments: argparse.Namespace) -> bool:
    """True if a person sits at a desktop in front of this terminal, and has not refused."""
    return not arguments.no_browser and sys.stdout.isatty() and has_desktop()


def has_desktop(environ: Mapping[str, str] = os.environ, platform: str = sys.platform) -> bool:
    """True if a browser opened by this program appears in front of the person who started it.

    Args:
        environ: environment variables.
        platform: the system, as `sys.platform` names it.
    """
    if platform == "darwin":
        return "SSH_CONNECTION" not in environ
    return bool(environ.get("DISPLAY") or environ.get("WAYLAND_DISPLAY"))


def open_browser(url: str) -> None:
    """Opens an address in the browser of the desktop, without a wait and without a word."""
    # A process of its own: a browser for text would take this terminal.
    words = [sys.executable, "-m", "webbrowser", url]

    def attempt() -> None:
        with suppress(OSError, subprocess.TimeoutExpired):
            subprocess.run(  # noqa: S603
                words,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                start_new_session=True,
                timeout=_BROWSER_S,
                check=False,
            )

    threading.Thread(target=attempt, name="browser", daemon=True).start()


def _is_there(program: str) -> bool:
    return shutil.which(program, path=_FOLDERS) is not None


def firewall_remedy(
    port: int, platform: str = sys.platform, is_there: Callable[[str], bool] = _is_there
) -> str:
    """Returns what opens a port, as the end of a sentence.

    Args:
        port: the port.
        platform: the system, as `sys.platform` names it.
        is_there: True for the name of a program that is installed.
    """
    if platform == "darwin":
        return (
            "allow incoming connections for Python in System Settings, Network, Firewall, Options"
        )
    command = next((text for name, text in _COMMANDS.items() if is_there(name)), "")
    if not command:
        return f"open TCP port {port} in it"
    return f"open the port with: {command.format(port=port)}"


def terminal_qr(text: str, output: TextIO | None = None) -> str:
    """Returns a QR code as lines of text with colours; empty where nobody could scan it.

    That is where the output is no terminal, where the code does not fit into it, and where it
    cannot show blocks.

    Args:
        text: content of the code.
        output: where it will be printed; standard output by default.
    """
    output = output or sys.stdout
    if not output.isatty():
        return ""
    drawn = io.StringIO()
    segno.make(text, error="l", micro=False).terminal(drawn, compact=True)
    lines = drawn.getvalue().splitlines()
    try:
        width, height = os.get_terminal_size(output.fileno())
        "".join(lines).encode(output.encoding)
    except (OSError, ValueError):
        return ""
    if len(lines[0]) > width or len(lines) >= height:
        return ""
    return "\n".join(f"{_COLOURS}{line}{_PLAIN}" for line in lines)
