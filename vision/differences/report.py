"""What is told of a comparison: as JSON, as one PNG of both pictures with numbered places, as one self-contained HTML page."""

import base64
import html
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import cv2
import numpy as np

from vision.differences.align import Array, resized, warp
from vision.differences.comparison import Comparison
from vision.differences.laid import Laid, box_in
from vision.differences.maps import Maps
from vision.geometry import Picture
from vision.observation import Box, Place, to_dict

SIDE_PX = 900  # the longer side of each picture in a report
CROP_PX = 160  # the side of a crop in the list of places ...
LEAST_CROP_PX = 12  # ... that shows at least so much of A
COLOUR = (40, 40, 230)
GREY = (150, 150, 150)
UNDER = {"glare": "under glare", "hand": "under a hand", "outside": "outside the picture"}  # of a place that cannot be seen

STYLE = """:root{color-scheme:light dark;--ink:#222;--ground:#fff;--line:#d5d5d5;--soft:#f4f4f2;--mark:#c3160f}
@media(prefers-color-scheme:dark){:root{--ink:#eee;--ground:#191a1c;--line:#45474b;--soft:#26282b;--mark:#ff8a80}}
*{box-sizing:border-box}body{font:16px/1.5 system-ui,sans-serif;margin:0 auto;max-width:72rem;padding:1rem;
color:var(--ink);background:var(--ground)}
h1{font-size:1.5rem;line-height:1.25;margin:.4rem 0}h2{font-size:1.15rem;margin:1.8rem 0 .5rem}img{display:block;width:100%;height:auto}
.pair{display:grid;gap:.6rem;grid-template-columns:repeat(auto-fit,minmax(min(100%,22rem),1fr))}figure{margin:0}figcaption{overflow-wrap:anywhere}
.places{list-style:none;padding:0;display:grid;gap:.6rem;grid-template-columns:repeat(auto-fill,minmax(min(100%,19rem),1fr))}
.places li{display:grid;grid-template-columns:2rem 1fr 1fr;gap:.2rem .5rem;padding:.5rem;background:var(--soft);border-radius:.4rem}
.places b{color:var(--mark)}.places span{grid-column:2/4}
.stage{position:relative;max-width:56rem}.layer{position:absolute;inset:0}
.tools{display:flex;flex-wrap:wrap;gap:.6rem;align-items:center;max-width:56rem;margin:.5rem 0}
.tools label{flex:1 1 14rem;display:flex;gap:.5rem}
input{flex:1}button{font:inherit;color:inherit;
background:var(--soft);border:1px solid var(--line);border-radius:.4rem;min-height:2.75rem;padding:0 1rem}
button[aria-pressed=true]{background:var(--ink);color:var(--ground)}
dl{display:grid;grid-template-columns:max-content 1fr;gap:.15rem 1rem}dt{font-weight:600}dd{margin:0;overflow-wrap:anywhere}"""

SCRIPT = """const at=name=>document.getElementById(name),over=at('over'),warm=at('warm'),blink=at('blink');
const heat=at('heat'),slide=at('slide');
let timer=0;const press=(button,on)=>button.setAttribute('aria-pressed',String(on));
const still=()=>{clearInterval(timer);timer=0;over.hidden=false;press(blink,false)};
const cut=()=>{over.style.clipPath=`inset(0 0 0 ${slide.value}%)`};slide.oninput=()=>{still();cut()};
blink.onclick=()=>{if(timer){still();cut()}else{over.style.clipPath='none';timer=setInterval(()=>{over.hidden=!over.hidden},600);press(blink,true)}};
heat.onclick=()=>{warm.hidden=!warm.hidden;press(heat,!warm.hidden)};"""


def as_document(said: Comparison) -> dict[str, Any]:
    """The comparison as JSON has it (contract §5), with `notes` on what cannot be seen and `error` where it was refused."""
    out = to_dict(said.differences)
    if said.notes:
        out["notes"] = list(said.notes)
    if said.why:
        out["error"] = said.why
    return out


def as_png(a: Picture, b: Picture | None, said: Comparison) -> bytes:
    """Both pictures beside each other with the numbered places, as PNG bytes. No `b`: A is a sheet with both."""
    drawn = [_marked(a, said, "ab")] if b is None else [_marked(p, said, side) for p, side in ((a, "a"), (b, "b"))]
    height = max(p.shape[0] for p in drawn)
    padded = [np.pad(p, ((0, height - p.shape[0]), (0, 8), (0, 0)), constant_values=255) for p in drawn]
    return cv2.imencode(".png", np.hstack(padded))[1].tobytes()


def as_html(a: Picture, b: Picture | None, said: Comparison, *, names: tuple[str, str], settings: Mapping[str, str]) -> str:
    """One page without any outside file: blink, slider, heat map, the list with crops, the settings. No `b`: A is a sheet with both."""
    title = html.escape(sentence(said))
    parts = [f"<h1>{title}</h1>", *(f"<p>{html.escape(note)}</p>" for note in said.notes), _pair(a, b, said, names)]
    if said.differences.places:
        parts += ["<h2>Places</h2>", _places(a, a if b is None else b, said)]
    if said.laid is not None and said.maps is not None:
        parts += ["<h2>One on the other</h2>", _stage(said.laid, said.maps)]
    listed = "".join(f"<dt>{html.escape(k)}</dt><dd>{html.escape(v)}</dd>" for k, v in (_facts(said) | dict(settings)).items())
    parts += ["<h2>Settings</h2>", f"<dl>{listed}</dl>"]
    return (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">'
        f"<title>{title}</title><style>{STYLE}</style></head><body><main>{''.join(parts)}</main></body></html>\n"
    )


def sentence(said: Comparison) -> str:
    """The answer in one line of plain words."""
    d = said.differences
    if d.count is None:
        return f"Not the same picture: {said.why}"
    counted = counted_in_words(d.count, d.range or None, [u.why for u in d.unseen])
    return f"{counted}, {d.probability:.0%} sure" + (", one is mirrored" if d.alignment and d.alignment.mirrored else "")


def counted_in_words(count: int, reach: tuple[int, int] | None, unseen: Sequence[str]) -> str:
    """A count with what may be more or fewer, and why. `reach`: the range of the true total; `unseen`: why each hidden place is hidden."""
    counted = "no difference" if count == 0 else "1 difference" if count == 1 else f"{count} differences"
    doubts = [f"between {reach[0]} and {reach[1]}"] if reach not in (None, (count, count)) else []
    doubts += [_hidden(why, n) for why, n in sorted(Counter(unseen).items())]
    return counted + (f" ({'; '.join(doubts)})" if doubts else "")


def _hidden(why: str, n: int) -> str:
    places, lie, are = ("one place", "lies", "is") if n == 1 else (f"{n} places", "lie", "are")
    return f"{places} {lie} {UNDER[why]}" if why in UNDER else f"{places} {are} {why}"


def _pair(a: Picture, b: Picture | None, said: Comparison, names: tuple[str, str]) -> str:
    shown = [(a, "ab", names[0])] if b is None else [(a, "a", f"A: {names[0]}"), (b, "b", f"B: {names[1]}")]
    unseen = "<p>Grey boxes could not be compared: " + ", ".join(sorted({u.why for u in said.differences.unseen})) + ".</p>"
    figures = "".join(
        f"<figure>{_image(_marked(picture, said, sides), name + ' with numbered places')}"
        f"<figcaption>{html.escape(name)}</figcaption></figure>"
        for picture, sides, name in shown
    )
    return f'<div class="pair">{figures}</div>' + (unseen if said.differences.unseen else "")


def _places(a: Picture, b: Picture, said: Comparison) -> str:
    alignment = said.differences.alignment
    b_to_a = np.array(alignment.b_to_a).reshape(3, 3) if alignment else np.eye(3)
    rows = []
    for place in said.differences.places:
        shown = "".join(_image(crop, f"place {place.n} in {side}") for crop, side in zip(_crops(a, b, place, b_to_a), "AB", strict=True))
        what = f"{place.kind or 'different'}{', in a printed circle' if place.ring else ''}, {place.probability:.0%} sure"
        rows.append(f"<li><b>{place.n}</b>{shown}<span>{what}</span></li>")
    return f'<ol class="places">{"".join(rows)}</ol>'


def _stage(laid: Laid, maps: Maps) -> str:
    likely = (np.clip(cv2.resize(maps.changed, laid.a.shape[1::-1]), 0, 1) * 255).astype(np.uint8)
    mixed = np.asarray(cv2.addWeighted(laid.a, 0.45, cv2.applyColorMap(likely, cv2.COLORMAP_INFERNO), 0.55, 0), np.uint8)
    return (
        f'<div class="stage">{_image(laid.a, "A")}<div class="layer" id="over" style="clip-path:inset(0 0 0 50%)">'
        f"{_image(laid.b, 'B laid on A')}</div>"
        f'<div class="layer" id="warm" hidden>{_image(mixed, "where differences are likely")}</div></div>'
        '<div class="tools"><label>A <input id="slide" type="range" value="50" aria-label="How much of A"> B</label>'
        '<button id="blink" aria-pressed="false">Blink</button><button id="heat" aria-pressed="false">Heat map</button></div>'
        f"<script>{SCRIPT}</script>"
    )


def _facts(said: Comparison) -> dict[str, str]:
    """How the two lay on each other."""
    alignment = said.differences.alignment
    if not alignment:
        return {}
    turned = f"turned by {alignment.rotated_deg:.1f}°" + (", mirrored" if alignment.mirrored else "")
    return {"alignment": f"B {turned}; off by {alignment.error_px:.2f} pixels of A where it was checked"}


def _marked(picture: Picture, said: Comparison, sides: str) -> Picture:
    """The picture at SIDE_PX with the numbered places of A, of B, or of both ("ab")."""
    k = min(1.0, SIDE_PX / max(picture.shape[:2]))
    out = resized(picture, k).copy()
    for place, box in [(p, p.a if side == "a" else p.b) for side in sides for p in said.differences.places]:
        x, y, w, h = (v * k for v in box)
        cv2.rectangle(out, (int(x) - 3, int(y) - 3), (int(x + w) + 3, int(y + h) + 3), COLOUR, 2)
        at = (max(0, int(x) - 3), max(22, int(y) - 7))
        for colour, thick in (((255, 255, 255), 5), (COLOUR, 2)):
            cv2.putText(out, str(place.n), at, cv2.FONT_HERSHEY_SIMPLEX, 0.9, colour, thick, cv2.LINE_AA)
    if "a" in sides:
        for hidden in said.differences.unseen:
            x, y, w, h = (int(v * k) for v in hidden.a)
            cv2.rectangle(out, (x, y), (x + w, y + h), GREY, 2)
    return out


def _crops(a: Picture, b: Picture, place: Place, b_to_a: Array) -> tuple[Picture, Picture]:
    """What a place shows in A and in B, both as A shows it: as large, as turned."""
    there = box_in(place.b, b_to_a)
    reach = max(*place.a[2:], *there[2:], LEAST_CROP_PX) * 0.8

    def seen(picture: Picture, to_a: Array, box: Box) -> Picture:
        x, y, w, h = box
        k = CROP_PX / (2 * reach)
        to_crop = np.array([[k, 0, k * (reach - x - w / 2)], [0, k, k * (reach - y - h / 2)], [0, 0, 1.0]])
        return warp(picture, to_crop @ to_a, CROP_PX, CROP_PX)

    return seen(a, np.eye(3), place.a), seen(b, b_to_a, there)


def _image(picture: Picture, alt: str) -> str:
    data = base64.b64encode(cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, 85])[1].tobytes()).decode()
    return f'<img alt="{html.escape(alt)}" src="data:image/jpeg;base64,{data}">'
