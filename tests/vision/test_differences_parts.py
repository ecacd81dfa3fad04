"""The parts of the counter: rings, the count as a distribution, several frames of one still table."""

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.vision.differences_pictures import greyed, jpeg, scene, stickers
from vision.differences import Side, compare, count_in_frames
from vision.differences.align import Fit
from vision.differences.candidates import Candidate, candidates, joined, overlapping
from vision.differences.judge import Judged, Look, Spot, distribution, features, fitted, in_company, verdict
from vision.differences.laid import lay
from vision.differences.maps import STRIDE, Maps
from vision.differences.nearby import Nearby
from vision.differences.patches import pixel_odds
from vision.differences.rings import Ring, find_rings, own_departures
from vision.geometry import Picture, transform
from vision.observation import Alignment
from vision.table import Lens, Table
from vision.topview import View


def ringed(picture: Picture, where: list[tuple[int, int]], ink: tuple[int, int, int]) -> Picture:
    out = picture.copy()
    for at in where:
        cv2.circle(out, at, 34, ink, 3, cv2.LINE_AA)
    return out


@pytest.mark.parametrize("ink", [(15, 15, 15), (250, 250, 250), (30, 30, 200)], ids=["black", "white", "red"])
def test_printed_rings_are_found_and_are_no_differences(ink: tuple[int, int, int]) -> None:
    """Each side's rings are told apart from the other's; rings on both sides round equal things count nothing."""
    grey = greyed(scene(4))
    shared, own_a, own_b = (200, 200), (420, 300), (640, 470)
    a = jpeg(ringed(greyed(stickers(scene(4), [own_a])), [shared, own_a], ink), 90)
    b = ringed(greyed(stickers(scene(4), [own_b])), [shared, own_b], ink)
    assert a.shape == grey.shape

    said = compare(Side(a), Side(b))

    places = {r.on: r.at for r in said.rings}
    assert sorted(r.on for r in said.rings if np.hypot(r.at[0] / 0.96 - 200, r.at[1] / 0.96 - 200) < 12) == ["both"]
    assert {"a", "b"} <= set(places)
    assert said.differences.count == 2 and all(p.ring for p in said.differences.places)


def marks(*spots: tuple[int, int, int, int], size: tuple[int, int] = (48, 64)) -> np.ndarray:
    """A map that is sure within boxes (x, y, w, h) of cells."""
    out = np.zeros(size, np.float32)
    for x, y, w, h in spots:
        out[y : y + h, x : x + w] = 0.95
    return out


def rings_of(a: Picture, b: Picture, *marked: tuple[int, int, int, int]) -> list[Ring]:
    """The rings of two pictures (480, 640) that lie as they are, where the network has marked these boxes of cells."""
    corners = np.array([[0.0, 0], [640, 0], [640, 480], [0, 480]])
    mark = marks(*marked, size=(120, 160))
    return find_rings(lay(a, b, Fit(np.eye(3), 0.0, corners, 1.0), work_px=640), Maps(0 * mark, 0 * mark, 0 * mark + 1, 0 * mark, mark))


@pytest.mark.parametrize("ink", [(15, 15, 15), (30, 30, 210)], ids=["black", "red, as much brighter in red as darker in green"])
def test_a_ring_is_of_the_side_that_has_its_line(ink: tuple[int, int, int]) -> None:
    """Where the network marks a ring, the thin line round the place tells whose it is; without a line there is none."""
    plain = np.full((480, 640, 3), 120, np.uint8)

    rings = rings_of(ringed(plain, [(160, 160)], ink), plain, (35, 35, 10, 10), (95, 75, 10, 10))

    assert [ring.on for ring in rings] == ["a"]
    assert np.hypot(rings[0].at[0] - 160, rings[0].at[1] - 160) < 6 and 30 < rings[0].radius[0] < 38


def test_two_rings_in_one_mark_are_two() -> None:
    """One photo's ring touches the other's: their inner parts are one mark."""
    plain = np.full((480, 640, 3), 120, np.uint8)

    a, b = (ringed(plain, [at], (15, 15, 15)) for at in ((160, 160), (212, 160)))

    rings = rings_of(a, b, (34, 35, 12, 10), (46, 35, 12, 10))

    assert sorted((r.on, round(r.at[0] / 10)) for r in rings) == [("a", 16), ("b", 21)]


def test_things_that_touch_are_two_by_their_middles() -> None:
    """Connected cells with two plain middles are two places, with one middle one place."""
    picture = scene(2, 64 * STRIDE, 48 * STRIDE)
    laid = lay(picture, picture.copy(), Fit(np.eye(3), 0.0, np.array([[0.0, 0], [256, 0], [256, 192], [0, 192]]), 1.0))
    rows, columns = laid.a.shape[0] // STRIDE, laid.a.shape[1] // STRIDE
    size, everywhere = (rows, columns), np.ones((rows, columns), bool)
    changed = marks((20, 20, 24, 10), size=size)

    def places(*middles: tuple[int, int, int, int]) -> list[Candidate]:
        centre = marks(*middles, size=size)
        maps = Maps(changed, centre, everywhere, 0 * changed, 0 * changed)
        return candidates(laid, maps, everywhere, ~everywhere)

    assert len(places((26, 25, 1, 1))) == 1
    assert sorted(c.box[0] / STRIDE for c in places((25, 25, 1, 1), (38, 25, 1, 1))) == [20, 32]


def test_bent_paper_is_laid_flat() -> None:
    """Shifts that change slowly over the print are taken out, to a fraction of a pixel."""
    flat = scene(5, 768, 576)
    y, x = np.mgrid[:576, :768].astype(np.float32)
    bent = cv2.remap(flat, x + 2.5 * np.sin(x / 250), y + 2 * (x / 768) ** 2, cv2.INTER_CUBIC, borderMode=cv2.BORDER_REFLECT)
    corners = np.array([[0.0, 0], [768, 0], [768, 576], [0, 576]])

    laid = lay(flat, np.asarray(bent, np.uint8), Fit(np.eye(3), 0.3, corners, 1.0))

    inner = (slice(40, -40), slice(40, -40))
    before, after = (np.abs(p.astype(float) - laid.a)[inner].mean() for p in (cv2.resize(bent, laid.a.shape[1::-1]), laid.b))
    assert after < 0.35 * before


@pytest.mark.parametrize(("hidden", "detail_px", "second"), [(0.05, 900.0, 0.999), (0.0, 240.0, 0.999), (0.0, 900.0, 0.6)])
def test_no_count_is_called_sure_with_a_doubt_left(hidden: float, detail_px: float, second: float) -> None:
    """Something unseen, a coarse file or one doubtful place: less than 0.95, however sure the rest."""
    thing = Candidate(((10.0, 10, 40, 40),), 0.999, 0.999, 0.999, 100, 9.0, 0.0, 0.1)

    said = verdict([Judged(thing, 0.999, None), Judged(thing, second, None)], (), Look(768, detail_px, 0.0, hidden), model=fitted())

    assert said.count == 2 and said.probability < 0.95


def test_a_count_that_rings_and_pictures_agree_on_is_surer() -> None:
    """Two witnesses: every difference in a ring, every ring of one photo round a difference."""
    thing = Candidate(((10.0, 10, 40, 40),), 0.999, 0.999, 0.999, 100, 9.0, 0.0, 0.1)
    here, there = Ring((30.0, 30.0), (40.0, 40.0), "a"), Ring((330.0, 30.0), (40.0, 40.0), "b")

    def said(places: list[Judged], rings: list[Ring]) -> float:
        return verdict(places, rings, Look(768, 900.0, 1.0, 0.0), model=fitted()).probability

    both = said([Judged(thing, 0.99, here), Judged(thing, 0.99, there)], [here, there])
    assert both > said([Judged(thing, 0.99, here), Judged(thing, 0.99, None)], [here, there])
    assert said([Judged(thing, 0.99, here)], [here]) > said([Judged(thing, 0.99, here)], [here, there])


def test_the_judge_of_places_looks_at_what_it_was_fitted_on() -> None:
    """Its network knows features by their order alone."""
    thing = Candidate(((10.0, 10, 40, 40),), 0.9, 0.9, 0.9, 100, 9.0, 0.0, 0.1)

    assert tuple(features(Spot(thing, None, Nearby(), 0.0), [], Look(768, 900.0, 0.0, 0.0), 1)) == fitted().places


def test_a_doubtful_place_is_likelier_beside_sure_ones() -> None:
    """Where nothing else differs, most often nothing does."""
    thing = Candidate(((10.0, 10, 40, 40),), 0.9, 0.9, 0.9, 100, 9.0, 0.0, 0.1)
    doubtful, sure = Judged(thing, 0.6, None), Judged(thing, 0.99, None)

    lone, beside = (in_company(places, model=fitted())[0].probability for places in ([doubtful], [doubtful, sure, sure]))

    assert lone < 0.6 < beside


def test_the_pixels_of_a_place_say_the_same_whichever_is_named_first() -> None:
    """Where a sticker came they say more than where nothing changed."""
    a, b = scene(6), stickers(scene(6), [(300, 200), (8, 300)])
    laid = lay(a, b, Fit(np.eye(3), 0.3, np.array([[0.0, 0], [800, 0], [800, 600], [0, 600]]), 1.0))
    k = laid.width / 800
    places = [((k * (x - 25), k * (y - 25), 50 * k, 50 * k),) for x, y in ((300, 200), (8, 300), (600, 450))]

    odds = pixel_odds(laid, places)

    assert odds == pytest.approx(pixel_odds(laid.exchanged(), places), abs=1e-3)
    assert odds[0] > odds[2] + 2


def test_the_pair_tells_which_kind_of_deck_it_is() -> None:
    """Lone rings: each photo's own departures; rings on both sides only: every place that varies."""
    lone, both = Ring((0, 0), (9, 9), "a"), Ring((0, 0), (9, 9), "both")

    assert own_departures([lone] * 4) > 0.95
    assert own_departures([both] * 6) < 0.05
    assert own_departures([lone] * 5 + [both]) > 0.9


@given(st.lists(st.floats(0, 1), max_size=12), st.floats(0, 2))
@settings(max_examples=60)
def test_the_count_is_a_distribution(probabilities: list[float], extra: float) -> None:
    """It sums to one, and its mean is that of its parts."""
    spread = distribution(probabilities, extra)

    assert spread.sum() == pytest.approx(1, abs=1e-6)
    assert (spread * np.arange(len(spread))).sum() == pytest.approx(sum(probabilities) + extra, abs=1e-4)


@given(st.lists(st.tuples(st.floats(0, 90), st.floats(0, 90), st.floats(1, 9), st.floats(1, 9)), max_size=9))
@settings(max_examples=60)
def test_joined_boxes_lie_apart_and_hold_all(boxes: list[tuple[float, float, float, float]]) -> None:
    """No two of the joined boxes come near each other, and every box lies in one of them."""
    out = joined(boxes, 2.0)

    assert all(not overlapping(p, q, 2.0) for k, p in enumerate(out) for q in out[:k])
    for x, y, w, h in boxes:
        assert any(x >= X and y >= Y and x + w <= X + W + 1e-6 and y + h <= Y + H + 1e-6 for X, Y, W, H in out)


def table_frame(a: Picture, b: Picture, *, seed: int, noise: float) -> Picture:
    """A camera straight above a brown table, four pixels a millimetre: A on the left, B on the right and upside down."""
    rng = np.random.default_rng(seed)
    frame = np.full((720, 1280, 3), (60, 90, 120), np.float32)
    for picture, (x, y) in ((a, (120, 180)), (np.rot90(b, 2), (680, 180))):
        frame[y : y + 320, x : x + 480] = cv2.resize(np.ascontiguousarray(picture), (480, 320), interpolation=cv2.INTER_AREA)
    return np.clip(cv2.GaussianBlur(frame, (0, 0), 0.8) + rng.normal(0, noise, frame.shape), 0, 255).astype(np.uint8)


TABLE = Table((1280, 720), Lens((1280.0, 1280.0, 640.0, 360.0), (0.0,) * 5), (0.25, 0, 0, 0, 0.25, 0, 0, 0, 1.0))
QUADS = [[(30, 45), (150, 45), (150, 125), (30, 125)], [(170, 45), (290, 45), (290, 125), (170, 125)]]
PLACES = [(200, 120), (450, 330), (760, 480)]


def test_several_frames_of_one_table_are_one_look() -> None:
    """Frames that are noisy each are laid over each other; boxes and the alignment are in pixels of the frame."""
    base = scene(6, 900, 600)
    a, b = base, stickers(base, PLACES, 60)
    views = [View(table_frame(a, b, seed=k, noise=14), TABLE) for k in range(6)]

    said = count_in_frames(views, *QUADS)

    assert said.count == len(PLACES)
    for x, y in PLACES:
        at = 120 + x * 480 / 900, 180 + y * 320 / 600
        assert any(p.a[0] - 4 <= at[0] <= p.a[0] + p.a[2] + 4 and p.a[1] - 4 <= at[1] <= p.a[1] + p.a[3] + 4 for p in said.places)
    assert isinstance(said.alignment, Alignment) and abs(said.alignment.rotated_deg) == pytest.approx(180, abs=1)
    assert transform(said.alignment.b_to_a, [(680, 180), (1160, 500)]) == pytest.approx(np.array([(600, 500), (120, 180)]), abs=2)


def test_what_a_hand_covers_in_one_frame_another_frame_shows() -> None:
    """Only what no frame shows is hidden."""
    base = scene(6, 900, 600)
    a, b = base, stickers(base, PLACES, 60)
    frames = [table_frame(a, b, seed=k, noise=3) for k in range(2)]
    hands = [np.zeros((720, 1280), bool) for _ in frames]
    frames[0][180:520, 180:260] = (120, 150, 200)
    hands[0][175:525, 175:265] = True

    both = count_in_frames([View(f, TABLE) for f in frames], *QUADS, hidden=hands)
    one = count_in_frames([View(frames[0], TABLE)], *QUADS, hidden=hands[:1])

    assert both.count == len(PLACES) and not both.unseen
    assert one.count == len(PLACES) - 1 and one.unseen and isinstance(one.range, tuple) and one.range[1] >= len(PLACES)
