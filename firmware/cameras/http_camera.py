"""Opens a camera in a network as what it is: a stream of JPEGs, or single pictures."""

from firmware.cameras.http_client import HttpClient
from firmware.cameras.http_snapshot import HttpSnapshotCamera
from firmware.cameras.http_stream import HttpStreamCamera
from firmware.cameras.interfaces import CameraDriver


def open_http_camera(url: str) -> CameraDriver:
    """Asks the camera once, and returns the driver for the kind of its answer.

    Args:
        url: address of http or https, with user:password@ if the camera wants them.

    Raises:
        CameraError: there is no camera, or it sends no pictures.
    """
    client = HttpClient(url)
    del url  # a traceback may print it
    if client.open().kind.startswith("multipart/"):
        return HttpStreamCamera("", client=client)
    return HttpSnapshotCamera("", client=client)
