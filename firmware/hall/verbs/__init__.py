"""The verbs of a hall, found by `firmware.commands.main`, and parts that they share.

hall         runs a hall of tables and the pages of its organiser
hall_tables  processes of the simulated tables of a hall
plain_table  such a table: scripted people play on a board without pictures
join         joins a hall
share        connects a table to its hall
unshare      leaves a hall
club_link    the extra and the lines of events of these verbs
"""
