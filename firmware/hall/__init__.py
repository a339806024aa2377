"""The hall: many tables, their broker and link, the tournament and its organiser.

link           the link between a table and its hall, as messages over MQTT
table_services  services of a table that plays in a hall
tournament     events, draws of rounds, standings; pure computation
certificates   the hall's own certificate authority, and the certificate of its broker
broker_files   settings, rights and passwords of the broker, as Mosquitto reads them
child_process  child processes, which end with the hall
broker_gate    the port of the broker: TLS, limits before and after a client is accepted
bridge         another broker that gets the public copies
broker         Mosquitto as a child process, started again when it dies
roster         the tables of the hall, with their passwords
table_monitor  the newest state of each table, from its messages
hall_client    the hall's own connection to its broker
sqlite_file    SQLite files whose commits are on disk when they return
names          names of players, and the public forms of them
journal        events of the tournament, on disk before anybody is shown them
tournament_sheets  pairings and standings as printed sheets
table_cards    a printed card for each table, with the code that connects it
documents      results and standings as files, and what is printed
show_settings  the delay that an organiser chose for spectators
hall_phones    the paired phones of organisers
command_events  events that a command of an organiser leads to
result_events  events that the results of a table lead to
page_parts     the parts of the hall's page
publisher      messages of the hall to tables and to the public, sent when they change
organiser      the process behind the pages: commands, page, messages
running_hall   broker, roster, connection, journal and organiser, put together
demo           simulated tables of a hall, each with its own connection
verbs          the verbs of a hall
"""
