"""A contact sheet as one HTML page that needs no other file."""

import base64
import html
from collections.abc import Sequence

import cv2

from companion.decks.drawing import DARK, LIGHT, matrix, png
from companion.decks.sheet import Grid, Place, Sheet, Shown
from vision.differences.report import STYLE as COMMON_STYLE
from vision.geometry import Picture

STYLE = COMMON_STYLE + """
nav{display:flex;flex-wrap:wrap;gap:.2rem 1.2rem;margin:.8rem 0}a{color:inherit;text-underline-offset:.2em;padding:.55rem 0}
h2{border-top:1px solid var(--line);padding-top:1rem;scroll-margin-top:.5rem}
.looks{list-style:none;padding:0;display:grid;gap:.6rem;grid-template-columns:repeat(auto-fill,minmax(min(100%,19rem),1fr))}
.looks li{background:var(--soft);border-radius:.4rem;padding:.5rem .7rem .7rem}.looks b{color:var(--mark)}
.looks div{display:grid;gap:.5rem;grid-template-columns:repeat(3,1fr)}.looks figcaption{font-size:.875rem;line-height:1.3;margin-top:.2rem}
.cards{list-style:none;padding:0;display:grid;gap:.8rem;grid-template-columns:repeat(auto-fill,minmax(min(100%,17rem),1fr))}
.cards li{background:var(--soft);border-radius:.4rem;padding:.5rem}.cards h3{font-size:1rem;margin:0 0 .3rem}
.cards div{display:grid;grid-template-columns:1fr 1fr;gap:.4rem;align-items:center}.cards h3 span{font-weight:400}
.none{border:1px dashed var(--line);border-radius:.3rem;margin:0;padding:1.5rem .5rem;text-align:center}
.pieces{list-style:none;padding:0;display:grid;gap:.8rem;grid-template-columns:repeat(auto-fill,minmax(6rem,1fr));align-items:end}
.pieces img{max-width:8rem}.pieces span{font-size:.875rem}
.wide{overflow-x:auto}.wide img{width:auto;max-width:none}"""


def as_page(sheet: Sheet) -> str:
    """The page: facts and what is odd, what a camera confuses, what varies, the counts, the cards, the pieces."""
    parts: list[tuple[str, str, str]] = []
    if sheet.risk:
        parts.append(("risk", "What a camera confuses", f"<ul>{_items(sheet.risk)}</ul>"))
    if sheet.common:
        figures = "".join(f"<figure>{_image(picture, name)}<figcaption>{html.escape(name.capitalize())}.</figcaption></figure>"
                          for name, picture in sheet.common)
        places = f'<ol class="looks">{"".join(map(_place, sheet.places))}</ol>'
        parts.append(("common", "What varies", f'<div class="pair">{figures}</div>{places}'))
    if sheet.grid is not None:
        parts.append(("counts", sheet.grid.title, _matrix(sheet.grid)))
    parts.append(("cards", "Cards", f'<ul class="cards">{"".join(map(_card, sheet.cards))}</ul>'))
    if sheet.others:
        pieces = "".join(f"<li>{_image(picture, name)}<span>{html.escape(name)}</span></li>" for name, picture in sheet.others)
        parts.append(("pieces", "Pieces", f'<ul class="pieces">{pieces}</ul>'))
    title = html.escape(sheet.title)
    facts = "".join(f"<dt>{html.escape(name)}</dt><dd>{html.escape(value)}</dd>" for name, value in sheet.facts)
    odd = f"<ul>{_items(sheet.said)}</ul>" if sheet.said else ""
    links = "".join(f'<a href="#{name}">{html.escape(heading)}</a>' for name, heading, _ in parts)
    body = "".join(f'<section><h2 id="{name}">{html.escape(heading)}</h2>{inner}</section>' for name, heading, inner in parts)
    return (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">'
        f"<title>{title}</title><style>{STYLE}</style></head><body><main><h1>{title}</h1><dl>{facts}</dl>{odd}<nav>{links}</nav>"
        f"{body}</main></body></html>\n"
    )


def _items(lines: Sequence[str]) -> str:
    return "".join(f"<li>{html.escape(line)}</li>" for line in lines)


def _place(place: Place) -> str:
    looks = "".join(
        f"<figure>{_image(picture, f'place {place.number}, look {n}')}<figcaption>"
        f"{'most' if n == 1 and len(ids) > 6 else html.escape(', '.join(ids))}</figcaption></figure>"
        for n, (ids, picture) in enumerate(place.looks, 1)
    )
    return f"<li><b>{place.number}</b><div>{looks}</div></li>"


def _card(card: Shown) -> str:
    departs = "" if card.departures is None else f"departs in {card.departures} place{'' if card.departures == 1 else 's'}"
    words = html.escape(", ".join(word for word in (card.words, departs) if word))
    sides = "".join(
        f'<p class="none">no {name}</p>' if picture is None else _image(picture, f"{card.id}, {name}")
        for name, picture in (("front", card.front), ("back", card.back))
    )
    return f"<li><h3>{html.escape(card.id)} <span>{words}</span></h3><div>{sides}</div></li>"


def _matrix(grid: Grid) -> str:
    """The counts as a picture, by day and by night."""
    day, night = (_data(png(matrix(grid, colours)), "png") for colours in (LIGHT, DARK))
    alt = html.escape(f"{grid.title}: {len(grid.rows)} by {len(grid.columns)}")
    pictures = f'<source media="(prefers-color-scheme: dark)" srcset="{night}"><img alt="{alt}" src="{day}">'
    return f'<div class="wide" tabindex="0" role="group" aria-label="{alt}"><picture>{pictures}</picture></div>'


def _image(picture: Picture, alt: str) -> str:
    data = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, 82])[1].tobytes()
    h, w = picture.shape[:2]
    return f'<img alt="{html.escape(alt)}" width="{w}" height="{h}" src="{_data(data, "jpeg")}">'


def _data(data: bytes, kind: str) -> str:
    return f"data:image/{kind};base64,{base64.b64encode(data).decode()}"
