"""Reports a person can look at: both pictures with numbered places as one PNG, or one self-contained HTML page."""

import base64
import html
from collections.abc import Mapping

import cv2
import numpy as np

from vision.differences.align import resized
from vision.differences.comparison import Comparison
from vision.geometry import Picture
from vision.observation import Box

SIDE_PX = 900  # the longer side of each picture in a report
CROP_PX = 140  # the side of a crop in the list of places
COLOUR = (40, 40, 230)
GREY = (150, 150, 150)

STYLE = """body{font:16px/1.5 system-ui,sans-serif;margin:1.5rem auto;max-width:70rem;padding:0 1rem;color:#222;background:#fff}
h1{font-size:1.4rem}table{border-collapse:collapse}td,th{padding:.3rem .7rem;border-bottom:1px solid #ddd;text-align:left}
img{max-width:100%;height:auto;display:block}.stage{position:relative;max-width:56rem}.stage .over{position:absolute;inset:0}
.stage .over img{width:100%}button,input{font:inherit}figure{margin:0}.pair{display:flex;gap:.5rem}.pair>*{flex:1;min-width:0}
@media(prefers-color-scheme:dark){body{color:#eee;background:#1b1b1b}td,th{border-color:#444}}"""

SCRIPT = """const [over,slider,blink,heat]=['.over','#slide','#blink','#heat'].map(name=>document.querySelector(name));
let timer=0;slider.oninput=()=>{over.style.clipPath=`inset(0 0 0 ${slider.value}%)`};
blink.onclick=()=>{if(timer){clearInterval(timer);timer=0;over.style.visibility='visible';blink.textContent='Blink'}
else{over.style.clipPath='none';timer=setInterval(()=>{over.style.visibility=over.style.visibility==='hidden'?'visible':'hidden'},600);blink.textContent='Stop'}};
heat.onclick=()=>{const m=document.querySelector('.heat');m.hidden=!m.hidden;heat.setAttribute('aria-pressed',String(!m.hidden))};"""


def as_png(a: Picture, b: Picture, said: Comparison) -> bytes:
    """Both pictures beside each other with the numbered places, as PNG bytes."""
    drawn = [_marked(p, said, side) for p, side in ((a, "a"), (b, "b"))]
    height = max(p.shape[0] for p in drawn)
    padded = [np.pad(p, ((0, height - p.shape[0]), (0, 8), (0, 0)), constant_values=255) for p in drawn]
    return cv2.imencode(".png", np.hstack(padded))[1].tobytes()


def as_html(a: Picture, b: Picture, said: Comparison, *, names: tuple[str, str], settings: Mapping[str, str]) -> str:
    """One page without any outside file: blink, slider, heat map, the list with crops, the settings."""
    d = said.differences
    title = sentence(said)
    rows = []
    for place in d.places:
        crops = "".join(
            f"<td>{_image(_crop(p, box), f'place {place.n} in {side}')}</td>" for p, box, side in ((a, place.a, "A"), (b, place.b, "B"))
        )
        rows.append(
            f"<tr><td>{place.n}</td>{crops}<td>{place.kind or 'different'}{', ringed' if place.ring else ''}</td>"
            f"<td>{place.probability:.0%}</td></tr>"
        )
    stage = ""
    if said.laid is not None and said.maps is not None:
        warm = cv2.applyColorMap(
            (np.clip(cv2.resize(said.maps.changed, said.laid.a.shape[1::-1]), 0, 1) * 255).astype(np.uint8), cv2.COLORMAP_INFERNO
        )
        mixed = cv2.addWeighted(said.laid.a, 0.45, warm, 0.55, 0)
        stage = (
            f'<h2>One on the other</h2><p><button id="blink">Blink</button> '
            f'<label>A | B <input id="slide" type="range" value="50"></label> '
            f'<button id="heat" aria-pressed="false">Heat map</button></p><div class="stage">{_image(said.laid.a, "A")}'
            f'<div class="over" style="clip-path:inset(0 0 0 50%)">{_image(said.laid.b, "B laid on A")}</div></div>'
            f'<div class="heat" hidden>{_image(np.asarray(mixed, np.uint8), "where differences are likely")}</div><script>{SCRIPT}</script>'
        )
    facts = {"A": names[0], "B": names[1], **settings}
    listed = "".join(f"<tr><th>{html.escape(k)}</th><td>{html.escape(v)}</td></tr>" for k, v in facts.items())
    notes = "".join(f"<p>{html.escape(n)}</p>" for n in said.notes)
    table = f"<table><tr><th>No.</th><th>A</th><th>B</th><th>What</th><th>Sure</th></tr>{''.join(rows)}</table>" if rows else ""
    pictures = "".join(_image(_marked(p, said, side), f"{side.upper()} with numbered places") for p, side in ((a, "a"), (b, "b")))
    return (
        f'<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">'
        f"<title>{html.escape(title)}</title>"
        f"<style>{STYLE}</style><h1>{html.escape(title)}</h1>{notes}<div class='pair'>{pictures}</div>{table}{stage}"
        f"<h2>Settings</h2><table>{listed}</table></html>"
    )


def sentence(said: Comparison) -> str:
    """The answer in one line of plain words."""
    d = said.differences
    if d.count is None:
        return f"Not the same picture: {said.why}"
    out = "no difference" if d.count == 0 else "1 difference" if d.count == 1 else f"{d.count} differences"
    low, high = d.range if isinstance(d.range, tuple) else (d.count, d.count)
    if (low, high) != (d.count, d.count):
        out += f" (between {low} and {high})"
    out += f", {d.probability:.0%} sure"
    return out + (", one is mirrored" if d.alignment and d.alignment.mirrored else "")


def _marked(picture: Picture, said: Comparison, side: str) -> Picture:
    k = min(1.0, SIDE_PX / max(picture.shape[:2]))
    out = resized(picture, k).copy()
    for place in said.differences.places:
        x, y, w, h = (v * k for v in (place.a if side == "a" else place.b))
        cv2.rectangle(out, (int(x) - 3, int(y) - 3), (int(x + w) + 3, int(y + h) + 3), COLOUR, 2)
        at = (max(0, int(x) - 3), max(14, int(y) - 7))
        for colour, thick in (((255, 255, 255), 4), (COLOUR, 2)):
            cv2.putText(out, str(place.n), at, cv2.FONT_HERSHEY_SIMPLEX, 0.6, colour, thick, cv2.LINE_AA)
    if side == "a":
        for hidden in said.differences.unseen:
            x, y, w, h = (int(v * k) for v in hidden.a)
            cv2.rectangle(out, (x, y), (x + w, y + h), GREY, 1)
    return out


def _crop(picture: Picture, box: Box) -> Picture:
    x, y, w, h = box
    half = max(w, h, 12) * 0.8
    cx, cy = x + w / 2, y + h / 2
    height, width = picture.shape[:2]
    x0, y0 = (int(np.clip(v - half, 0, n - 2)) for v, n in ((cx, width), (cy, height)))
    x1, y1 = (int(np.clip(v + half, low + 1, n)) for v, low, n in ((cx, x0, width), (cy, y0, height)))
    return resized(picture[y0:y1, x0:x1], CROP_PX / max(x1 - x0, y1 - y0))


def _image(picture: Picture, alt: str) -> str:
    data = base64.b64encode(cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, 85])[1].tobytes()).decode()
    return f'<img alt="{html.escape(alt)}" src="data:image/jpeg;base64,{data}">'
