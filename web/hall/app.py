"""The pages of a hall as a Flask application; `web.server` serves it."""

from collections.abc import Callable, Collection
from typing import Final

from flask import Flask
from flask.typing import ResponseReturnValue

from web.app import not_found, set_language
from web.compression import compress_responses
from web.hall import organiser, spectators, streams
from web.hall.backend import HallBackend
from web.hall.context import HallContext
from web.hall.organiser_screens import ORGANISER_SCREENS
from web.hall.screens import HallScreens
from web.hall.spectator_screens import SPECTATOR_SCREENS
from web.known_phones import KnownPhones
from web.rate_limit import PairingLimits
from web.request_guard import RequestGuard
from web.views.streams import StreamLimiter

LONGEST_LIST: Final = 1 << 16
"""Bytes of a form: a pasted list of 1,000 names of 20 letters has 25 kB, in Japanese 55 kB."""


def create_hall_app(
    backend: HallBackend,
    *,
    limit: int = 300,
    hosts: Collection[str] = (),
    addresses: Callable[[], tuple[str, ...]] = tuple,
    version: str = "",
) -> Flask:
    """Returns the Flask application of a hall's pages.

    Args:
        backend: the hall's process.
        limit: number of phones that may hold a stream at a time.
        hosts: host names that are accepted, see `web.request_guard`.
        addresses: returns the addresses at which phones open the pages, the best one first.
        version: version of the program, for organisers.
    """
    app = Flask("web")
    app.jinja_env.globals["version"] = version
    app.jinja_env.trim_blocks = app.jinja_env.lstrip_blocks = True
    phones = KnownPhones(backend)
    guard = RequestGuard(phones, hosts, LONGEST_LIST)
    guard.stand_before(app)
    compress_responses(app)
    parts = HallContext(
        backend=backend,
        phones=phones,
        limits=PairingLimits(),
        guard=guard,
        streams=StreamLimiter(limit),
        screens=HallScreens({**ORGANISER_SCREENS, **SPECTATOR_SCREENS}),
        addresses=addresses,
    )
    app.extensions["streams"] = parts.streams
    app.extensions["phones"] = phones
    app.extensions["hall"] = parts
    streams.add_routes(app, parts)
    organiser.add_routes(app, parts)
    spectators.add_routes(app, parts)
    app.add_url_rule("/language", "language", set_language, methods=["POST"])
    app.register_error_handler(404, lambda error: not_found(parts.render, error))
    app.register_error_handler(413, lambda _: _too_long(parts))
    return app


def _too_long(parts: HallContext) -> ResponseReturnValue:
    return {"code": "list-too-long", "said": parts.wording.reply("list-too-long")}, 413
