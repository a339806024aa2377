"""The program `cornerlight`: finds the verb, runs it, and turns errors into one sentence.

A verb is a module of `firmware.commands`, or of the package `verbs` of a room that can be taken
out (with `_` for `-`). It is imported when it is called, so that `--help` is instant, and has
`EXAMPLE`, `configure(parser)` and `run(arguments) -> exit status`.

Exit status: 0 success, 1 a fault in the examined thing, 2 wrong usage or unreadable input.
"""

import argparse
import os
import re
import signal
import sys
from collections.abc import Sequence
from contextlib import nullcontext
from difflib import get_close_matches
from importlib import import_module
from importlib.util import find_spec
from io import TextIOWrapper
from types import ModuleType
from typing import Final, NoReturn

from firmware import __version__
from firmware.assembly.rooms import rooms_with
from firmware.commands.live_output import live_output
from firmware.drivers.interfaces import DeviceError
from firmware.errors import CornerlightError, without_passwords
from firmware.rules.errors import RulesError
from vision.errors import VisionError

VERBS: Final = {
    "demo": "run a simulated table and its score page",
    "run": "referee a real table in view of a camera",
    "page": "serve the score page of a table",
    "read": "read the position on the board in a picture",
    "watch": "referee a recorded game",
    "replay": "check a game record move by move, and score it",
    "calibrate": "check a set-up, and measure the camera's lens",
    "print": "print markers, rules and an address card, and tell how high a camera hangs",
    "hint": "find the best moves in the last position of a game record",
    "solve": "finish a one-player puzzle, from empty or as begun",
    "gtp": "run the computer player as a GTP engine",
    "perft": "count legal move sequences",
    "pair": "print a number that makes a phone the arbiter's",
    "join": "join a hall, by its invitation",
    "share": "connect a table to its hall, and to a home",
    "unshare": "leave the hall, and clear what the table left there",
    "shutdown": "switch the machine off on which the table is a service",
    "lights-off": "put the lights out, also after the table was killed",
    "lights-test": "show pictures on the LEDs, and ask whether they look right",
    "hall": "run a hall of many tables, and the pages of its organiser",
    "doctor": "check this machine, its camera, services and settings",
    "bench": "measure the speed of the parts on this machine",
}
"""Every verb and what it does, in the order of `--help`."""

OLD_NAMES: Final = {"dark": "lights-off"}
"""Verbs by their former names."""

NEED_UNIX: Final = frozenset({"demo", "run", "page", "pair", "hall", "join", "share", "unshare"})
"""Verbs that need sockets and locks which Windows lacks."""

LIVE: Final = frozenset({"demo", "run", "page", "hall", "share"})
"""Verbs that run until they are stopped: what they print never holds them up."""

FAULT: Final = 1
"""Exit status: the thing examined has a fault."""

WRONG_USE: Final = 2
"""Exit status: wrong usage or unreadable input."""

ONE_THREAD: Final = {"OPENBLAS_NUM_THREADS": "1"}
"""Environment variables set before numpy is imported, also for processes that a verb starts. The
threads of OpenBLAS wait for each other in busy loops: with other programs on the cores, reading a
picture took 37 s of processor time with two of them, and 3.6 s with one."""

_LIKE_OPTIONS: Final = (["--computer"], ["--corners"])
"""Options with values that can begin with `-`: levels as `-,strong`, and numbers."""

_UNSHOWN: Final = re.compile(r"[\0-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]")
"""Control characters, and those that end a line or turn the direction of writing."""

INTERRUPTED: Final = 130
"""Exit status after Control-C."""


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        message = without_passwords(message)
        self.exit(WRONG_USE, f"{self.prog}: {message}; see {self.prog} --help\n")


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs one verb.

    Args:
        arguments: the words after `cornerlight`; those of this process by default.

    Returns:
        The exit status.
    """
    words = list(sys.argv[1:] if arguments is None else arguments)
    for variable, value in ONE_THREAD.items():
        os.environ.setdefault(variable, value)
    _open_closed_streams()
    is_live = sys.platform != "win32" and words[:1] and words[0] in LIVE
    with live_output() if is_live else nullcontext():
        return _status(words)


def _status(words: list[str]) -> int:
    """Runs one verb; returns the exit status, and says in one sentence what went wrong."""
    try:
        status = _run(words)
        sys.stdout.flush()
    except (CornerlightError, DeviceError, RulesError, VisionError) as error:
        complain(str(error))
        return WRONG_USE
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        # The reader of the output has closed it, as `head` does.
        _forget_output()
        return 0
    except OSError as error:
        why = error.strerror or error
        if error.filename is not None:
            remedy = (
                "use sudo, or another path" if isinstance(error, PermissionError) else "check it"
            )
            complain(f"{error.filename}: {why}; {remedy}")
            return WRONG_USE
        complain(f"{why}; what was printed is not whole")
        _forget_output()
        return WRONG_USE
    return status


def complain(sentence: str) -> None:
    """Prints what went wrong on one line; the name of a file in it may have any signs."""
    shown = _UNSHOWN.sub(lambda sign: ascii(sign[0])[1:-1], sentence)
    print(f"cornerlight: {shown}", file=sys.stderr)


def _open_closed_streams() -> None:
    """Opens standard streams that were closed, whose places the next files would take."""
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)
    sys.stdout = sys.stdout or os.fdopen(1, "w", closefd=False)
    sys.stderr = sys.stderr or os.fdopen(2, "w", closefd=False)
    if isinstance(sys.stdout, TextIOWrapper):  # the name of a file may be no text
        sys.stdout.reconfigure(errors="backslashreplace")


def _forget_output() -> None:
    """Discards output that cannot be written, which the interpreter would report at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def say(text: str) -> None:
    """Prints a line at once, which other threads do not interrupt."""
    print(f"{text}\n", end="", flush=True)


def _with_values(words: list[str]) -> list[str]:
    """Joins an option and a value that begins like one, as `--corners -4.8,2`, to one word."""
    joined: list[str] = []
    for word in words:
        if joined[-1:] in _LIKE_OPTIONS and word.startswith("-") and not word.startswith("--"):
            joined[-1] += f"={word}"
        else:
            joined.append(word)
    return joined


def missing_verbs() -> list[str]:
    """Returns the verbs whose room was taken out of the program."""
    return [verb for verb in VERBS if find_spec(_module_name(verb)) is None]


def _module_name(verb: str) -> str:
    """Returns the module of a verb: in the room that brings it, else beside this one."""
    name = verb.replace("-", "_")
    places = [f"firmware.{room}.verbs" for room in rooms_with(f"verbs.{name}")]
    return f"{(*places, 'firmware.commands')[0]}.{name}"


def module_of(verb: str) -> ModuleType:
    """Imports the module of a verb.

    Raises:
        CornerlightError: the verb, or a room that it needs, was taken out of the program.
    """
    module = _module_name(verb)
    try:
        return import_module(module)
    except ModuleNotFoundError as error:
        part = error.name or ""
        if not part.startswith(("firmware.", "web.")):
            raise
        needed = "" if part == module else f" needs {part}, which"
        message = f"{verb}{needed} is not installed; install a complete release"
        raise CornerlightError(message) from error


def _run(words: list[str]) -> int:
    parser = _Parser(
        prog="cornerlight",
        description="Referees a real game of Blokus Duo on a real table.",
        epilog="verbs:\n" + "".join(f"  {verb:10} {text}\n" for verb, text in VERBS.items()),
        formatter_class=argparse.RawDescriptionHelpFormatter,
        usage="cornerlight VERB ...    (cornerlight VERB --help shows the verb)",
    )
    parser.add_argument("--version", action="version", version=f"cornerlight {__version__}")
    if not words or words[0].startswith("-"):
        parser.parse_args(words)
        parser.print_help()
        return 0 if words else WRONG_USE
    verb = OLD_NAMES.get(words[0], words[0])
    if verb not in VERBS:
        near = get_close_matches(verb, VERBS, n=1)
        hint = f"did you mean {near[0]}" if near else "the verbs are " + ", ".join(VERBS)
        parser.error(f"there is no verb {verb!r}; {hint}")
    if sys.platform == "win32" and verb in NEED_UNIX:
        message = f"{verb} does not work on Windows; use Linux or macOS, or Linux under WSL"
        raise CornerlightError(message)
    command = module_of(verb)
    parser = _Parser(
        prog=f"cornerlight {verb}",
        description=f"{VERBS[verb].capitalize()}.",
        epilog=f"example: {command.EXAMPLE}",
    )
    command.configure(parser)
    chosen = parser.parse_args(_with_values(words[1:]))
    if signal.getsignal(signal.SIGINT) is signal.SIG_DFL:
        # All modules are imported; from here on there may be something to clean up.
        signal.signal(signal.SIGINT, signal.default_int_handler)
    status: int = command.run(chosen)
    return status
