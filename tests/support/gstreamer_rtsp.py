"""GStreamer's RTSP server on a free port of loopback, run by the system's Python.

    python3 gstreamer_rtsp.py PIPELINE USER:PASSWORD basic|digest

It prints its port. A line "slow" on its input has it send two pictures a second from then on, and
one of eight digits has it show that colour. It ends with its input.
"""

import sys
from typing import Any

import gi

gi.require_version("Gst", "1.0")
gi.require_version("GstRtsp", "1.0")
gi.require_version("GstRtspServer", "1.0")

from gi.repository import GLib, Gst, GstRtsp, GstRtspServer  # noqa: E402

PIPELINE, LOGIN, METHOD = sys.argv[1:]


def main() -> None:
    """Serves until its input ends."""
    Gst.init(None)
    server = GstRtspServer.RTSPServer(address="127.0.0.1", service="0")
    factory = GstRtspServer.RTSPMediaFactory()
    factory.set_launch(f"( {PIPELINE} )")
    factory.set_shared(True)
    served: list[Any] = []
    factory.connect("media-configure", lambda _, media: served.append(media.get_element()))
    if LOGIN:
        want_login(server, factory)
    server.get_mount_points().add_factory("/live", factory)
    server.attach(None)
    sys.stdout.write(f"{server.get_bound_port()}\n")
    sys.stdout.flush()
    loop = GLib.MainLoop()

    def on_input(*_: object) -> bool:
        line = sys.stdin.readline().strip()
        if not line:
            loop.quit()
        for element in served:
            tell(element, line)
        return True

    GLib.io_add_watch(sys.stdin, GLib.IO_IN | GLib.IO_HUP, on_input)
    loop.run()


def tell(element: Any, line: str) -> None:
    """Changes what is sent."""
    if line == "slow":
        element.get_by_name_recurse_up("rate").set_property("max-rate", 2)
    elif line:
        element.get_by_name_recurse_up("source").set_property("foreground-color", int(line, 16))


def want_login(server: Any, factory: Any) -> None:
    """Lets in nobody else."""
    user, _, password = LOGIN.partition(":")
    auth = GstRtspServer.RTSPAuth()
    token = GstRtspServer.RTSPToken()
    token.set_string("media.factory.role", "viewer")
    if METHOD == "digest":
        auth.set_supported_methods(GstRtsp.RTSPAuthMethod.DIGEST)
        auth.add_digest(user, password, token)
    else:
        auth.set_supported_methods(GstRtsp.RTSPAuthMethod.BASIC)
        auth.add_basic(GstRtspServer.RTSPAuth.make_basic(user, password), token)
    server.set_auth(auth)
    permissions = GstRtspServer.RTSPPermissions()
    for right in ("access", "construct"):
        permissions.add_permission_for_role("viewer", f"media.factory.{right}", True)  # noqa: FBT003
    factory.set_permissions(permissions)


if __name__ == "__main__":
    main()
