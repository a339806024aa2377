"""Faults of cameras in a network, one sentence each; none contains an answer of the camera."""

import socket
import ssl
from enum import Enum
from typing import Final

from firmware.cameras.interfaces import CameraError
from firmware.codes import CameraFault

MOST_BYTES: Final = 20_000_000
"""Bytes of the largest picture; JPEGs of 16 million pixels have up to 10 million."""

MOST_PIXELS: Final = 13_000_000
"""Pixels of the largest picture of a video, whose decoder keeps up to 16 of them."""

PAGES: Final = ("text/html", "application/xhtml+xml")
"""Types of answers that are web pages."""


class NetworkFault(Enum):
    """Faults that one sentence tells; each value is a code and the sentence, {} for the camera."""

    ENDED = CameraFault.FAILED, "the stream ended: {} closed the connection; start it again"
    TOO_LARGE = (
        CameraFault.FAILED,
        (
            f"{{}} sends a picture of more than {MOST_BYTES // 1_000_000} MB; "
            "choose a smaller size in its settings"
        ),
    )
    NOT_HTTP = (
        CameraFault.NO_PICTURES,
        "{} sends what is no answer of a camera; check the port in its address",
    )
    SILENT = (
        CameraFault.SILENT,
        (
            "{} takes the connection and answers nothing; "
            "start the camera again, and close other programs that show it"
        ),
    )
    CIRCLE = (
        CameraFault.NO_PICTURES,
        "{} redirects to no picture; open it in a browser and copy the address of its video",
    )
    UNKNOWN_LOGIN = (
        CameraFault.PASSWORD,
        (
            "{} wants a login that is neither Basic nor Digest; "
            "choose one of them in the settings of the camera"
        ),
    )
    BUSY = CameraFault.BUSY, "{} is busy; close other programs that show this camera"
    TOO_MANY_PIXELS = (
        CameraFault.FAILED,
        (
            f"{{}} sends pictures of more than {MOST_PIXELS // 1_000_000} million pixels; "
            "choose its smaller stream"
        ),
    )
    NO_VIDEO = (
        CameraFault.NO_PICTURES,
        "{} sends no video; choose another stream of the camera",
    )
    NO_STREAM = (
        CameraFault.NO_PICTURES,
        "{} does not exist; look up the address of its stream in the camera's app or manual",
    )
    NOT_RTSP = (
        CameraFault.NO_PICTURES,
        (
            "{} sends no stream that can be read; check the port in its address, "
            "and choose H.264 in the camera's settings"
        ),
    )

    def of(self, name: str) -> CameraError:
        """The error of the camera of a name."""
        code, sentence = self.value
        return CameraError(code, sentence.format(name))


def password(name: str, *, has_login: bool) -> CameraError:
    """The error of a camera that wants a password.

    Args:
        name: the camera in the message.
        has_login: True if the address has a user and a password, or they would not help.
    """
    if has_login:
        why = "refuses the user or the password; check both in its address"
    else:
        scheme = name.partition("://")[0]
        why = (
            "wants a password; write user and password before its host, "
            f"as in {scheme}://user:password@192.168.1.20/video"
        )
    return CameraError(CameraFault.PASSWORD, f"{name} {why}")


def no_pictures(name: str, front_page: str, status: int, kind: str) -> CameraError:
    """The error of an answer without pictures.

    Args:
        name: the camera in the message.
        front_page: address of the web page of the camera.
        status: number of the answer.
        kind: type of its content in lower case.
    """
    fault = CameraFault.NO_PICTURES
    if status == 403:
        return password(name, has_login=True)
    if status in {404, 410}:
        why = f"does not exist; open {front_page} in a browser and copy the address of its video"
    elif status == 503:
        return NetworkFault.BUSY.of(name)
    elif status != 200:
        fault = CameraFault.FAILED
        why = f"answers with the error {status}; start the camera again"
    elif kind in PAGES:
        why = (
            "sends a web page and no pictures; "
            "open it in a browser and copy the address of its video"
        )
    else:
        why = f"sends no pictures; open {front_page} in a browser and copy the address of its video"
    return CameraError(fault, f"{name} {why}")


def unreachable(name: str, error: OSError) -> CameraError:
    """The error of a connection that failed.

    Args:
        name: the camera in the message.
        error: the failure.
    """
    if isinstance(error, ssl.SSLCertVerificationError):
        why = (
            "has a certificate that this machine does not trust; use its address with http:, "
            "or install its certificate on this machine"
        )
    elif isinstance(error, ssl.SSLError):
        why = "does not speak https; use its address with http:"
    elif isinstance(error, socket.gaierror):
        why = (
            "cannot be found: no device in the network has this name; "
            "check it, or use the IP address of the camera"
        )
    elif isinstance(error, ConnectionRefusedError):
        why = "refuses the connection; start the camera, and check the port in its address"
    else:
        why = "does not answer; check that the camera is on and in the same network"
    return CameraError(CameraFault.UNREACHABLE, f"{name} {why}")
