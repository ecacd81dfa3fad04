"""Photographs the page in each of its states: `python -m tests.page.screens docs/screens [NAME…]`.

The browser and the page are the real ones; what the server would say is laid out in scenes.py, so that each moment can be held still.
Every scene is taken on a laptop, light, on a phone, dark, and most on the room's television; two of them at every size.
"""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import click
from playwright.sync_api import Browser, BrowserContext, Page, Route, WebSocketRoute, sync_playwright

from tests.page import pictures
from tests.page.browser import CHROMIUM, VOICE
from tests.page.scenes import SCENES, Scene

STATIC = Path(__file__).parents[2] / "companion" / "app" / "static"
ORIGIN = "http://companion.test"
KINDS = {".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml", ".woff2": "font/woff2"}
SIZES = {
    "phone-small": (320, 640),
    "phone": (390, 844),
    "tablet": (820, 1180),
    "laptop": (1440, 900),
    "television": (1920, 1080),
    "4k": (3840, 2160),
}
EVERY_SIZE = ("choosing", "reveal-count")


class Server:
    """Answers the page's requests for one scene."""

    def __init__(self, scene: Scene) -> None:
        self.scene = scene
        self.pair = pictures.pair()
        self.frame = pictures.jpeg(pictures.frame(self.pair))

    def serve(self, context: BrowserContext) -> None:
        context.route("**/*", self._answer)
        context.route_web_socket(re.compile("/api/v1/live"), self._live)
        context.route_web_socket(re.compile("/api/v1/frames"), lambda socket: socket.send(self.frame))

    def _answer(self, route: Route) -> None:
        path = urlsplit(route.request.url).path
        if path in ("/", "/show"):
            path = "/static/index.html"
        if path.startswith("/static/"):
            file = STATIC / path.removeprefix("/static/")
            route.fulfill(body=file.read_bytes(), content_type=KINDS.get(file.suffix, "application/octet-stream"))
        elif path.endswith("/a.jpg"):
            route.fulfill(body=pictures.jpeg(self.pair.a), content_type="image/jpeg")
        elif path.endswith("/b.jpg"):
            route.fulfill(body=pictures.jpeg(self.pair.b), content_type="image/jpeg")
        elif path.endswith(".jpg"):
            route.fulfill(body=self.frame, content_type="image/jpeg")
        else:
            document = self._document(path)
            route.fulfill(status=200 if document is not None else 404, body=json.dumps(document), content_type="application/json")

    def _document(self, path: str) -> object:
        if path == "/api/v1/rulings":
            return self.scene.said
        if path == "/api/v1/sheet.json":
            return self.scene.sheet
        if path == "/api/v1/setup":
            return {"needs": [], "measured": {"error_mm": 0.4}}
        if path.startswith("/api/v1/reveal/") and self.scene.reveal:
            sure = not any(m.get("about") == "differences-counted" for m in self.scene.then)
            places = [{"n": n, "a": box, "b": box, "kind": "replaced", "probability": 0.99} for n, box in enumerate(self.pair.boxes, 1)]
            return {
                "count": 7,
                "probability": 0.98 if sure else 0.6,
                "range": [7, 7] if sure else [6, 7],
                "a": f"{path}/a.jpg",
                "b": f"{path}/b.jpg",
                "places": places,
                "unseen": [],
            }
        return None

    def _live(self, socket: WebSocketRoute) -> None:
        if self.scene.state is None:
            return
        for message in (self.scene.state, *self.scene.then):
            socket.send(json.dumps(message))
        if self.scene.cut:
            socket.close()


def shoot(browser: Browser, scene: Scene, target: Path, *, size: tuple[int, int], dark: bool, room: bool) -> None:
    context = browser.new_context(viewport={"width": size[0], "height": size[1]}, color_scheme="dark" if dark else "light", locale="en-GB")
    context.add_init_script(VOICE)
    Server(scene).serve(context)
    page = context.new_page()
    page.on("pageerror", lambda error: click.echo(f"{scene.name}: {error}", err=True))
    page.goto(f"{ORIGIN}/{'show' if room else ''}")
    page.locator(scene.until).first.wait_for()
    page.wait_for_timeout(300)  # what has just come has still to settle
    for tap in scene.taps:
        act(page, tap)
    page.wait_for_timeout(250)
    page.screenshot(path=target, type="jpeg", quality=60)
    context.close()


def act(page: Page, tap: str) -> None:
    if tap.startswith("="):
        for n, name in enumerate(tap[1:].split(","), 1):
            if n > 2:
                page.get_by_role("button", name="Add a player").click()
            page.get_by_label(f"Player {n}", exact=True).fill(name)
    else:
        laid_over = page.locator("dialog[open]")
        where = laid_over.last if laid_over.count() else page
        where.get_by_role("button", name=tap, exact=True).first.click()


def shots(names: tuple[str, ...]) -> Iterator[tuple[Scene, str, tuple[int, int], bool, bool]]:
    """(scene, file stem, size, dark, room) of every picture that is wanted."""
    for scene in SCENES:
        if names and scene.name not in names:
            continue
        yield scene, f"{scene.name}.host.laptop", SIZES["laptop"], False, False
        yield scene, f"{scene.name}.host.phone.dark", SIZES["phone"], True, False
        if scene.room:
            yield scene, f"{scene.name}.room.television", SIZES["television"], False, True
        if scene.name in EVERY_SIZE:
            for size in ("phone-small", "tablet", "4k"):
                yield scene, f"{scene.name}.host.{size}", SIZES[size], False, False
            yield scene, f"{scene.name}.host.laptop.dark", SIZES["laptop"], True, False
            yield scene, f"{scene.name}.room.4k.dark", SIZES["4k"], True, True
            yield scene, f"{scene.name}.room.tablet", SIZES["tablet"], False, True


@click.command()
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path))
@click.argument("names", nargs=-1)
@click.option("--match", default="", help="Only files whose name contains this.")
def command(folder: Path, names: tuple[str, ...], match: str) -> None:
    """Photographs the page into FOLDER, all scenes or those NAMED. Example: python -m tests.page.screens docs/screens choosing"""
    folder.mkdir(parents=True, exist_ok=True)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(**CHROMIUM)
        for scene, stem, size, dark, room in shots(names):
            if match in stem:
                shoot(browser, scene, folder / f"{stem}.jpg", size=size, dark=dark, room=room)
        browser.close()


if __name__ == "__main__":
    command()
