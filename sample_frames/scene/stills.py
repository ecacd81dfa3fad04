"""Still pictures of laid tables, with truth, in the layout of the frames that other decks are judged by.

OUT/cases.jsonl lists picture, table file, pack and game; each scene's folder has points.json, seats.json, camera.json, and beside each
picture a NAME.json: `expected`, the observation (contract §4) with every true value, and `judge`, what of each thing may be seen.
"""

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from sample_frames.deck import Deck
from sample_frames.scene.arrange import Laid, Reach, Room, lay, room
from sample_frames.scene.hands import LENGTH_MM, WIDTH_MM
from sample_frames.scene.light import Light
from sample_frames.scene.paint import Canvas, bare_table, flat
from sample_frames.scene.sensor import exposed, lit
from sample_frames.scene.surfaces import blurred
from sample_frames.scene.things import Face, Texture, Thing
from vision.geometry import depth_inside
from vision.table import Table

PER_SCENE = 3
SHADOW_STEP = 4  # hands throw soft shadows: every fourth pixel is enough
HAND = 1000  # owner numbers of hands begin here
BURNT = 0.965  # the light from which a place is white whatever lies there
Json = dict[str, Any]
Mask = NDArray[np.bool_]


def hand_face(reach: Reach, *, skin_only: bool = False) -> Face:
    """The hand's picture, level above the table."""
    texture = Texture(reach.hand.bare) if skin_only else reach.hand.whole
    return flat(texture, reach.middle_mm(LENGTH_MM, WIDTH_MM), (WIDTH_MM, LENGTH_MM), reach.turn, reach.height + 14)


def put_hand(canvas: Canvas, reach: Reach, light: Light, number: int) -> None:
    """Paint a hand and the soft shadow of hand and arm."""
    z = reach.height + 16
    x, y = light.cast([[*reach.middle_mm(LENGTH_MM, WIDTH_MM), z]])[0]
    fallen = canvas.coverage(flat(reach.hand.whole, (x, y), (WIDTH_MM, LENGTH_MM), reach.turn, 0.0), step=SHADOW_STEP)
    if fallen is not None:
        rows, cols = fallen[0]
        soft = blurred(fallen[1], canvas.px_per_mm(reach.at) * light.softness_mm(z) / SHADOW_STEP)
        whole = cv2.resize(soft, (cols.stop - cols.start, rows.stop - rows.start), interpolation=cv2.INTER_LINEAR)
        canvas.darken(fallen[0], np.asarray(whole, np.float32), 0.85 * light.depth())
    canvas.face(hand_face(reach), light, gloss=0.04, number=number)


def write_stills(out: Path, deck: Deck, *, seed: int, pictures: int, progress: Callable[[int, int], None] | None = None) -> None:
    """Write so many pictures, PER_SCENE of one table after another."""
    out.mkdir(parents=True, exist_ok=True)
    pack = deck.folder.resolve()
    cases = []
    for k in range(pictures):
        scene, number = divmod(k, PER_SCENE)
        name = f"scene{scene + 1:02d}"
        if number == 0:
            here = room(np.random.default_rng([seed, scene]))
            table = here.camera.table(tuple(p.seat for p in here.places), here.common)
            bare = bare_table(here.camera, here.surface)
            (out / name).mkdir(exist_ok=True)
            _write_scene(out / name, here, np.random.default_rng([seed, scene, 999]))
        rng = np.random.default_rng([seed, scene, number])
        laid = lay(rng, here, deck)
        picture, truth = still(here, laid, bare, table, deck, rng, source=f"{name}/{name}-{number + 1}.jpg")
        path = out / name / f"{name}-{number + 1}.jpg"
        cv2.imwrite(str(path), picture, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(80, 95))])
        path.with_suffix(".json").write_text(json.dumps(truth, ensure_ascii=False) + "\n", encoding="utf-8")
        cases.append(
            {
                "image": f"{name}/{path.name}",
                "table": f"{name}/table.toml",
                "deck": str(pack) if number % 2 == 0 else None,
                "game": "sherlook",
            }
        )
        if progress:
            progress(k + 1, pictures)
    (out / "cases.jsonl").write_text("".join(json.dumps(c) + "\n" for c in cases), encoding="utf-8")


def still(
    here: Room, laid: Laid, bare: Canvas, table: Table, deck: Deck, rng: np.random.Generator, *, source: str
) -> tuple[NDArray[np.uint8], Json]:
    """One picture of a laid table, and its truth."""
    canvas = bare.copy()
    for number, thing in enumerate(laid.things, start=1):
        canvas.thing(thing, here.light, number)
    for number, reach in enumerate(laid.hands):
        put_hand(canvas, reach, here.light, HAND + number)
    light = lit(canvas, here.light.falling(here.camera), here.light.glow(here.camera))
    burnt = light.min(-1) >= BURNT
    judged = [_judge(canvas, thing, number, burnt, table) for number, thing in enumerate(laid.things, start=1)]
    for judge, thing in zip(judged, laid.things, strict=True):
        if thing.name in laid.ids:
            judge |= {"id": laid.ids[thing.name], "quad": _rounded(thing.quad)}
    expected = _expected(laid, judged, table, source)
    judge_all: Json = {"things": judged, "hands": [], "won": [], "mood": here.mood, "table": here.cloth, "layout": laid.layout}
    pair = [(t, n) for n, t in enumerate(laid.things, start=1) if t.kind == "photo"]
    if len(pair) == 2 and _side(pair[0][0]) == _side(pair[1][0]):
        places = [
            _place(n, p, pair, canvas, burnt, table) for n, p in enumerate(deck.places(*(laid.ids[t.name] for t, _ in pair)), start=1)
        ]
        expected["differences"] = {
            "same_picture": True,
            "count": len(places),
            "places": [{k: p[j] for k, j in (("n", "n"), ("kind", "kind"), ("a", "a_px"), ("b", "b_px"))} for p in places],
        }
        judge_all["pair"] = {
            "a": laid.ids[pair[0][0].name],
            "b": laid.ids[pair[1][0].name],
            "side": _side(pair[0][0]),
            "count": len(places),
            "seen": sum(p["seen"] for p in places),
            "places": places,
        }
    expected["hands"], judge_all["hands"] = _hands(canvas, laid.hands, table)
    expected["advice"] = []
    return exposed(light, here.sensor, rng), {"expected": expected, "judge": judge_all}


def _side(thing: Thing) -> str:
    return "back" if thing.over == 180.0 else "colour"


def _judge(canvas: Canvas, thing: Thing, number: int, burnt: Mask, table: Table) -> Json:
    """What of a thing is hidden, burnt out or outside the frame, each 0..1, and whether it must be found."""
    own = np.zeros(burnt.shape, bool)
    for face in thing.faces():
        got = canvas.coverage(face)
        if got is not None:
            own[got[0]] |= got[1] > 0.5
    total = max(1, int(own.sum()))
    owners = canvas.owner[own]
    by_hand = float((owners >= HAND).sum()) / total
    by_other = float(((owners < HAND) & (owners != number)).sum()) / total
    outline = canvas.camera.project(np.c_[thing.outline, np.zeros(len(thing.outline))])
    w, h = table.image_size
    inside = float(((outline >= 0) & (outline <= (w, h))).all(1).mean())
    glare = float((burnt[own] & (owners == number)).sum()) / total
    hidden = by_hand + by_other
    margins = [abs(depth_inside(area, thing.at)) for area in [s.area for s in table.seats] + [table.common]]
    role = {"tent": "marker", "pile": "pile"}.get(thing.kind, thing.kind)
    width = canvas.camera.project([[*thing.quad[0], 0], [*thing.quad[1], 0]])
    return {
        "name": thing.name,
        "kind": {"photo": "card"}.get(role, role),
        "role": role,
        "hidden_hand": round(by_hand, 3),
        "hidden_other": round(by_other, 3),
        "hidden": round(hidden, 3),
        "glare": round(glare, 3),
        "inside": round(inside, 3),
        "tent": thing.kind == "tent",
        "must": hidden <= 0.25 and glare <= 1 / 3 and inside == 1.0,
        "px": round(float(np.linalg.norm(width[1] - width[0])), 1),
        "at": _rounded([thing.at])[0],
        "zone_margin_mm": round(min(margins), 1),
    }


def _expected(laid: Laid, judged: Sequence[Json], table: Table, source: str) -> Json:
    photos, markers, tokens = [], [], []
    for thing, judge in zip(laid.things, judged, strict=True):
        at, zone = judge["at"], table.zone(thing.at)
        if thing.kind == "photo":
            photos.append(
                {
                    "id": laid.ids[thing.name],
                    "side": _side(thing),
                    "quad": _rounded(thing.quad),
                    "hidden": round(min(1, judge["hidden"] + judge["glare"]), 3),
                    "sure": {"found": 1.0, "side": 1.0, "id": 1.0},
                    "name": thing.name,
                }
            )
        elif thing.name in laid.values:
            markers.append(
                {"value": laid.values[thing.name], "at": at, "zone": zone, "sure": {"found": 1.0, "value": 1.0}, "name": thing.name}
            )
        elif thing.name in laid.tokens:
            colour, face, stack = laid.tokens[thing.name]
            tokens.append(
                {
                    "colour": colour,
                    "face": face,
                    "at": at,
                    "zone": zone,
                    "sure": {"found": 1.0, "colour": 1.0},
                    "stack": stack,
                    "name": thing.name,
                }
            )
    return {
        "format": 1,
        "source": source,
        "t": 0.0,
        "image_size": list(table.image_size),
        "game": "sherlook",
        "still": True,
        "photos": photos,
        "markers": markers,
        "tokens": tokens,
    }


def _place(n: int, place: Any, pair: Sequence[tuple[Thing, int]], canvas: Canvas, burnt: Mask, table: Table) -> Json:
    """A true difference on both photos: mm, pixels, and whether it can be seen."""
    out: Json = {"n": n, "kind": place.kind, "spot": place.spot, "seen": True}
    x, y, w, h = place.box_mm
    local = np.array([[x, y], [x + w, y], [x + w, y + h], [x, y + h]])
    for key, (thing, number) in zip("ab", pair, strict=True):
        quad = thing.quad
        on_table = quad[0] + local[:, :1] * (quad[1] - quad[0]) / thing.size[0] + local[:, 1:] * (quad[3] - quad[0]) / thing.size[1]
        px = canvas.camera.project(np.c_[on_table, np.full(4, thing.lift + thing.thick)])
        left, top = px.min(0)
        wide, high = px.max(0) - px.min(0)
        out[f"{key}_mm"], out[f"{key}_px"] = _rounded(on_table), [round(float(v), 1) for v in (left, top, wide, high)]
        mask = np.zeros(burnt.shape, np.uint8)
        cv2.fillConvexPoly(mask, np.round(px - 0.5).astype(np.int32), 1)
        area = mask > 0
        whole = max(1.0, float(cv2.contourArea(px.astype(np.float32))), float(area.sum()))
        hidden = float((canvas.owner[area] != number).sum()) / whole
        glare = float((burnt[area] & (canvas.owner[area] == number)).sum()) / whole
        outside = max(0.0, 1 - float(area.sum()) / whole)
        out |= {f"{key}_hidden": round(hidden, 3), f"{key}_glare": round(glare, 3), f"{key}_outside": round(outside, 3)}
        out["seen"] = out["seen"] and hidden < 0.35 and glare < 0.35 and outside < 0.35
    return out


def _hands(canvas: Canvas, hands: Sequence[Reach], table: Table) -> tuple[list[Json], list[Json]]:
    """Outlines of the bare hands in table mm as the camera sees them, and whose they are."""
    seen, judged = [], []
    for number, reach in enumerate(hands, start=HAND):
        got = canvas.coverage(hand_face(reach, skin_only=True))
        if got is None:
            continue
        mask = np.zeros(canvas.owner.shape, np.uint8)
        mask[got[0]] = ((got[1] > 0.5) & (canvas.owner[got[0]] == number)).astype(np.uint8)
        contours, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
        if not contours:
            continue
        outline = cv2.approxPolyDP(max(contours, key=cv2.contourArea), 2.0, True)[:, 0].astype(np.float64) + 0.5
        c, s = np.cos(np.deg2rad(reach.turn)), np.sin(np.deg2rad(reach.turn))
        tx, ty = reach.hand.tip_mm
        tip = canvas.camera.project([[reach.at[0] + c * tx - s * ty, reach.at[1] + s * tx + c * ty, reach.height + 10]])
        seen.append({"polygon": _rounded(table.to_mm(outline)), "tip": _rounded(table.to_mm(tip))[0], "sure": 1.0})
        judged.append({"pose": reach.pose, "seat": reach.player, "height": round(reach.height, 1)})
    return seen, judged


def _write_scene(folder: Path, here: Room, rng: np.random.Generator) -> None:
    camera = here.camera
    half = np.array(here.common[2])
    spots = (
        np.array([[-0.9, -0.9], [0.9, -0.9], [0.85, 0.9], [-0.85, 0.9], [0.05, 0.0], [0.45, -0.5], [-0.4, 0.5]])[: int(rng.integers(4, 8))]
        * half
    )
    spots = np.round(spots + rng.normal(0, 8, spots.shape), 1)
    px = camera.project(np.c_[spots, np.zeros(len(spots))]) + rng.normal(0, 0.25, spots.shape)
    fx, fy, cx, cy = camera.lens.matrix
    w, h = camera.image_size
    lens = {"matrix": [round(v, 3) for v in camera.lens.matrix], "distortion": [round(v, 6) for v in camera.lens.distortion]}
    _write(
        folder / "points.json",
        {
            "format": 1,
            "image_size": [w, h],
            "points": [{"px": [round(float(v), 2) for v in p], "mm": m.tolist()} for p, m in zip(px, spots, strict=True)],
            "lens": lens if here.lens_known else None,
            "diagonal_fov_deg": None if here.lens_known else round(float(np.rad2deg(2 * np.arctan(np.hypot(w, h) / 2 / fx)))),
        },
    )
    _write(
        folder / "seats.json",
        {
            "format": 1,
            "seats": [{"name": p.seat.name, "colour": p.seat.colour, "area": _rounded(p.seat.area)} for p in here.places],
            "common": {"area": _rounded(here.common)},
        },
    )
    _write(
        folder / "camera.json",
        {
            "format": 1,
            "image_size": [w, h],
            "K": [[fx, 0, cx], [0, fy, cy], [0, 0, 1]],
            "distortion": list(camera.lens.distortion),
            "R": camera.rotation.tolist(),
            "t": camera.shift.tolist(),
            "eye_mm": camera.eye_mm.tolist(),
            "homography_undistorted_px_to_mm": camera.homography_to_mm().tolist(),
            "note": "X_cam = R [x,y,z]^T + t, table mm with z up and y down (det R = -1)",
        },
    )


def _write(path: Path, document: Json) -> None:
    path.write_text(json.dumps(document, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


def _rounded(values: Any) -> list[list[float]]:
    return [[round(float(x), 2), round(float(y), 2)] for x, y in np.asarray(values, np.float64).reshape(-1, 2)]
