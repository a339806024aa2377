"""Presentation of a page: markup, drawings, pictures, text.

svg            shapes of pieces as SVG paths
mounting_view  places of cameras above a board
rule_drawings  drawings of the rules, wrong and right
doubt_view     view model of a doubt: the candidates in the camera's picture
position_text  text form of a position that an arbiter edits
puzzle_view    view model of a puzzle: progress, time, the answer
board_view     view model of the board, or of the field of a puzzle
drawn_wording  sentences with drawings of pieces
setup_view     view model of the set-up: steps, what each says, checks
view_model     view model of a page: what its fields do not say themselves
overlay        the overlay for streams as markup
replay_view    steps of a past game, numbered by its moves
review_view    the review of a past game: graphs, moments, pieces left over
graph          graphs over the course of a game
game_summary   course and scores of a game, ready to draw
invitation     the address of the page, also as a QR code
club_view      view model of what a table shows besides its game
played_table   a simulated table as JSON, for people who play at it
fragments      the newest page as markup, rendered once for all phones
share_image    a picture of a game to share
moving_image   a moving picture of a game to share
"""
