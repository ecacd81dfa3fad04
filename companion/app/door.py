"""At the door: exact hosts and origins, bounded bodies, problems told as RFC 9457 says. On every route and socket, on loopback too."""

import json
from collections.abc import Awaitable, Callable, MutableMapping
from http import HTTPStatus
from typing import Any
from urllib.parse import urlsplit

from fastapi import FastAPI, HTTPException, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException as StarletteHTTPException

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]

LARGEST_BODY = 64 * 1024  # an event, a set-up
LARGEST_UPLOAD = 64 * 1024 * 1024  # two pictures
UPLOADS = {"/api/v1/differences"}
QUIET = [
    ("x-content-type-options", "nosniff"),
    ("referrer-policy", "no-referrer"),
    ("cache-control", "no-store"),
    (
        "content-security-policy",
        "default-src 'self'; img-src 'self' blob: data:; style-src 'self' 'unsafe-inline'; connect-src 'self'; "
        "frame-ancestors 'none'; base-uri 'none'; form-action 'self'",
    ),
]


class Door:
    """ASGI middleware. `hosts`: the Host header values (with port) that are served; an Origin, where sent, must be one of theirs."""

    def __init__(self, app: Any, *, hosts: frozenset[str]) -> None:
        self._app, self._hosts = app, hosts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        headers = {k.decode("latin-1").lower(): v.decode("latin-1") for k, v in scope["headers"]}
        refusal = self._refusal(headers)
        if refusal and scope["type"] == "websocket":
            await receive()
            await send({"type": "websocket.close", "code": 1008, "reason": refusal})
            return
        limit = LARGEST_UPLOAD if scope.get("path") in UPLOADS else LARGEST_BODY
        if refusal:
            await _answer(send, 403, refusal)
        elif scope["type"] == "websocket":
            await self._app(scope, receive, send)
        elif not headers.get("content-length", "0").isdigit() or int(headers.get("content-length", "0")) > limit:
            await _answer(send, 413, f"the body is larger than {limit} bytes")
        else:
            await self._app(scope, _bounded(receive, limit), _with_headers(send))

    def _refusal(self, headers: dict[str, str]) -> str | None:
        host = headers.get("host", "").lower()
        if host not in self._hosts:
            return "this address is not served here; open the page by the address that the program printed"
        origin = headers.get("origin")
        if origin is not None:
            parts = urlsplit(origin)
            if parts.scheme not in ("http", "https") or parts.netloc.lower() not in self._hosts:
                return "requests from another site's page are not served"
        return None


def local_hosts(port: int) -> frozenset[str]:
    """The Host values of this machine itself."""
    names = {"127.0.0.1", "localhost", "[::1]"}
    return frozenset({f"{n}:{port}" for n in names} | (names if port == 80 else set()))


def tell_problems(app: FastAPI) -> None:
    """Errors as problem details (RFC 9457), each with one line that a person can act on."""

    @app.exception_handler(StarletteHTTPException)
    async def refused(_: Request, e: StarletteHTTPException) -> JSONResponse:
        return problem(e.status_code, str(e.detail))

    @app.exception_handler(HTTPException)
    async def refused_here(_: Request, e: HTTPException) -> JSONResponse:
        return problem(e.status_code, str(e.detail))

    @app.exception_handler(RequestValidationError)
    async def malformed(_: Request, e: RequestValidationError) -> JSONResponse:
        first = e.errors()[0] if e.errors() else {"loc": (), "msg": "malformed"}
        return problem(422, f"{'.'.join(str(x) for x in first['loc'])}: {first['msg']}")


def problem(status: int, detail: str) -> JSONResponse:
    """A problem document."""
    return JSONResponse(_problem(status, detail), status, media_type="application/problem+json")


def _problem(status: int, detail: str) -> dict[str, Any]:
    return {"type": "about:blank", "title": HTTPStatus(status).phrase, "status": status, "detail": detail}


async def _answer(send: Send, status: int, detail: str) -> None:
    body = json.dumps(_problem(status, detail)).encode()
    headers = [(b"content-type", b"application/problem+json"), (b"content-length", str(len(body)).encode()), (b"connection", b"close")]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})


def _bounded(receive: Receive, limit: int) -> Receive:
    read = 0

    async def counted() -> MutableMapping[str, Any]:
        nonlocal read
        message = await receive()
        read += len(message.get("body", b""))
        if read > limit:
            raise HTTPException(413, f"the body is larger than {limit} bytes")
        return message

    return counted


def _with_headers(send: Send) -> Send:
    async def sent(message: MutableMapping[str, Any]) -> None:
        if message["type"] == "http.response.start":
            there = {k.lower() for k, _ in message["headers"]}
            message["headers"] = [*message["headers"], *((k.encode(), v.encode()) for k, v in QUIET if k.encode() not in there)]
        await send(message)

    return sent
