"""The address of the page, also as a QR code, for phones that do not know it yet."""

from dataclasses import dataclass
from functools import lru_cache

import segno

from web.contract import Page


@dataclass(frozen=True, slots=True)
class Invitation:
    """Addresses at which phones in the network open the page.

    Attributes:
        address: the first one, as a person types it into a browser.
        others: the further ones.
        code: its QR code as an SVG element.
    """

    address: str
    others: tuple[str, ...]
    code: str


def invitation_of(page: Page | None, addresses: tuple[str, ...]) -> Invitation | None:
    """Returns the invitation to a game in which no piece was laid yet; None for any other.

    Args:
        page: the page of the game; None before the first.
        addresses: addresses of the page, the best one first.
    """
    if page is None or page.begun or page.finished or not addresses:
        return None
    first, *others = (address.removeprefix("http://").rstrip("/") for address in addresses)
    return Invitation(first, tuple(others), qr_code(addresses[0]))


@lru_cache(maxsize=4)
def qr_code(address: str) -> str:
    """Returns a QR code as an SVG element; drawing one takes 4 ms."""
    code = segno.make(address, error="m", micro=False, boost_error=False)
    return str(
        code.svg_inline(dark="#000", light="#fff", omitsize=True, svgclass="qr", lineclass=None)
    )
