"""What the camera of a build sees, rendered, and a camera in the network that shows it."""

from collections.abc import Iterator
from functools import cache
from itertools import count

from firmware.cameras.mounting import MODELS, BoardSize, plan_mounting
from firmware.printing.marker_layout import MarkerLayout
from tests.support.http_camera import HttpCameraServer, stream
from vision.io.image_file import encode_jpeg
from vision.synthetic.renderer import Renderer
from vision.synthetic.scene import BoardLook, CameraPose, MarkerLook, TableLook

PERIOD_S = 0.1
"""Seconds between two pictures."""


@cache
def camera_jpeg(camera: str, board: BoardSize) -> bytes:
    """Returns the picture of an empty board with markers from the planned height.

    Args:
        camera: key of the camera.
        board: the board.
    """
    plan = plan_mounting(MODELS[camera], board)
    width, height = plan.pictures
    pose = CameraPose(0, 0, plan.height_mm, focal_px=plan.focal_px, width=width, height=height)
    layout = MarkerLayout(board)
    markers = tuple(
        MarkerLook(name, x, -y, size_mm=layout.marker_mm)
        for name, (x, y) in enumerate(layout.centres)
    )
    bare = BoardLook(board.squares, board.pitch_mm, rim_mm=board.rim_mm)
    return encode_jpeg(Renderer(1).render(TableLook(pose, bare, markers=markers)), 90)


def numbered(jpeg: bytes) -> Iterator[bytes]:
    """Yields a picture for ever, each time with another number in a comment (ITU-T T.81, B.2.4.5).

    The pixels are the same, so that what a command measures is the same; a camera that sends equal
    files stands still.
    """
    for number in count():
        yield jpeg[:2] + b"\xff\xfe\x00\x06" + number.to_bytes(4, "big") + jpeg[2:]


def streaming_camera(camera: str, board: BoardSize) -> HttpCameraServer:
    """Returns a camera in the network that shows this picture again and again."""
    return HttpCameraServer(stream(numbered(camera_jpeg(camera, board)), PERIOD_S))
