"""Installs a release of Cornerlight, goes back to the one before, or removes it.

    sudo python3 systemd/installer.py install | rollback | uninstall

It runs in the folder of an unpacked release, with the system's Python alone, and can be run again
at any time, also after it was killed. Each release has a folder of its own; `current` is a link to
one of them. A release that does not become active is left again for the one before. In the root of
an image, where no systemd runs, `install` starts nothing: the services start with the machine.
"""

import argparse
import importlib.util
import os
import platform
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from enum import StrEnum
from pathlib import Path
from typing import Final

from boot_config import with_block, with_words, without_block, without_words
from checksums import damaged

FROM: Final = Path(__file__).resolve().parent.parent
"""Folder of the unpacked release."""

HOME: Final = Path("/opt/cornerlight")
"""Folder of the installed releases and of the link to the present one; `uninstall` removes it."""

CONFIG: Final = Path("/etc/cornerlight/table.toml")
"""File of the table's settings: `install` writes the example if there is none, and it stays."""

STATE: Final = Path("/var/lib/cornerlight")
"""Folder of journal, paired phones and games, which the table writes; it always stays."""

WAIT_S: Final = os.environ.get("WAIT_S", "60")
"""Seconds in which the services of a release have to become active."""

_MOST_RELEASES: Final = 3
"""Releases that stay on the disk."""

_SPACE_MB: Final = 700
"""Space for a release and the one before: an environment with the player has about 330 MB."""

_BOOT: Final = (Path("/boot/firmware"), Path("/boot"))
"""Folders of the boot configuration of Raspberry Pi OS, the newer first."""

_RESTART: Final = Path("/run/cornerlight-restart")
"""File that is there from a change of the boot configuration to the next start."""

_SYSTEMD: Final = Path("/run/systemd/system")
"""Folder that is there where systemd runs; see sd_booted(3)."""

_SENSORS: Final = ("unicam", "rp1-cfe")
"""Beginnings of the names that Linux gives to the pictures of a camera at the camera connector:
up to a Raspberry Pi 4, and of a 5."""

_VIDEO: Final = Path("/sys/class/video4linux")
"""Folder in which Linux lists cameras."""

_PICAMERA2: Final = "python3-picamera2"
"""Package of the library for Raspberry Pi cameras; Raspberry Pi OS Lite is without it."""

_UNCOMPILED: Final = HOME / "uncompiled"
"""File that is there until `cornerlight-warm.service` has compiled the player."""

_UNITS: Final = Path("/etc/systemd/system")
"""Folder in which systemd looks for units that an administrator installs."""

_PLACED: Final = {
    "cornerlight.sysusers": Path("/etc/sysusers.d/cornerlight.conf"),
    "cornerlight.tmpfiles": Path("/etc/tmpfiles.d/cornerlight.conf"),
    "cornerlight.rules": Path("/etc/udev/rules.d/60-cornerlight.rules"),
    "cornerlight.avahi": Path("/etc/avahi/services/cornerlight.service"),
    "cornerlight.preset": Path("/etc/systemd/system-preset/50-cornerlight.preset"),
    "cornerlight.issue": Path("/etc/issue.d/50-cornerlight.issue"),
}
"""Files of this folder, and where the system looks for them."""

_CONSOLE: Final = Path("/etc/issue.d/51-cornerlight.issue")
"""Link to what the table has for the console; `cornerlight.tmpfiles` makes it."""

_STARTED: Final = (
    "cornerlight-player.socket",
    "cornerlight-table.service",
    "cornerlight-page.service",
    "cornerlight-power-off.path",
)
"""Units that run all the time."""

_WARM: Final = "cornerlight-warm.service"
"""Unit that compiles the player of a new release, once."""

_COMMAND: Final = Path("/usr/local/bin/cornerlight")
"""Link to the program of the present release, in the path of every user."""


class Step(StrEnum):
    """Steps of `install`, in order. From the last one on the score page has its port."""

    FILES = "checking the files"
    PACKAGES = "installing packages of the system"
    PROGRAM = "installing the program"
    CHECK = "checking the program"
    START = "starting the services"


class InstallError(Exception):
    """The installation cannot go on; one sentence with cause and remedy."""


def main(words: Sequence[str] | None = None) -> int:
    """Runs one command; returns the exit status."""
    commands: dict[str, Callable[[], object]] = {
        "install": install,
        "rollback": rollback,
        "uninstall": uninstall,
    }
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("command", choices=commands)
    chosen = parser.parse_args(words)
    try:
        _check_rights(chosen.command)
        commands[chosen.command]()
    except InstallError as error:
        print(f"cornerlight: {error}", file=sys.stderr)
        return 1
    return 0


def _check_rights(command: str) -> None:
    if not re.fullmatch("[0-9]{1,5}", WAIT_S):
        raise InstallError(f"WAIT_S is {WAIT_S!r}, which is no number of whole seconds")
    if os.geteuid() != 0:
        raise InstallError(f"root's rights are needed; run: sudo make {command}")


def install(say: Callable[[str], None] = print) -> bool:
    """Installs the release of this folder, and starts it.

    Args:
        say: is told each step as it begins, a text of `Step`.

    Returns:
        True if the machine has to be restarted once for its boot configuration.

    Raises:
        InstallError: the machine cannot run it, or it did not become active.
    """
    say(Step.FILES)
    wheels = _checked()
    say(Step.PACKAGES)
    _install_packages()
    say(Step.PROGRAM)
    _place_files()
    release = _made(wheels)
    _configure()
    say(Step.CHECK)
    _examine(release)
    restart = _boot_configured(with_block, with_words)
    before = current()
    say(Step.START)
    _UNCOMPILED.touch()
    _activate(release)
    if _SYSTEMD.is_dir():
        if not _becomes_active():
            _go_back(release, before)
        _run("systemctl", "start", "--no-block", _WARM)
    _drop_old(release, before)
    # A power cut from now on finds all of it on the disk.
    os.sync()
    print(f"Cornerlight {release.name} is installed. Its settings are in {CONFIG}.")
    print("Pair your phone: sudo cornerlight pair")
    if restart:
        print("The boot configuration has changed: restart the machine once, sudo reboot")
    return restart


def rollback() -> None:
    """Goes back to the release before the current one.

    Raises:
        InstallError: there is none, or it did not become active.
    """
    releases, now = _releases(), current()
    earlier = [one for one in releases if now is None or _number(one) < _number(now)]
    if not earlier:
        raise InstallError("no earlier release is here to go back to")
    _activate(earlier[-1])
    if not _becomes_active():
        raise InstallError(
            f"{earlier[-1].name} does not run either; see: journalctl -u 'cornerlight-*'"
        )
    print(f"Cornerlight {earlier[-1].name} runs.")


def uninstall() -> None:
    """Removes the program; settings, games and the state of the table stay."""
    units = sorted(path.name for path in _UNITS.glob("cornerlight-*"))
    for unit in units:
        if "@" not in unit and not unit.endswith(".d"):
            _run("systemctl", "disable", "--now", unit, check=False)
    for path in (*_UNITS.glob("cornerlight-*"), *_PLACED.values(), _COMMAND, _CONSOLE):
        if path.is_file() or path.is_symlink():
            path.unlink()
    shutil.rmtree(HOME, ignore_errors=True)
    _boot_configured(without_block, without_words)
    _run("systemctl", "daemon-reload", check=False)
    print(f"Cornerlight is removed. Your games are in {STATE}, the settings in {CONFIG.parent}.")


def current() -> Path | None:
    """Returns the folder of the release that runs; None if none is installed."""
    link = HOME / "current"
    return link.resolve() if link.is_symlink() and link.exists() else None


def _checked() -> Path:
    """Checks the machine and the files; returns the folder of its wheels."""
    python = f"{sys.version_info.major}.{sys.version_info.minor}"
    # The kernel may have 64 bits where the programs have 32.
    machine = platform.machine() if sys.maxsize > 2**32 else "a system of 32 bits"
    wheels = FROM / "wheels" / f"{machine}-{python}"
    if not wheels.is_dir():
        there = ", ".join(
            sorted(path.name for path in (FROM / "wheels").glob("*-*") if path.is_dir())
        )
        raise InstallError(
            f"this release is for {there or 'no machine'}, and here is "
            f"{machine}-{python}; use Raspberry Pi OS Bookworm or Trixie, 64 bit"
        )
    HOME.mkdir(parents=True, exist_ok=True)
    free_mb = shutil.disk_usage(HOME).free / 1e6
    if free_mb < _SPACE_MB:
        raise InstallError(
            f"{_SPACE_MB} MB are needed in {HOME}, and {free_mb:.0f} are free; make room"
        )
    try:
        wrong = damaged(FROM)
    except OSError as error:
        why = f"{error.filename} cannot be read: {error.strerror}"
        raise InstallError(f"{why}; unpack the archive again") from error
    if wrong:
        raise InstallError(
            f"{wrong[0]} is damaged or not part of this release; unpack the archive again"
        )
    return wheels


def _install_packages() -> None:
    """Installs the system's own packages, as far as there is a network.

    Raises:
        InstallError: one is missing without which the table cannot run here.
    """
    # A power cut may have come in the middle of one.
    _run("dpkg", "--configure", "-a", check=False, silent=True)
    # The lists of a fresh card are as old as its image.
    refused = _apt("update", "--option=APT::Update::Error-Mode=any")
    wanted = ["python3-venv", "avahi-daemon"]
    if _run("apt-cache", "show", _PICAMERA2, check=False, silent=True):
        wanted.append(_PICAMERA2)
    missing = _apt("install", "--no-install-recommends", *wanted)
    # Without lists a package has no cause of its own.
    refused = refused or missing
    if refused and not _SYSTEMD.is_dir():
        raise InstallError(f"{refused}; check the network, as an image has to have every package")
    if refused:
        print(f"{refused} (it goes on with the packages that are there)")
    if not _run(sys.executable, "-c", "import ensurepip", check=False, silent=True):
        raise InstallError("python3-venv is missing; run: sudo apt-get install python3-venv")
    importlib.invalidate_caches()
    if importlib.util.find_spec("picamera2"):
        return
    names = (path.read_text("utf-8") for path in _VIDEO.glob("*/name"))
    if any(name.startswith(_SENSORS) for name in names):
        raise InstallError(
            f"a Raspberry Pi camera is connected, and its library {_PICAMERA2} is not here; "
            f"{refused or 'no list of apt has it'}; check network and clock, and run it again"
        )
    print("This system has no picamera2: it goes on without the Raspberry Pi's own camera.")


def _apt(*words: str) -> str:
    """Runs apt-get, which waits for another one that runs; returns its error, or nothing."""
    command = ["apt-get", "--yes", "--quiet", "--option=DPkg::Lock::Timeout=600", *words]
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive", "LC_ALL": "C.UTF-8"}
    try:
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    except FileNotFoundError:
        return "apt-get is missing on this system"
    errors = [line for line in done.stderr.splitlines() if line.startswith("E:")]
    said = errors[0].removeprefix("E:").strip() if errors else f"status {done.returncode}"
    return f"apt-get {words[0]}: {said}" if done.returncode else ""


def _place_files() -> None:
    for name, place in _PLACED.items():
        place.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(FROM / "systemd" / name, place)
    _run("systemd-sysusers", str(_PLACED["cornerlight.sysusers"]))
    _run("systemd-tmpfiles", "--create", str(_PLACED["cornerlight.tmpfiles"]))
    _run("udevadm", "control", "--reload", check=False, silent=True)
    _run("udevadm", "trigger", check=False, silent=True)


def _made(wheels: Path) -> Path:
    """Makes the folder of this release: its environment, and its units."""
    (ours,) = (FROM / "wheels").glob("cornerlight-*.whl")
    version = ours.name.split("-")[1]
    now = current()
    for folder in (HOME / "releases").glob("*"):
        # One that is newer than the current one did not become active, or was left by a rollback.
        if folder not in _releases() or now is None or _number(folder) > _number(now):
            shutil.rmtree(folder)
    number = max((_number(one) for one in _releases()), default=0) + 1
    release = HOME / "releases" / f"{number:04}-{version}"
    release.mkdir(parents=True)
    names = (wheels / "requirements.txt").read_text("utf-8").split()
    make_environment(release / "venv", [*(wheels / name for name in names), ours])
    aside = release / "systemd.new"
    shutil.copytree(FROM / "systemd", aside)
    os.sync()
    aside.rename(release / "systemd")
    return release


def make_environment(folder: Path, wheels: Sequence[Path]) -> None:
    """Makes a Python environment of wheels, in which the system's libraries are found after them.

    Raises:
        InstallError: it cannot be made.
    """
    # picamera2 and libcamera are the system's.
    _run(sys.executable, "-m", "venv", "--system-site-packages", str(folder))
    pip = [str(folder / "bin" / "python"), "-m", "pip", "--quiet"]
    words = [
        "install",
        "--no-index",
        "--no-deps",
        "--ignore-installed",
        "--disable-pip-version-check",
    ]
    # The system's /tmp may be in memory, and too small.
    environment = {**os.environ, "TMPDIR": "/var/tmp"}  # noqa: S108 - not a file of ours
    _run(*pip, *words, *map(str, wheels), env=environment)


def _configure() -> None:
    """Puts the example of the settings where there are none yet."""
    if not CONFIG.exists():
        CONFIG.parent.mkdir(parents=True, exist_ok=True)
        example = (FROM / "systemd" / "table.example.toml").read_text("utf-8")
        # Every setting is shown with its default, and none is set.
        _write_whole(CONFIG, re.sub(r"(?m)^(?=\w)", "#", example))


def _examine(release: Path) -> None:
    """Checks a release before it replaces the one that runs; opens no device."""
    doctor = [str(release / "venv" / "bin" / "cornerlight"), "doctor", "--release"]
    words = [*doctor, "--config", str(CONFIG)]
    output = subprocess.PIPE
    done = subprocess.run(words, stdout=output, stderr=subprocess.STDOUT, text=True, check=False)
    print(done.stdout, end="")
    if done.returncode:
        shutil.rmtree(release, ignore_errors=True)
        faults = ("wrong ", "cornerlight:")
        wrong = [line for line in done.stdout.splitlines() if line.startswith(faults)]
        said = "; ".join(" ".join(line.split()[1:]) for line in wrong) or "see above"
        raise InstallError(
            f"this release or its settings have a fault, and nothing was changed: {said}"
        )


def _activate(release: Path) -> None:
    """Makes a release the current one, and restarts its services."""
    wanted = sorted((release / "systemd").glob("cornerlight-*"))
    for path in wanted:
        _write_whole(_UNITS / path.name, path.read_text("utf-8"))
    for path in _UNITS.glob("cornerlight-*"):
        if path.is_file() and path.name not in {one.name for one in wanted}:
            path.unlink()
    aside = HOME / "current.new"
    aside.unlink(missing_ok=True)
    aside.symlink_to(release)
    aside.replace(HOME / "current")
    _COMMAND.unlink(missing_ok=True)
    _COMMAND.symlink_to(HOME / "current" / "venv" / "bin" / "cornerlight")
    _run("systemctl", "enable", "--quiet", *_STARTED, _WARM)
    if _SYSTEMD.is_dir():
        _run("systemctl", "daemon-reload")
        _run("systemctl", "restart", "--no-block", *_STARTED)


def _becomes_active() -> bool:
    """True if all services of the current release become active, and stay so for 2 s."""
    until_s, times = time.monotonic() + int(WAIT_S), 0
    while time.monotonic() < until_s:
        # With several units, `is-active` succeeds as soon as one is.
        active = all(
            _run("systemctl", "is-active", "--quiet", unit, check=False) for unit in _STARTED
        )
        times = times + 1 if active else 0
        if times == 3:
            return True
        time.sleep(1)
    return False


def _go_back(release: Path, before: Path | None) -> None:
    """Leaves a release that did not become active.

    Raises:
        InstallError: always; it says which release runs now.
    """
    cause = f"{release.name} was not active within {WAIT_S} s; see: journalctl -u 'cornerlight-*'"
    if before is None:
        _run("systemctl", "disable", "--now", "--quiet", *_STARTED, check=False)
        raise InstallError(f"{cause}; nothing runs now")
    _activate(before)
    now = "runs again" if _becomes_active() else "does not run either"
    raise InstallError(f"{cause}; {before.name} {now}")


def _drop_old(*wanted: Path | None) -> None:
    for release in _releases()[:-_MOST_RELEASES]:
        if release not in wanted:
            shutil.rmtree(release)


def _releases() -> list[Path]:
    """Returns the folders of all whole releases, oldest first.

    The units are the last thing that a release gets.
    """
    units = (HOME / "releases").glob("[0-9][0-9][0-9][0-9]-*/systemd")
    return sorted((path.parent for path in units), key=_number)


def _number(release: Path) -> int:
    return int(release.name.partition("-")[0])


def _boot_configured(config: Callable[[str], str], cmdline: Callable[[str], str]) -> bool:
    """Changes the boot configuration of a Raspberry Pi; True if it changed since the start."""
    for name, change in (("config.txt", config), ("cmdline.txt", cmdline)):
        path = next((one / name for one in _BOOT if (one / name).is_file()), None)
        if path is None:
            continue
        before = path.read_text("utf-8")
        after = change(before)
        if after != before:
            _RESTART.touch()
            _write_whole(path.with_name(f"{name}.before-cornerlight"), before)
            _write_whole(path, after)
    return _RESTART.exists()


def _write_whole(path: Path, text: str) -> None:
    """Writes a file so that a power cut leaves the old one or the new one, and never half of it."""
    aside = path.with_name(f"{path.name}.new")
    with aside.open("w", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    aside.replace(path)
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


def _run(
    *words: str, check: bool = True, silent: bool = False, env: dict[str, str] | None = None
) -> bool:
    """Runs a program; True if it succeeds.

    Raises:
        InstallError: it fails, and `check` is set.
    """
    output = subprocess.DEVNULL if silent else None
    try:
        done = subprocess.run(words, env=env, stdout=output, stderr=output, check=False)
    except FileNotFoundError as error:
        if check:
            raise InstallError(f"{words[0]} is missing on this system") from error
        return False
    if check and done.returncode:
        raise InstallError(f"this failed with status {done.returncode}: {' '.join(words[:4])} ...")
    return done.returncode == 0


if __name__ == "__main__":
    sys.exit(main())
