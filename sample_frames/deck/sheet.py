"""A sheet in millimetres, y down, that becomes a PDF and then pixels.

reportlab writes the PDF (the same bytes for the same drawing), pypdfium2 turns it into an array; nothing else touches a pixel.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import pypdfium2
from reportlab.lib.units import mm
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import Canvas

from sample_frames.deck.kinds import KINDS
from sample_frames.deck.pen import Pen, Point, paint

Picture = npt.NDArray[np.uint8]
PX_PER_MM = 10
"""Of all pictures of the deck: a photo of 120 × 80 mm has 1200 × 800 pixels."""
FONT = "VeraBd"
"""Bitstream Vera Bold, which reportlab brings along: the numerals look alike on every machine."""


class Sheet:
    """Pages of one size. What is drawn lies on what was drawn before. Lengths in mm from the top left corner, colours "#rrggbb".

    A stamp is put into the PDF a single time and only referred to on every page that shows it.
    """

    def __init__(self, width_mm: float, height_mm: float) -> None:
        if FONT not in pdfmetrics.getRegisteredFontNames():
            pdfmetrics.registerFont(TTFont(FONT, f"{FONT}.ttf"))
        self.width_mm, self.height_mm = width_mm, height_mm
        self._file = io.BytesIO()
        self.canvas: Any = Canvas(self._file, pagesize=(width_mm * mm, height_mm * mm), invariant=1, pageCompression=0)
        self._known: set[str] = set()
        self._begin_page()

    def _begin_page(self) -> None:
        self.canvas.transform(mm, 0, 0, -mm, 0, self.height_mm * mm)
        self.canvas.setLineCap(1)
        self.canvas.setLineJoin(1)

    def next_page(self) -> None:
        self.canvas.showPage()
        self._begin_page()

    def stamp(self, name: str, draw: Callable[[], None], *, reach: float) -> None:
        """Draw what bears this name; `draw` is called for its first time only. `reach` bounds its coordinates.

        A stamp can hold neither transparency nor a shine: reportlab's forms do not carry them.
        """
        if name not in self._known:
            self.canvas.beginForm(name, -reach, -reach, reach, reach)
            draw()
            self.canvas.endForm()
            self._known.add(name)
        self.canvas.doForm(name)

    def poly(self, points: Sequence[Point], fill: str | None, *, edge: str | None = None, width: float = 0.2, alpha: float = 1.0) -> None:
        path = self.canvas.beginPath()
        path.moveTo(*points[0])
        for point in points[1:]:
            path.lineTo(*point)
        path.close()
        self._paint(lambda **how: self.canvas.drawPath(path, **how), fill, edge, width, alpha)

    def box(
        self,
        x: float,
        y: float,
        width: float,
        height: float,
        fill: str | None,
        *,
        corner: float = 0.0,
        edge: str | None = None,
        line: float = 0.2,
        alpha: float = 1.0,
    ) -> None:
        """A rectangle from its upper left corner."""
        self._paint(lambda **how: self.canvas.roundRect(x, y, width, height, corner, **how), fill, edge, line, alpha)

    def oval(
        self,
        x: float,
        y: float,
        rx: float,
        ry: float | None,
        fill: str | None,
        *,
        edge: str | None = None,
        width: float = 0.2,
        alpha: float = 1.0,
    ) -> None:
        """An oval about (x, y); a circle where `ry` is None."""
        ry = rx if ry is None else ry
        self._paint(lambda **how: self.canvas.ellipse(x - rx, y - ry, x + rx, y + ry, **how), fill, edge, width, alpha)

    def line(self, points: Sequence[Point], colour: str, width: float, *, alpha: float = 1.0) -> None:
        path = self.canvas.beginPath()
        path.moveTo(*points[0])
        for point in points[1:]:
            path.lineTo(*point)
        self._paint(lambda **how: self.canvas.drawPath(path, **how), None, colour, width, alpha)

    def shine(self, x: float, y: float, width: float, height: float, colours: Sequence[str], stops: Sequence[float]) -> None:
        """A rectangle whose colour runs from its top to its foot."""
        self.canvas.saveState()
        path = self.canvas.beginPath()
        path.rect(x, y, width, height)
        self.canvas.clipPath(path, stroke=0, fill=0)
        self.canvas.linearGradient(x, y, x, y + height, [paint(colour) for colour in colours], stops, extend=True)
        self.canvas.restoreState()

    def glow(self, x: float, y: float, radius: float, colour: str, strength: float) -> None:
        """Soft light: rings that grow fainter outwards."""
        for i in range(8):
            self.oval(x, y, radius * (8 - i) / 8, None, colour, alpha=strength / 8)

    def text(self, text: str, x: float, y: float, size_mm: float, colour: str, *, edge: str | None = None, width: float = 0.2) -> None:
        """A line of text whose foot stands at y, centred on x; `size_mm` is the height of its figures."""
        size = size_mm / 0.729  # Vera Bold's figures are 0.729 of its em high
        self.canvas.saveState()
        self.canvas.transform(1, 0, 0, -1, x, y)
        self.canvas.setFillColor(paint(colour))
        self.canvas.setStrokeColor(paint(edge or colour))
        self.canvas.setLineWidth(width)
        self.canvas.setFont(FONT, size)
        left = -pdfmetrics.stringWidth(text, FONT, size) / 2
        self.canvas.drawString(left, 0, text, mode=2 if edge else 0)
        self.canvas.restoreState()

    def thing(self, kind: str, x: float, y: float, size_mm: float, *, colour: str | None = None, mirrored: bool = False) -> None:
        """A thing that stands with the middle of its foot at (x, y); its box is `size_mm` high and wide."""
        drawn = KINDS[kind]
        main = colour or drawn.colour
        self.canvas.saveState()
        self.canvas.transform(-size_mm if mirrored else size_mm, 0, 0, -size_mm, x, y)
        self.stamp(f"{kind}-{main}".replace(" ", "-").replace("#", ""), lambda: drawn.draw(Pen(self.canvas), main), reach=2)
        self.canvas.restoreState()

    def pdf(self) -> bytes:
        """All pages; nothing can be drawn afterwards."""
        self.canvas.save()
        return self._file.getvalue()

    def _paint(self, draw: Any, fill: str | None, edge: str | None, width: float, alpha: float) -> None:
        self.canvas.saveState()
        if fill:
            self.canvas.setFillColor(paint(fill))
        if edge:
            self.canvas.setStrokeColor(paint(edge))
            self.canvas.setLineWidth(width)
        if alpha < 1:  # after the colours: setting a colour takes the transparency back
            self.canvas.setFillAlpha(alpha)
            self.canvas.setStrokeAlpha(alpha)
        draw(stroke=1 if edge else 0, fill=1 if fill else 0)
        self.canvas.restoreState()


def pixels(pdf: bytes, *, clear: bool = False) -> Iterator[Picture]:
    """Page by page as H×W×3 BGR, or H×W×4 BGRA with a transparent ground if `clear`."""
    document = pypdfium2.PdfDocument(pdf)
    try:
        for page in document:
            bitmap = page.render(
                # pdfium rounds sizes up: half a thousandth of a pixel less keeps it from adding a row
                scale=PX_PER_MM / mm - 0.0005 / max(page.get_size()),
                fill_color=(0, 0, 0, 0) if clear else (255, 255, 255, 255),
                force_bitmap_format=pypdfium2.raw.FPDFBitmap_BGRA if clear else pypdfium2.raw.FPDFBitmap_BGR,
            )
            yield np.array(bitmap.to_numpy(), dtype=np.uint8, copy=True)
    finally:
        document.close()
