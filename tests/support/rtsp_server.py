"""A camera that speaks RTSP: GStreamer's own server, in a process of the system's Python."""

import subprocess
import sys
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Final, Self

PACKAGES: Final = (
    "gir1.2-gst-rtsp-server-1.0 gstreamer1.0-plugins-good gstreamer1.0-plugins-ugly python3-gi"
)
"""Packages of Debian with the server, and with what it sends."""

ENCODERS: Final = {
    "h264": "x264enc tune=zerolatency speed-preset=ultrafast key-int-max=15 ! rtph264pay",
    "mjpeg": "jpegenc quality=60 ! rtpjpegpay",
}
"""Formats in which cameras send their video."""

SOUND: Final = "audiotestsrc is-live=true ! audio/x-raw,rate=16000 ! rtpL16pay name=pay0 pt=96"
"""A microphone without a camera."""

_SCRIPT: Final = Path(__file__).with_name("gstreamer_rtsp.py")


def video(
    size: tuple[int, int] = (320, 240), fps: int = 10, encoder: str = "h264", pattern: str = "ball"
) -> str:
    """Returns the pipeline of a camera, in GStreamer's words.

    Args:
        size: width and height in pixels.
        fps: pictures a second.
        encoder: one of `ENCODERS`.
        pattern: a pattern of `videotestsrc`.
    """
    caps = f"video/x-raw,format=I420,width={size[0]},height={size[1]},framerate={fps}/1"
    return (
        f"videotestsrc name=source is-live=true pattern={pattern} ! {caps} ! "
        f"videorate name=rate drop-only=true ! {ENCODERS[encoder]} name=pay0 pt=96"
    )


@cache
def missing() -> str:
    """What RTSP cannot be tested without here; empty if nothing is missing."""
    try:
        import av  # noqa: F401, PLC0415
    except ImportError:
        return "PyAV is not installed; see: make test"
    return (
        "" if _python() else f"no RTSP server of GStreamer; install {PACKAGES}, or: make programs"
    )


@cache
def _python() -> str | None:
    """A Python with the bindings of GStreamer's server; they are packages of the system."""
    words = "import gi; gi.require_version('GstRtspServer', '1.0')"
    for python in ("/usr/bin/python3", sys.executable):
        with suppress(OSError):
            done = subprocess.run([python, "-c", words], capture_output=True, check=False)
            if done.returncode == 0:
                return python
    return None


class RtspServer:
    """A camera on a free port of loopback.

    Args:
        pipeline: what it sends, see `video`.
        login: "user:password" that it wants; empty to let everybody in.
        method: "basic" or "digest".
    """

    def __init__(self, pipeline: str = "", login: str = "", method: str = "digest") -> None:
        python = _python()
        assert python is not None
        self.process: Final = subprocess.Popen(
            [python, str(_SCRIPT), pipeline or video(), login, method],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        assert self.process.stdout is not None
        self.port: Final = int(self.process.stdout.readline())

    def url(self, path: str = "/live", login: str = "") -> str:
        """Returns an address of the camera; the login is "user:password" or empty."""
        return f"rtsp://{login}{'@' if login else ''}127.0.0.1:{self.port}{path}"

    def slow(self) -> None:
        """Has it send two pictures a second from now on."""
        self._tell("slow")

    def show(self, colour: int) -> None:
        """Changes the colour of the pattern "solid-color", 0xAARRGGBB."""
        self._tell(f"{colour:08x}")

    def close(self) -> None:
        """Ends the process."""
        self.process.kill()
        self.process.communicate()

    def _tell(self, line: str) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(f"{line}\n")
        self.process.stdin.flush()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
