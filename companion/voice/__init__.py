"""Sentences that the referee says, in five languages.

`word(event, ruling, language)` is the caption, `say(…)` what the voice says (or None), `due_sentence(view, language)` what is
due now, `settings(game, language)` what can be chosen. The catalogues are `locale/LANGUAGE/LC_MESSAGES/companion.po`; after a
change compile them with `pybabel compile -D companion -d companion/voice/locale`.
"""

from companion.voice.choices import settings
from companion.voice.due import due_sentence
from companion.voice.numerals import LANGUAGES
from companion.voice.sentences import say, word

__all__ = ["LANGUAGES", "due_sentence", "say", "settings", "word"]
