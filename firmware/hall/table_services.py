"""The services of a table that plays in a hall."""

from firmware.hall.link.hall_service import HallService
from firmware.hall.link.invitation_watch import InvitationWatch
from firmware.hall.link.share_token import SHARE_TOKEN, ShareToken
from firmware.session.service import TableService
from firmware.session.table_parts import TableParts


def table_services(table: TableParts) -> list[TableService]:
    """Returns the services of a table that is being composed."""
    share = ShareToken(table.folder / SHARE_TOKEN)
    services: list[TableService] = [HallService(table.feed, table.seats, table.pairing, share)]
    if not (table.is_simulated or table.is_repeated):
        services.append(InvitationWatch(table.folder))
    return services
