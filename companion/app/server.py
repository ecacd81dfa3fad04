"""The routes (docs/api.md): each asks the desk and answers; nothing is decided here."""

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator, Coroutine, Iterator
from pathlib import Path
from typing import Annotated, Any, Literal, TypeVar

from fastapi import Body, Depends, FastAPI, File, HTTPException, Query, Response, UploadFile, WebSocket, WebSocketDisconnect
from fastapi.responses import FileResponse, PlainTextResponse
from fastapi.staticfiles import StaticFiles

from companion import __version__
from companion.app.desk import Desk, DeskError
from companion.app.door import Door, tell_problems
from companion.app.sheet import sheet, sheet_csv
from companion.session import JournalError, Session

STATIC = Path(__file__).parent / "static"
FRAMES_PER_S = 10.0
T = TypeVar("T")
Role = Literal["host", "spectator"]
AnyRole = Annotated[Role, Query()]
PROBLEMS: dict[int | str, dict[str, Any]] = {
    code: {"description": text, "content": {"application/problem+json": {"schema": {"type": "object"}}}}
    for code, text in {
        400: "broken body",
        403: "not served here",
        404: "not there",
        409: "not now",
        413: "too large",
        422: "malformed",
        507: "not written",
    }.items()
}


def create_app(desk: Desk, *, hosts: frozenset[str]) -> FastAPI:
    """The application for one desk, served under the exact `hosts` only."""

    @contextlib.asynccontextmanager
    async def open_for_business(_: FastAPI) -> AsyncIterator[None]:
        yield
        desk.close()

    app = FastAPI(
        title="table-companion",
        version=__version__,
        openapi_url="/api/v1/openapi.json",
        docs_url=None,
        redoc_url=None,
        responses=PROBLEMS,
        lifespan=open_for_business,
    )
    app.add_middleware(Door, hosts=hosts)
    tell_problems(app)
    _documents(app, desk)
    _pictures(app, desk)
    _doing(app, desk)
    _live(app, desk)
    app.mount("/static", StaticFiles(directory=STATIC), name="static")

    @app.get("/", include_in_schema=False)
    @app.get("/show", include_in_schema=False)
    def page() -> FileResponse:
        return FileResponse(STATIC / "index.html")

    return app


def _documents(app: FastAPI, desk: Desk) -> None:
    @app.get("/api/v1/health")
    def health() -> dict[str, Any]:
        return desk.health()

    @app.get("/api/v1/state")
    def state(role: AnyRole = "host") -> dict[str, Any]:
        return desk.state(role)

    @app.get("/api/v1/rulings")
    def rulings(since: Annotated[int, Query(ge=0)] = 0, role: AnyRole = "host") -> list[dict[str, Any]]:
        return desk.rulings(since)

    @app.get("/api/v1/observation")
    def observation() -> dict[str, Any]:
        return _there(desk.seen, "nothing has been seen yet")

    @app.get("/api/v1/questions")
    def questions() -> list[dict[str, Any]]:
        return desk.questions()

    @app.get("/api/v1/sheet.json")
    def sheet_json() -> dict[str, Any]:
        return sheet(_game(desk))

    @app.get("/api/v1/sheet.csv", response_class=PlainTextResponse)
    def sheet_as_csv() -> PlainTextResponse:
        name = {"content-disposition": 'attachment; filename="score-sheet.csv"'}
        return PlainTextResponse(sheet_csv(sheet(_game(desk))), media_type="text/csv; charset=utf-8", headers=name)

    @app.get("/api/v1/reveal/{seq}")
    def reveal(seq: int) -> dict[str, Any]:
        return _there(desk.reveal(seq), "there is no picture of this check")


def _pictures(app: FastAPI, desk: Desk) -> None:
    jpeg: dict[str, Any] = {"response_class": Response, "responses": {200: {"content": {"image/jpeg": {}}}}}

    def answer(data: bytes | None, what: str) -> Response:
        return Response(_there(data, what), media_type="image/jpeg")

    @app.get("/api/v1/frame.jpg", **jpeg)
    def frame() -> Response:
        return answer(desk.camera.jpeg(), "no picture has come yet")

    @app.get("/api/v1/evidence/{seq}.jpg", **jpeg)
    def evidence(seq: int) -> Response:
        return answer(desk.picture(f"evidence-{seq}"), "this ruling rests on no picture")

    @app.get("/api/v1/questions/{number}.jpg", **jpeg)
    def question_picture(number: int) -> Response:
        return answer(desk.picture(f"question-{number}"), "this question has no picture")

    @app.get("/api/v1/cards/{card}.jpg", **jpeg)
    def card_picture(card: str) -> Response:
        with _said():
            return answer(desk.card_picture(card), "there is no such card in this deck")

    @app.get("/api/v1/reveal/{seq}/{side}.jpg", **jpeg)
    def reveal_picture(seq: int, side: Literal["a", "b"]) -> Response:
        return answer(desk.picture(f"reveal-{seq}-{side}"), "there is no picture of this check")


def _doing(app: FastAPI, desk: Desk) -> None:
    def host(role: AnyRole = "host") -> None:
        if role != "host":
            raise HTTPException(403, "only the host enters things")

    only_host = [Depends(host)]
    Document = Annotated[dict[str, Any], Body()]

    @app.post("/api/v1/events", dependencies=only_host)
    def post(event: Document) -> dict[str, Any]:
        if any(0xD800 <= ord(c) <= 0xDFFF for c in json.dumps(event, ensure_ascii=False)):
            raise HTTPException(422, "the event holds half a character (a lone surrogate); send whole UTF-8")
        with _said():
            return desk.post(event)

    @app.post("/api/v1/questions/{number}/later", dependencies=only_host)
    def later(number: int) -> dict[str, Any]:
        with _said():
            return desk.later(number)

    @app.get("/api/v1/cards", dependencies=only_host)
    def cards(beside: str) -> list[dict[str, Any]]:
        with _said():
            return desk.cards(beside)

    @app.put("/api/v1/setup", dependencies=only_host)
    def setup(wishes: Document) -> dict[str, Any]:
        with _said():
            return desk.set_up(wishes)

    @app.post("/api/v1/games", dependencies=only_host)
    def begin(wishes: Document) -> dict[str, Any]:
        with _said():
            return desk.begin(wishes)

    @app.post("/api/v1/differences")
    def differences(a: Annotated[UploadFile, File()], b: Annotated[UploadFile, File()]) -> dict[str, Any]:
        with _said():
            return desk.compare(a.file.read(), b.file.read())


def _live(app: FastAPI, desk: Desk) -> None:
    @app.websocket("/api/v1/live")
    async def live(socket: WebSocket, role: AnyRole = "host") -> None:
        await socket.accept()
        with desk.hub.listening(role) as listener:
            await socket.send_text(json.dumps({"type": "state", **desk.state(role)}, ensure_ascii=False))

            async def speak() -> None:
                async for text in listener.messages():
                    await socket.send_text(text)

            await _until_they_leave(socket, speak())

    @app.websocket("/api/v1/frames")
    async def frames(socket: WebSocket) -> None:
        await socket.accept()

        async def show() -> None:
            shown = -1
            while True:
                number = desk.camera.number()
                if number != shown and (data := await asyncio.to_thread(desk.camera.jpeg)) is not None:
                    shown = number
                    await socket.send_bytes(data)
                await asyncio.sleep(1 / FRAMES_PER_S)

        await _until_they_leave(socket, show())


async def _until_they_leave(socket: WebSocket, work: Coroutine[Any, Any, None]) -> None:
    """Run `work` until the other side closes; what they say is not listened to."""

    async def listen() -> None:
        while True:
            await socket.receive()

    tasks = [asyncio.ensure_future(work), asyncio.ensure_future(listen())]
    try:
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in tasks:
            task.cancel()
        for task in tasks:
            with contextlib.suppress(asyncio.CancelledError, WebSocketDisconnect, RuntimeError):
                await task


@contextlib.contextmanager
def _said() -> Iterator[None]:
    try:
        yield
    except DeskError as e:
        raise HTTPException(e.status, str(e)) from e
    except JournalError as e:
        raise HTTPException(507, str(e)) from e


def _there(value: T | None, otherwise: str) -> T:
    if value is None:
        raise HTTPException(404, otherwise)
    return value


def _game(desk: Desk) -> Session:
    return _there(desk.session, "no game has begun yet")
