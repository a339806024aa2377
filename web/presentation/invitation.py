"""The address of the page, also as a QR code, for phones that do not know it yet."""

from dataclasses import dataclass

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
    code = segno.make(addresses[0], error="m", micro=False, boost_error=False)
    drawn = code.svg_inline(dark="#000", light="#fff", omitsize=True, svgclass="qr", lineclass=None)
    first, *others = (address.removeprefix("http://").rstrip("/") for address in addresses)
    return Invitation(first, tuple(others), drawn)
