"""A Debian in which the real picamera2 has a camera: libcamera's virtual one, with our pictures.

Raspberry Pi OS has picamera2 among its packages; here it lies where Debian looks for the system's
libraries. Ours are wheels of the locks in an environment, as the installer makes it.
"""

import platform
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final
from zipfile import ZipFile

from arm64 import FOR_TESTS
from emulated import EmulationError, debian
from release import locked, wheels_for

from tests.conftest import ROOT
from tests.support.container import no_container

PACKAGES: Final = (
    "libcamera-ipa",
    "python3",
    "python3-libcamera",
    "python3-piexif",
    "python3-prctl",
    "python3-venv",
)
"""Packages of the Debian: those that picamera2 needs and that are no wheels."""

PYTHON: Final = "3.13"

_CONFIGURATION: Final = """"a rendered camera":
  supported_formats:
  - {{width: 1536, height: 864, frame_rates: [1, 60]}}
  - {{width: 320, height: 240, frame_rates: [1, 60]}}
  {source}
  location: CameraLocationBack
  model: virtual
"""

_UNFIT: Final = (
    "raise ValueError('numpy.dtype size changed, may indicate binary incompatibility')\n"
)
"""The system's simplejpeg, as on Raspberry Pi OS Bookworm."""

_QUIETLY: Final = ("--quiet", "--register=no", "--keep-unit", "--as-pid2", "--pipe")


class VirtualCameraError(Exception):
    """There is no virtual camera here; the reason."""


class VirtualCameraMachine:
    """The Debian, which starts programs with the camera.

    Args:
        folder: place of its environment and of the camera's files.

    Raises:
        VirtualCameraError: it cannot be built here.
    """

    def __init__(self, folder: Path) -> None:
        if no_container():
            raise VirtualCameraError(no_container())
        if shutil.which("cc") is None:
            raise VirtualCameraError("no C compiler here; apt-get install gcc libc6-dev")
        self._folder: Final = folder
        for name in ("configuration", "controls", "pictures"):
            (folder / name).mkdir()
        try:
            self._root: Final = debian("trixie", PACKAGES, name="picamera2")
            self._download()
        except EmulationError as error:
            raise VirtualCameraError(f"no Debian with libcamera: {error}") from error
        except subprocess.CalledProcessError as error:
            raise VirtualCameraError("the wheels cannot be downloaded; no network?") from error
        self._compile()
        self._put_system()
        self._make_environment()
        self.show_pattern()

    def set_period(self, milliseconds: int) -> None:
        """Sets the time between two pictures."""
        (self._folder / "controls" / "period_ms").write_text(str(milliseconds), "utf-8")

    def show_pattern(self) -> None:
        """Lets the camera show a pattern that moves."""
        self._configure("test_pattern: lines")

    def show(self, pictures: Sequence[bytes]) -> None:
        """Lets the camera show JPEGs, each four times, and all again after the last."""
        folder = self._folder / "pictures"
        for number, picture in enumerate(pictures):
            (folder / f"{number:04}.jpg").write_bytes(picture)
        self._configure("frames: {path: /machine/pictures}")

    def remove(self) -> None:
        """Takes the camera away."""
        (self._folder / "configuration" / "virtual.yaml").unlink()

    def start(self, *words: str) -> "subprocess.Popen[str]":
        """Starts our Python with words, in this checkout."""
        return subprocess.Popen(
            self._command(["/machine/environment/bin/python", *words]),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )

    def run(self, *words: str, within_s: float = 300.0) -> tuple[int, str]:
        """Runs our Python with words; returns its status and its output."""
        with self.start(*words) as process:
            try:
                output, _ = process.communicate(timeout=within_s)
            finally:
                process.terminate()
        return process.returncode, output

    def _configure(self, source: str) -> None:
        path = self._folder / "configuration" / "virtual.yaml"
        path.write_text(_CONFIGURATION.format(source=source), "utf-8")

    def _command(self, words: Sequence[str]) -> list[str]:
        # What is written is thrown away, but for the machine's own folder.
        command = ["systemd-nspawn", *_QUIETLY, f"--directory={self._root}", "--volatile=overlay"]
        places = {
            ROOT: "/checkout",
            self._folder / "configuration": "/usr/share/libcamera/pipeline/virtual",
            self._folder / "system": f"/usr/local/lib/python{PYTHON}/dist-packages",
        }
        command += [f"--bind-ro={here}:{there}" for here, there in places.items()]
        variables = {
            "LC_ALL": "C.UTF-8",
            "LD_PRELOAD": "/machine/virtual_camera.so",
            "LIBCAMERA_LOG_LEVELS": "*:FATAL",
            "PYTHONDONTWRITEBYTECODE": "1",
            "PYTHONPATH": "/checkout",
            "VIRTUAL_CAMERA": "/machine/controls",
        }
        command += [f"--setenv={name}={value}" for name, value in variables.items()]
        return [*command, f"--bind={self._folder}:/machine", "--chdir=/checkout", *words]

    def _compile(self) -> None:
        library = self._folder / "virtual_camera.so"
        source = Path(__file__).parent / "virtual_camera.c"
        words = ["-shared", "-fPIC", "-O1", "-Wall", "-Werror", "-o", str(library), str(source)]
        subprocess.run(["cc", *words, "-ldl", "-lpthread"], check=True)

    def _download(self) -> None:
        """Downloads the wheels of the system, and ours."""
        text = (Path(__file__).parent / "picamera2.txt").read_text("utf-8")
        wheels_for(
            self._folder / "system-wheels", platform.machine(), PYTHON, (), self._locked(text)
        )
        ours = self._locked((ROOT / "requirements-pi.lock").read_text("utf-8"))
        more = [line for line in ours if line.startswith("simplejpeg==")]
        tests = self._locked((ROOT / "requirements-dev.lock").read_text("utf-8"))
        more += [line for line in tests if line.partition("==")[0] in FOR_TESTS]
        wheels_for(
            self._folder / "wheels", platform.machine(), PYTHON, ("requirements.lock",), more
        )

    def _put_system(self) -> None:
        """Puts picamera2 among the system's libraries, and a simplejpeg for another NumPy."""
        for wheel in (self._folder / "system-wheels").glob("*.whl"):
            with ZipFile(wheel) as archive:
                archive.extractall(self._folder / "system")
        (self._folder / "system" / "simplejpeg.py").write_text(_UNFIT, "utf-8")

    def _make_environment(self) -> None:
        """Makes the environment with our libraries, as the installer does."""
        names = sorted(wheel.name for wheel in (self._folder / "wheels").glob("*.whl"))
        script = (
            "import sys; sys.path.insert(0, '/checkout/systemd')\n"
            "from pathlib import Path; from installer import make_environment\n"
            f"wheels = [Path('/machine/wheels', name) for name in {names}]\n"
            "make_environment(Path('/machine/environment'), wheels)\n"
        )
        subprocess.run(self._command(["python3", "-c", script]), check=True, stdout=sys.stderr)

    def _locked(self, text: str) -> list[str]:
        return locked(text, platform.machine(), PYTHON)
