"""Presentation, from a page to what a viewer sees: markup, drawings, pictures, text.

svg            shapes from squares as SVG paths
position_text  a position that is set by hand, as text
arbiter_view   drawings for arbiters alone
view_model     paths, texts and marks that the templates draw
game_summary   the course and the score of a game, ready to draw
fragments      the newest page as markup, rendered once for everybody
share_image    a picture of a game to share
"""
