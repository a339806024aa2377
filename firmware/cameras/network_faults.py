"""Faults of cameras in a network, one sentence each; none contains an answer of the camera."""

import socket
import ssl
from typing import Final

from firmware.cameras.interfaces import CameraError, CameraFault

MOST_BYTES: Final = 20_000_000
"""Bytes of the largest picture; JPEGs of 16 million pixels have up to 10 million."""


def ended(name: str) -> CameraError:
    """The error of a camera that closed the connection."""
    return CameraError(
        CameraFault.FAILED, f"the stream ended: {name} closed the connection; start it again"
    )


def too_large(name: str) -> CameraError:
    """The error of a camera with a picture above `MOST_BYTES`."""
    return CameraError(
        CameraFault.FAILED,
        f"{name} sends a picture of more than {MOST_BYTES // 1_000_000} MB; "
        "choose a smaller size in its settings",
    )


def not_http(name: str) -> CameraError:
    """The error of a device that breaks the rules of http."""
    return CameraError(
        CameraFault.NO_PICTURES,
        f"{name} sends what is no answer of a camera; check the port in its address",
    )


def silent(name: str) -> CameraError:
    """The error of a camera that takes a connection and answers nothing."""
    return CameraError(
        CameraFault.SILENT,
        f"{name} takes the connection and answers nothing; "
        "start the camera again, and close other programs that show it",
    )


def circle(name: str) -> CameraError:
    """The error of a camera that redirects too often, or to what is no address."""
    return CameraError(
        CameraFault.NO_PICTURES,
        f"{name} redirects to no picture; open it in a browser and copy the address of its video",
    )


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


def unknown_login(name: str) -> CameraError:
    """The error of a camera that wants a login that is neither Basic nor Digest."""
    return CameraError(
        CameraFault.PASSWORD,
        f"{name} wants a login that is neither Basic nor Digest; "
        "choose one of them in the settings of the camera",
    )


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
        return busy(name)
    elif status != 200:
        fault = CameraFault.FAILED
        why = f"answers with the error {status}; start the camera again"
    elif kind in {"text/html", "application/xhtml+xml"}:
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


def single_pictures(name: str) -> CameraError:
    """The error of an address of single pictures that is opened as a video."""
    return CameraError(
        CameraFault.NO_PICTURES, f"{name} sends single pictures and no video; open it as such"
    )


def video(name: str) -> CameraError:
    """The error of an address of a video that is opened as single pictures."""
    return CameraError(
        CameraFault.NO_PICTURES, f"{name} sends a video and no single pictures; open it as such"
    )


def no_video(name: str) -> CameraError:
    """The error of a stream that has sound alone."""
    return CameraError(
        CameraFault.NO_PICTURES, f"{name} sends no video; choose another stream of the camera"
    )


def no_stream(name: str) -> CameraError:
    """The error of an address of rtsp that the camera does not know."""
    return CameraError(
        CameraFault.NO_PICTURES,
        f"{name} does not exist; look up the address of its stream in the camera's app or manual",
    )


def not_rtsp(name: str) -> CameraError:
    """The error of a device that does not speak rtsp, or sends what cannot be decoded."""
    return CameraError(
        CameraFault.NO_PICTURES,
        f"{name} sends no stream that can be read; check the port in its address, "
        "and choose H.264 in the camera's settings",
    )


def busy(name: str) -> CameraError:
    """The error of a camera that serves others."""
    return CameraError(
        CameraFault.BUSY, f"{name} is busy; close other programs that show this camera"
    )


def silent_video(name: str) -> CameraError:
    """The error of a stream that gives no pictures any more."""
    return CameraError(
        CameraFault.SILENT,
        f"{name} has given no picture for some seconds; look at the camera and its network, "
        "or choose its smaller stream if this machine is too slow for it",
    )
