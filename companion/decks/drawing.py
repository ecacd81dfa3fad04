"""A contact sheet as one picture, and the matrix of counts as a picture for page and sheet alike."""

import io
import textwrap
from collections.abc import Sequence
from dataclasses import dataclass

import cv2
from PIL import Image, ImageDraw, ImageFont

from companion.decks.sheet import Grid, Sheet, Shown
from vision.geometry import Picture

WIDTH_PX = 2400
EDGE_PX = 40
CELL_PX = 26
LETTER = 0.5            # of a font's size, the mean width of a letter
MOST = 10               # the count that has the strongest colour
Rgb = tuple[int, int, int]


@dataclass(frozen=True)
class Colours:
    """Ink on a ground."""

    ink: Rgb
    ground: Rgb
    faint: Rgb


LIGHT = Colours((34, 34, 34), (255, 255, 255), (120, 120, 120))
DARK = Colours((238, 238, 238), (25, 26, 28), (150, 150, 150))
PALE, DEEP, ALARM = (243, 234, 216), (24, 84, 64), (196, 60, 40)


def as_png(sheet: Sheet) -> bytes:
    """The whole sheet as one picture, in the bytes of a PNG."""
    blocks = [_text(sheet.title, 56), _text("   ".join(f"{name}: {value}" for name, value in sheet.facts), 28)]
    blocks += [_text(line, 24) for line in sheet.said]
    if sheet.risk:
        blocks += [_text("What a camera confuses", 38), *(_text(line, 26) for line in sheet.risk)]
    if sheet.common:
        blocks.append(_row([_captioned(picture, name, 1140) for name, picture in sheet.common]))
    if sheet.places:
        blocks.append(_text("What varies", 38))
        looks = [(f"{place.number}: {_few(ids)}", picture) for place in sheet.places for ids, picture in place.looks]
        blocks += _rows([_captioned(picture, name, 140) for name, picture in looks])
    if sheet.grid is not None:
        blocks += [_text(sheet.grid.title, 38), _fitting(matrix(sheet.grid, LIGHT))]
    blocks.append(_text("Cards", 38))
    blocks += _rows([_card(card) for card in sheet.cards])
    if sheet.others:
        blocks += [_text("Pieces", 38), *_rows([_captioned(picture, name, 180) for name, picture in sheet.others])]
    whole = Image.new("RGB", (WIDTH_PX, sum(b.height + 16 for b in blocks) + 2 * EDGE_PX), LIGHT.ground)
    y = EDGE_PX
    for block in blocks:
        whole.paste(block, (EDGE_PX, y))
        y += block.height + 16
    return png(whole)


def png(image: Image.Image) -> bytes:
    """The bytes of a PNG file."""
    out = io.BytesIO()
    image.save(out, "PNG")
    return out.getvalue()


def matrix(grid: Grid, colours: Colours) -> Image.Image:
    """The counts as coloured cells with their numbers, names along both edges."""
    font = ImageFont.load_default(13)
    left, top = (round(max(font.getlength(name) for name in names)) + 12 for names in (grid.rows, grid.columns))
    height, width = grid.values.shape
    image = Image.new("RGB", (left + width * CELL_PX + 1, top + height * CELL_PX + 1), colours.ground)
    draw = ImageDraw.Draw(image)
    for x, name in enumerate(grid.columns):
        label = Image.new("RGB", (top, CELL_PX), colours.ground)
        ImageDraw.Draw(label).text((4, CELL_PX / 2), name, colours.ink, font, "lm")
        image.paste(label.rotate(90, expand=True), (left + x * CELL_PX, 0))
    for y, name in enumerate(grid.rows):
        draw.text((left - 6, top + (y + 0.5) * CELL_PX), name, colours.ink, font, "rm")
        for x in range(width):
            value = int(grid.values[y, x])
            if value < 0:
                continue
            corner = left + x * CELL_PX, top + y * CELL_PX
            fill = _shade(value, alarming=grid.rows == grid.columns)
            draw.rectangle((*corner, corner[0] + CELL_PX - 2, corner[1] + CELL_PX - 2), fill)
            ink = LIGHT.ink if sum(fill) > 400 else (255, 255, 255)
            draw.text((corner[0] + CELL_PX / 2 - 1, corner[1] + CELL_PX / 2 - 1), str(value), ink, font, "mm")
    return image


def _shade(value: int, *, alarming: bool) -> Rgb:
    """The stronger the more; no difference at all, and more than a marker says, stand out."""
    if alarming and not 0 < value <= MOST:
        return ALARM
    part = min(value, MOST) / MOST
    return tuple(round(p + (d - p) * part) for p, d in zip(PALE, DEEP, strict=True))  # type: ignore[return-value]


def _text(words: str, size: int) -> Image.Image:
    font = ImageFont.load_default(size)
    lines = textwrap.wrap(words, max(10, int((WIDTH_PX - 2 * EDGE_PX) / (LETTER * size)))) or [""]
    image = Image.new("RGB", (WIDTH_PX - 2 * EDGE_PX, round(len(lines) * size * 1.3) + 6), LIGHT.ground)
    draw = ImageDraw.Draw(image)
    for n, line in enumerate(lines):
        draw.text((0, n * size * 1.3), line, LIGHT.ink, font)
    return image


def _captioned(picture: Picture | None, caption: str, width: int, *, missing: str = "") -> Image.Image:
    """A picture of that width with a line under it."""
    if picture is None:
        image = Image.new("RGB", (width, width * 2 // 3), (235, 235, 235))
        ImageDraw.Draw(image).text((width / 2, width / 3), missing, LIGHT.faint, ImageFont.load_default(22), "mm")
    else:
        image = Image.fromarray(cv2.cvtColor(picture, cv2.COLOR_BGR2RGB))
        image = image.resize((width, max(1, round(image.height * width / image.width))), Image.Resampling.LANCZOS)
    if not caption:
        return image
    out = Image.new("RGB", (width, image.height + 30), LIGHT.ground)
    out.paste(image, (0, 0))
    size = 20 if width > 160 else 16
    ImageDraw.Draw(out).text((0, image.height + 3), caption[: int(width / (LETTER * size))], LIGHT.ink, ImageFont.load_default(size))
    return out


def _card(card: Shown) -> Image.Image:
    """Front above back."""
    front, back = _captioned(card.front, "", 270, missing="no front"), _captioned(card.back, "", 270, missing="no back")
    departs = "" if card.departures is None else f"  departs in {card.departures}"
    out = Image.new("RGB", (270, front.height + back.height + 38), LIGHT.ground)
    out.paste(front, (0, 0))
    out.paste(back, (0, front.height + 4))
    caption = f"{card.id}  {card.words}{departs}"
    ImageDraw.Draw(out).text((0, out.height - 28), caption[:27], LIGHT.ink, ImageFont.load_default(20))
    return out


def _rows(images: Sequence[Image.Image], gap: int = 16) -> list[Image.Image]:
    """Images of one width, as many beside each other as there is room for."""
    if not images:
        return []
    across = max(1, (WIDTH_PX - 2 * EDGE_PX + gap) // (images[0].width + gap))
    return [_row(images[k : k + across], gap) for k in range(0, len(images), across)]


def _row(images: Sequence[Image.Image], gap: int = 16) -> Image.Image:
    out = Image.new("RGB", (WIDTH_PX - 2 * EDGE_PX, max(i.height for i in images)), LIGHT.ground)
    x = 0
    for image in images:
        out.paste(image, (x, 0))
        x += image.width + gap
    return out


def _fitting(image: Image.Image) -> Image.Image:
    room = WIDTH_PX - 2 * EDGE_PX
    return image if image.width <= room else image.resize((room, round(image.height * room / image.width)), Image.Resampling.LANCZOS)


def _few(ids: Sequence[str]) -> str:
    return ", ".join(ids) if len(ids) <= 3 else f"{len(ids)} cards"

