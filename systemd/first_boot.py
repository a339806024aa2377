"""Installs a release at the first start of a freshly written card, and shows how far it is.

The folder that `card.py` makes starts it, from the unpacked archive, as root. It waits for network
and time, tries again whatever fails, and shows its steps on the screen of the Raspberry Pi, above
the question for the user's name, and at the port where the score page is as soon as it serves.
"""

import email.utils
import html
import os
import shutil
import socket
import subprocess
import sys
import threading
import time
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, Final
from urllib.request import Request, urlopen

import installer
from checksums import LIST

CARD: Final = Path("/boot/firmware/cornerlight")
"""Folder on the boot partition with the archive and its checksums."""

DONE: Final = Path("/var/lib/cornerlight-card")
"""Copy of the checksums on the card, once their archive is installed. It stays after `uninstall`,
so that the next start does not install the program again."""

SCREEN: Final = Path("/run/issue.d/cornerlight.issue")
"""Text that agetty(8) shows above the question for the user's name."""

_CLEAR: Final = "\x1b[H\x1b[2J"
"""Sequence that clears the screen: `cornerlight.issue` there says that the table does not run."""

PORT: Final = 8000
"""Port of the score page by default."""

NETWORK: Final = "waiting for the network"
"""Step until there is a way out of this machine."""

TIME: Final = "waiting for the time"
"""Step until the clock is right."""

STEPS: Final = (NETWORK, TIME, *installer.Step)
"""All steps in order."""

LATE_S: Final = 60.0
"""Seconds without a network after which the screen says so."""

TIME_S: Final = 120.0
"""Seconds with a network after which the time is asked of a web server, as none came by NTP."""

AGAIN_S: Final = 30.0
"""Seconds after which an installation that failed is tried again."""

PROGRAM_AGAIN_S: Final = 600.0
"""The same from the step that installs the program: a try writes 330 MB to the card, and a fault of
the settings, for example, stays until somebody mends it."""

MOST_REQUESTS: Final = 16
"""Requests that are answered at a time: whoever asks for more does not slow the installation."""

_NO_NETWORK: Final = (
    "There is no network yet. Plug in a network cable, or write the card again with the right "
    "name and password of the WiFi."
)
"""Trouble of the first step, and its remedy."""

_SYNCHRONIZED: Final = Path("/run/systemd/timesync/synchronized")
"""File that systemd-timesyncd makes once it has the time."""

_TIME_SERVER: Final = "http://deb.debian.org/"
"""Web server whose answers have the time. It needs no certificate, which a wrong clock refuses."""

_PAGE_ENABLED: Final = Path("/etc/systemd/system/multi-user.target.wants/cornerlight-page.service")
"""Link that is there while an earlier release has the port, or gets it in this start."""

_OUTSIDE: Final = ((socket.AF_INET, "192.0.2.1"), (socket.AF_INET6, "2001:db8::1"))
"""Addresses for documentation, RFC 5737 and 3849: there is a way to them where there is a network,
and nothing is sent."""

_PAGE: Final = """<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Cornerlight is being installed</title>
<style>
body {{ font: 1.1rem/1.5 system-ui, sans-serif; max-width: 34rem; margin: 1rem auto;
  padding: 0 1rem; color: #1d1d26; background: #fbfaf7; }}
h1 {{ font-size: 1.5rem; }}
li {{ margin: .2rem 0; color: #6b6b76; }} .now {{ color: inherit; font-weight: 600; }}
.trouble {{ border-left: .3rem solid #c2410c; padding: .3rem .8rem; background: #fff1e6; }}
@media (prefers-color-scheme: dark) {{ body {{ color: #eee; background: #17171c; }}
  li {{ color: #9a9aa5; }} .trouble {{ background: #3a2213; }} }}
</style>
<body><main><h1>Cornerlight is being installed</h1>
<p>It takes 10 to 30 minutes. Leave the Raspberry Pi switched on. This page becomes the score page
by itself.</p>{trouble}<ol>{steps}</ol><p>{minutes} min so far.</p></main>
<script>
setInterval(async () => {{
  try {{
    const reply = await fetch("/", {{cache: "no-store"}});
    if (!reply.headers.get("Cornerlight-Step")) {{ location.replace("/"); return; }}
    const whole = new DOMParser().parseFromString(await reply.text(), "text/html");
    document.querySelector("main").replaceWith(whole.querySelector("main"));
  }} catch (error) {{ /* For some seconds neither this page nor the score page answers. */ }}
}}, 2000);
</script></body></html>
"""
"""Page of the steps, with places for them, for the trouble, and for the minutes so far."""


class Progress:
    """Shows the step of an installation and its trouble, on the screen and as a page."""

    def __init__(self) -> None:
        self._begun_s: Final = time.monotonic()
        self._server: ThreadingHTTPServer | None = None
        self.step = 0
        self._trouble = ""

    def begin(self, step: str) -> None:
        """Shows that a step of `STEPS` begins."""
        self.step, self._trouble = STEPS.index(step), ""
        if step == installer.Step.START:
            self.close()
        else:
            self._serve()
        self._show()

    def fail(self, trouble: str) -> None:
        """Shows why the step does not end."""
        self._serve()
        if trouble != self._trouble:
            self._trouble = trouble
            self._show()

    def close(self) -> None:
        """Gives the port back."""
        if self._server is not None:
            self._server.shutdown()
            self._server.server_close()
            self._server = None

    def page(self) -> bytes:
        """Returns the steps as a page."""
        steps = "".join(
            f"<li class=now>{step} ...</li>"
            if number == self.step
            else f"<li>{'&#10003; ' if number < self.step else ''}{step}</li>"
            for number, step in enumerate(STEPS)
        )
        trouble = f"<p class=trouble>{html.escape(self._trouble)}</p>" if self._trouble else ""
        minutes = int((time.monotonic() - self._begun_s) / 60)
        return _PAGE.format(steps=steps, trouble=trouble, minutes=minutes).encode()

    def _serve(self) -> None:
        if self._server is not None or _PAGE_ENABLED.is_symlink():
            # The table of an earlier release goes on meanwhile, with its score page.
            return
        try:
            self._server = _StepsServer(("", PORT), partial(_StepsHandler, self))
        except OSError as error:
            print(f"no page of the steps: {error}")
            return
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def _show(self) -> None:
        said = f"step {self.step + 1} of {len(STEPS)}, {STEPS[self.step]}"
        print(f"{said}: {self._trouble}" if self._trouble else said, flush=True)
        trouble = [self._trouble.replace("\\", "/")] if self._trouble else []
        # agetty puts the machine's name in place of \n, and its address in place of \4.
        address = (
            "It takes 10 to 30 minutes; on a phone in the same network see also",
            f"http://\\n.local:{PORT}/  or  http://\\4:{PORT}/",
        )
        tell_screen(
            f"Cornerlight is being installed: {said}.", *trouble, *(address if self.step else ())
        )


class _StepsServer(ThreadingHTTPServer):
    """Serves the page of the steps, to so many at a time."""

    def verify_request(self, *_: object) -> bool:
        """Returns False, after which the connection is closed, if there are too many."""
        return threading.active_count() <= MOST_REQUESTS


class _StepsHandler(BaseHTTPRequestHandler):
    """Answers every request with the page of the steps."""

    timeout = 10

    def __init__(self, progress: Progress, *connection: Any) -> None:
        self._progress = progress
        super().__init__(*connection)

    def do_GET(self) -> None:
        """Answers with the page."""
        body = self._progress.page()
        self.send_response(200)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Cache-Control", "no-store")
        self.send_header("Cornerlight-Step", str(self._progress.step + 1))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Leaves the log to the steps."""


def main() -> int:
    """Installs the release of this folder, however long it takes; returns the exit status."""
    progress = Progress()
    progress.begin(NETWORK)
    await_network(progress)
    progress.begin(TIME)
    await_time()
    take_settings()
    restart = _installed(progress)
    shutil.copyfile(CARD / LIST, DONE)
    shutil.rmtree(installer.FROM, ignore_errors=True)
    os.sync()
    if restart:
        tell_screen("Cornerlight is installed. The machine restarts once.")
        subprocess.run(["systemctl", "reboot"], check=True)
    else:
        tell_screen()
    return 0


def tell_screen(*lines: str) -> None:
    """Shows lines of text on the screen of the Raspberry Pi, or none of ours."""
    SCREEN.parent.mkdir(exist_ok=True)
    text = "".join(f"{line}\n" for line in (*lines, ""))
    SCREEN.write_text(_CLEAR + text if lines else "", "utf-8")
    subprocess.run(["agetty", "--reload"], check=False)


def await_network(progress: Progress) -> None:
    """Waits until there is a way out of this machine."""
    begun_s = time.monotonic()
    while not _has_way():
        if time.monotonic() - begun_s > LATE_S:
            progress.fail(_NO_NETWORK)
        time.sleep(2)


def _has_way() -> bool:
    for family, address in _OUTSIDE:
        try:
            with socket.socket(family, socket.SOCK_DGRAM) as way:
                way.connect((address, 9))
        except OSError:
            continue
        return True
    return False


def await_time() -> None:
    """Waits until the clock is right: a Raspberry Pi has none that runs without power.

    Where a network lets no NTP through, a web server tells the time, and where nobody does, the
    installation goes on: it needs the time for packages of the system alone.
    """
    begun_s = time.monotonic()
    while not _SYNCHRONIZED.exists():
        if time.monotonic() - begun_s > TIME_S:
            _ask_time()
            return
        time.sleep(2)


def _ask_time() -> None:
    try:
        with urlopen(Request(_TIME_SERVER, method="HEAD"), timeout=20) as reply:
            told = email.utils.parsedate_to_datetime(reply.headers["Date"]).timestamp()
    except (OSError, TypeError, ValueError) as error:
        print(f"nobody tells the time: {error}")
        return
    if told > time.time():
        time.clock_settime(time.CLOCK_REALTIME, told)


def take_settings() -> None:
    """Makes a `table.toml` of the card the table's settings, before the first installation."""
    chosen = CARD / installer.CONFIG.name
    if chosen.is_file() and not DONE.exists():
        installer.CONFIG.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(chosen, installer.CONFIG)


def _installed(progress: Progress) -> bool:
    """Installs the release, and tries again until that succeeds; True if a restart is needed."""
    while True:
        try:
            return installer.install(progress.begin)
        except (installer.InstallError, OSError) as error:
            is_early = progress.step < STEPS.index(installer.Step.PROGRAM)
            again_s = AGAIN_S if is_early else PROGRAM_AGAIN_S
            progress.fail(f"{error}. It tries again every {again_s:.0f} s.")
            time.sleep(again_s)


if __name__ == "__main__":
    sys.exit(main())
