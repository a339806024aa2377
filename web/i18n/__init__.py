"""Words and sentences in each viewer's language.

phrases    every word a viewer reads, in English, marked for translation
wording    sentences from codes
languages  the languages, and the choice of one for a viewer
"""
