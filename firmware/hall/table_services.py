"""The services of a table that plays in a hall."""

from firmware.hall.link.hall_service import HallService
from firmware.hall.link.invitation_watch import InvitationWatch
from firmware.hall.link.share_token import SHARE_TOKEN, ShareToken
from firmware.session.service import TableService
from firmware.session.table_parts import TableParts


def table_services(table: TableParts) -> list[TableService]:
    """Returns the services of a table that is being composed."""
    share = ShareToken(table.folder / SHARE_TOKEN)
    has_camera = not (table.is_simulated or table.is_repeated)
    watch = [InvitationWatch(table.folder)] if has_camera else []
    return [HallService(table.feed, table.seats, table.pairing, share, *watch), *watch]
