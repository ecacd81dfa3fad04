"""Whole numbers in full words, 0 to 199, in the five languages; larger ones stay digits, which every voice can read.

`form` is how the word stands: "" by itself (round three, marker one), "m" before a masculine noun, "f" before a feminine one.
"""

LANGUAGES = ("en", "fr", "es", "it", "de")

_UNITS = {
    "en": "zero one two three four five six seven eight nine "
    "ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen",
    "fr": "zéro un deux trois quatre cinq six sept huit neuf "
    "dix onze douze treize quatorze quinze seize dix-sept dix-huit dix-neuf",
    "es": "cero uno dos tres cuatro cinco seis siete ocho nueve "
    "diez once doce trece catorce quince dieciséis diecisiete dieciocho diecinueve",
    "it": "zero uno due tre quattro cinque sei sette otto nove "
    "dieci undici dodici tredici quattordici quindici sedici diciassette diciotto diciannove",
    "de": "null eins zwei drei vier fünf sechs sieben acht neun "
    "zehn elf zwölf dreizehn vierzehn fünfzehn sechzehn siebzehn achtzehn neunzehn",
}
_TENS = {
    "en": "twenty thirty forty fifty sixty seventy eighty ninety",
    "fr": "vingt trente quarante cinquante soixante soixante quatre-vingt quatre-vingt",
    "es": "veinte treinta cuarenta cincuenta sesenta setenta ochenta noventa",
    "it": "venti trenta quaranta cinquanta sessanta settanta ottanta novanta",
    "de": "zwanzig dreißig vierzig fünfzig sechzig siebzig achtzig neunzig",
}
_ACCENTED = {"veintidos": "veintidós", "veintitres": "veintitrés", "veintiseis": "veintiséis", "veintiun": "veintiún"}


def in_words(number: int, language: str, form: str = "") -> str:
    """The number in words; digits where it is not within 0 to 199."""
    if not 0 <= number < 200:
        return str(number)
    if number < 100:
        return _below_hundred(number, language, form)
    rest = number - 100
    below = _below_hundred(rest, language, form) if rest else ""
    match language:
        case "en":
            return f"one hundred and {below}" if rest else "one hundred"
        case "fr":
            return f"cent {below}".strip()
        case "es":
            return f"ciento {below}" if rest else "cien"
        case "it":
            return f"cento{below}"
        case _:
            return f"hundert{below}"


def _below_hundred(number: int, language: str, form: str) -> str:
    units = _UNITS[language].split()
    if number < 20:
        return _one(language, form) if number == 1 else units[number]
    ten, unit = _TENS[language].split()[number // 10 - 2], number % 10
    match language:
        case "en":
            return f"{ten}-{units[unit]}" if unit else ten
        case "fr":
            return _french(ten, number, form)
        case "es":
            word = _one("es", form) if unit == 1 else units[unit]
            if number > 29:
                return f"{ten} y {word}" if unit else ten
            return _ACCENTED.get(f"veinti{word}", f"veinti{word}") if unit else ten
        case "it":
            return (ten[:-1] if unit in (1, 8) else ten) + ("tré" if unit == 3 else units[unit] if unit else "")
        case _:
            return f"{'ein' if unit == 1 else units[unit]}und{ten}" if unit else ten


def _french(ten: str, number: int, form: str) -> str:
    """Seventy is sixty-ten and ninety four-twenty-ten; twenties keep their s only at the very end."""
    rest = number - (60 if 60 <= number < 80 else 80 if number >= 80 else number - number % 10)
    if rest == 0:
        return ten + "s" * (number == 80)
    word = _below_hundred(rest, "fr", form)
    return f"{ten} et {word}" if rest in (1, 11) and number < 80 else f"{ten}-{word}"


def _one(language: str, form: str) -> str:
    return {
        "en": {},
        "fr": {"f": "une"},
        "es": {"m": "un", "f": "una"},
        "it": {"m": "un", "f": "una"},
        "de": {"m": "ein", "f": "eine"},
    }[language].get(form, _UNITS[language].split()[1])
