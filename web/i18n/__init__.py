"""Texts in each viewer's language.

texts      the texts of a language, from its files
wording    sentences made from codes
hall_wording  sentences of a hall's pages
languages  the languages, and the choice of one for a viewer
"""
