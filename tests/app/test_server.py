"""The server: one door with exact hosts and origins, bounded bodies, and a game that can be played by hand alone."""

from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

import pytest
from fastapi.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

from companion.app.camera import Camera
from companion.app.desk import Desk, Plan
from companion.app.door import local_hosts
from companion.app.server import create_app
from companion.app.setting_up import Setup
from companion.session import unfinished

HERE = "http://127.0.0.1:8000"
LIVE = "ws://127.0.0.1:8000/api/v1/live"


class Clock:
    now = 100.0

    def __call__(self) -> float:
        return self.now


def make_desk(tmp_path: Path, *, camera: bool = False, players: tuple[str, ...] = ("Ada", "Bo")) -> Desk:
    clock = Clock()
    plan = Plan(game="sherlook", settings={"rounds": 1}, language="en", source="none", games=tmp_path / "games", tables=tmp_path / "tables")
    return Desk(plan, Setup(players), Camera(there=camera, clock=clock), clock=clock, wall_clock=lambda: datetime(2026, 11, 30, 20, 15))


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return make_desk(tmp_path)


@pytest.fixture
def client(desk: Desk) -> Iterator[TestClient]:
    with TestClient(create_app(desk, hosts=local_hosts(8000)), base_url=HERE) as client:
        yield client


def act(client: TestClient, event: str, **fields: object) -> dict:
    answer = client.post("/api/v1/events", json={"event": event, **fields})
    assert answer.status_code == 200, answer.text
    return answer.json()


def play_to_the_count(client: TestClient) -> None:
    client.post("/api/v1/games", json={})
    act(client, "green-turned")
    act(client, "photos-laid", photos=[None, None])
    act(client, "marker-taken", player="Ada", value=7)
    act(client, "marker-taken", player="Bo", value=5)
    act(client, "photos-turned")


def test_a_whole_game_is_played_by_hand(client: TestClient) -> None:
    """Without a camera every event can be entered, and the sheet tells the end."""
    play_to_the_count(client)
    scored = act(client, "differences-counted", count=7)

    assert scored["key"] == "round-scored" and scored["text"] and scored["say"]
    state = client.get("/api/v1/state").json()
    assert state["position"]["state"] == "over" and state["position"]["winners"] == ["Ada"]
    sheet = client.get("/api/v1/sheet.json").json()
    assert sheet["rounds"] == [
        {"round": 1, "extra": False, "count": 7, "markers": {"Ada": 7, "Bo": 5}, "out": None, "points": {"Ada": 4, "Bo": 2}}
    ]
    rows = client.get("/api/v1/sheet.csv").text.splitlines()
    assert rows[1:] == ["1,Ada,7,7,4,4", "1,Bo,5,7,2,2"]


def test_a_correction_changes_the_sheet(client: TestClient) -> None:
    """The round is told as it stands after all corrections, also when the game is over."""
    play_to_the_count(client)
    act(client, "differences-counted", count=7)

    act(client, "correct", replaces=4, **{"with": {"event": "marker-taken", "player": "Ada", "value": 8}})

    (row,) = client.get("/api/v1/sheet.json").json()["rounds"]
    assert row["markers"] == {"Ada": 8, "Bo": 5} and row["points"] == {"Ada": 1, "Bo": 2}
    assert client.get("/api/v1/state").json()["position"]["winners"] == ["Bo"]


def test_a_win_that_was_a_mistake_is_taken_back_aloud(client: TestClient) -> None:
    """Who undoes the count that ended the game hears that nobody has won yet, live and in the history (report 15)."""
    client.post("/api/v1/games", json={"settings": {"rounds": 1}})
    for event, fields in (
        ("green-turned", {}),
        ("photos-laid", {"photos": [None, None]}),
        ("marker-taken", {"player": "Ada", "value": 6}),
        ("marker-taken", {"player": "Bo", "value": 5}),
        ("photos-turned", {}),
    ):
        act(client, event, **fields)

    with client.websocket_connect(LIVE) as live:
        act(client, "differences-counted", count=6)
        act(client, "undo")
        heard: dict[str, str] = {}
        while "undone" not in heard:
            message = live.receive_json()
            heard |= {message["key"]: message["say"]} if message["type"] == "ruling" else {}

    assert "Ada wins!" in heard["round-scored"]
    assert heard["undone"].startswith("One step is taken back. Ada now has zero points.")
    assert heard["undone"].endswith("Nobody has won yet: the game goes on.")
    assert client.get("/api/v1/rulings").json()[-1]["say"] == heard["undone"]


def test_a_marker_corrected_five_events_later_moves_all_that_followed_and_is_told_once(desk: Desk, client: TestClient) -> None:
    """The round is ruled anew, listeners hear the correction and nothing again, and the journal keeps both markers (report 8)."""
    client.post("/api/v1/games", json={"settings": {"rounds": 2}})
    for event, fields in (
        ("green-turned", {}),
        ("photos-laid", {"photos": [None, None]}),
        ("marker-taken", {"player": "Ada", "value": 6}),   # it is a 9
        ("marker-taken", {"player": "Bo", "value": 5}),
        ("photos-turned", {}),
        ("differences-counted", {"count": 6}),
        ("green-turned", {}),
    ):
        act(client, event, **fields)
    assert desk.state("host")["position"]["score"]["Ada"]["points"] == 4

    with client.websocket_connect(LIVE) as live:
        act(client, "correct", replaces=4, **{"with": {"event": "marker-taken", "player": "Ada", "value": 9}})
        act(client, "photos-laid", photos=[None, None])
        heard: list[str] = []
        while "look" not in heard:
            message = live.receive_json()
            heard += [message["key"]] if message["type"] == "ruling" else []
            if message["type"] == "ruling" and message["key"] == "corrected":
                assert {row["player"]: row["points"] for row in message["points"]} == {"Ada": -3}
                assert message["say"] == "Entry four is corrected. Ada now has one point."

    assert heard == ["corrected", "look"]
    assert desk.state("host")["position"]["score"]["Ada"]["points"] == 1
    assert desk.session is not None
    lines = [line.event for line in desk.session.journal.lines()]
    assert (lines[3]["value"], lines[8]["with"]["value"]) == (6, 9)


def test_who_listens_hears_the_state_then_each_ruling(client: TestClient) -> None:
    """The socket begins with the state; what was missed is asked for with `since`."""
    with client.websocket_connect(LIVE) as live:
        assert live.receive_json()["type"] == "state"
        client.post("/api/v1/games", json={})
        ruling = next(m for m in iter(live.receive_json, None) if m["type"] == "ruling")
        assert (ruling["key"], ruling["of"]) == ("started", 1)
    act(client, "green-turned")

    missed = client.get("/api/v1/rulings", params={"since": 1}).json()
    assert [m["key"] for m in missed] == ["round-begun"]


def test_a_spectator_only_looks(client: TestClient) -> None:
    """The room's view sees the game, is asked nothing and enters nothing."""
    client.post("/api/v1/games", json={})
    refused = client.post("/api/v1/events", params={"role": "spectator"}, json={"event": "green-turned"})

    assert refused.status_code == 403
    assert client.get("/api/v1/state", params={"role": "spectator"}).json()["position"]["state"] == "round"


HOSTILE = [
    "evil.example",
    "127.0.0.1.evil.example:8000",
    "127.0.0.1:8001",
    "127.0.0.1",
    "localhost.evil.example:8000",
    "0.0.0.0:8000",
    "[::]:8000",
    "127.0.0.2:8000",
    "localhost:8000.evil.example",
    "evil.example:8000",
    "127.1:8000",
    "2130706433:8000",
]


@pytest.mark.parametrize("host", HOSTILE)
def test_another_host_name_is_not_served(client: TestClient, host: str) -> None:
    """An exact list: no prefix, no other port, no other spelling (DNS rebinding)."""
    for path in ("/", "/api/v1/health", "/static/index.html"):
        assert client.get(path, headers={"host": host}).status_code == 403
    with pytest.raises(WebSocketDisconnect) as closed, client.websocket_connect(LIVE, headers={"host": host}):
        pass
    assert closed.value.code == 1008


@pytest.mark.parametrize(
    "origin", ["http://evil.example", "null", "http://127.0.0.1:8001", "file://", "http://127.0.0.1:8000.evil.example"]
)
def test_another_sites_page_gets_nothing(client: TestClient, origin: str) -> None:
    """A foreign Origin is refused on every route and socket."""
    assert client.get("/api/v1/state", headers={"origin": origin}).status_code == 403
    assert client.post("/api/v1/events", json={"event": "undo"}, headers={"origin": origin}).status_code == 403
    with pytest.raises(WebSocketDisconnect) as closed, client.websocket_connect(LIVE, headers={"origin": origin}):
        pass
    assert closed.value.code == 1008


def test_its_own_page_is_served(client: TestClient) -> None:
    """The page's own origin may do everything."""
    assert client.get("/api/v1/state", headers={"origin": HERE}).status_code == 200
    assert client.get("/", headers={"host": "localhost:8000"}).status_code == 200


def test_bodies_are_bounded(client: TestClient) -> None:
    """A huge event is refused, with or without a length that tells the truth."""
    big = b'{"event": "' + b"x" * 100_000 + b'"}'
    assert client.post("/api/v1/events", content=big).status_code == 413
    assert client.post("/api/v1/events", content=iter([big[:50_000], big[50_000:]])).status_code == 413


@pytest.mark.parametrize(
    ("send", "status"),
    [
        (lambda c: c.post("/api/v1/events", content=b"{"), 422),
        (lambda c: c.post("/api/v1/events", content=b"[1]"), 422),
        (lambda c: c.post("/api/v1/events", content=b'{"event": "\\ud800"}'), 422),
        (lambda c: c.post("/api/v1/events", json={"event": "green-turned"}), 409),
        (lambda c: c.get("/api/v1/nothing"), 404),
        (lambda c: c.get("/api/v1/rulings?since=-1"), 422),
        (lambda c: c.get("/api/v1/frame.jpg"), 404),
        (lambda c: c.get("/api/v1/evidence/3.jpg"), 404),
        (lambda c: c.get("/api/v1/reveal/3"), 404),
        (lambda c: c.get("/api/v1/sheet.json"), 404),
        (lambda c: c.get("/static/../desk.py"), 404),
        (lambda c: c.post("/api/v1/questions/9/later"), 409),
        (lambda c: c.put("/api/v1/setup", json={"players": ["Ada"]}), 422),
        (lambda c: c.post("/api/v1/differences", files={"a": b"no picture", "b": b"no picture"}), 422),
    ],
)
def test_every_refusal_is_a_problem_that_says_what_to_do(client: TestClient, send, status: int) -> None:
    """RFC 9457: status, title and one line of detail."""
    answer = send(client)

    assert answer.status_code == status
    assert answer.headers["content-type"].startswith("application/problem+json")
    problem = answer.json()
    assert problem["status"] == status and problem["title"] and "\n" not in problem["detail"]


def test_garbage_events_are_ruled_and_change_nothing(client: TestClient) -> None:
    """The rules answer, whatever was sent."""
    client.post("/api/v1/games", json={})
    before = client.get("/api/v1/state").json()["position"]
    for garbage in (
        {},
        {"event": 3},
        {"event": "marker-taken", "player": [], "value": 1e300},
        {"event": "undo", "to": 99},
        {"t": -1, "event": "void"},
    ):
        assert client.post("/api/v1/events", json=garbage).json()["ruling"] == "rejected"

    assert client.get("/api/v1/state").json()["position"] == before


def test_two_pictures_dropped_on_the_page_are_compared(client: TestClient) -> None:
    """The same picture twice has no difference."""
    import cv2
    import numpy as np

    rng = np.random.default_rng(4)
    picture = cv2.imencode(".png", cv2.resize(rng.integers(0, 255, (30, 40, 3), np.uint8), (400, 300)))[1].tobytes()

    answer = client.post("/api/v1/differences", files={"a": picture, "b": picture})

    assert answer.json()["count"] == 0


def test_a_table_without_names_asks_for_them(tmp_path: Path) -> None:
    """The set-up says what is wanted, in order, and names alone suffice without a camera."""
    desk = make_desk(tmp_path, players=())
    with TestClient(create_app(desk, hosts=local_hosts(8000)), base_url=HERE) as client:
        assert client.get("/api/v1/state").json()["setup"] == {"needs": ["names"]}

        answer = client.put("/api/v1/setup", json={"players": ["Ada", "Bo"]}).json()

        assert answer["setup"] is None
        assert client.post("/api/v1/games", json={}).json()["key"] == "started"


def test_a_game_that_runs_is_not_begun_over(client: TestClient) -> None:
    """Points are not lost to a second click."""
    play_to_the_count(client)

    assert client.post("/api/v1/games", json={}).status_code == 409
    assert client.get("/api/v1/state").json()["position"]["state"] == "counting"


def test_a_start_that_the_rules_refuse_is_answered_with_the_reason(client: TestClient) -> None:
    """Before the first game as after the last: what is wrong with the settings is told, and no game begins."""
    for over in (False, True):
        if over:
            client.post("/api/v1/games", json={})
            act(client, "game-ended")

        answer = client.post("/api/v1/games", json={"settings": {"rounds": 99}})

        assert answer.status_code == 200 and answer.json()["ruling"] == "rejected" and "rounds" in answer.json()["text"]
        assert client.get("/api/v1/state").json()["position"]["state"] == ("over" if over else "idle")


def test_the_interface_describes_itself(client: TestClient) -> None:
    """OpenAPI names every route, and its problems."""
    paths = client.get("/api/v1/openapi.json").json()["paths"]

    assert {"/api/v1/health", "/api/v1/state", "/api/v1/events", "/api/v1/rulings", "/api/v1/observation", "/api/v1/differences"} <= set(
        paths
    )


def test_the_host_chooses_the_language(client: TestClient) -> None:
    """Every sentence from then on is in it; a language that is not spoken is refused."""
    client.post("/api/v1/games", json={})
    assert client.put("/api/v1/setup", json={"language": "xx"}).status_code == 422

    client.put("/api/v1/setup", json={"language": "fr"})

    state = client.get("/api/v1/state").json()
    assert state["language"] == "fr" and state["due"] == "Retournez le jeton vert du dessus."


@pytest.mark.parametrize(
    ("wishes", "status"),
    [
        ({}, 422),
        ({"rubbish": 1}, 422),
        ({"players": 7}, 422),
        ({"language": ["fr"]}, 422),
        ({"language": "fr", "rubbish": 1}, 422),
        ({"language": "fr", "unit": "furlongs"}, 422),
        ({"players": ["Zoe", "Max"]}, 409),
    ],
)
def test_rubbish_is_no_set_up_while_a_game_is_played(client: TestClient, wishes: dict, status: int) -> None:
    """It is refused with what may be set up, or with why not now; the players, the language and the game stay as they are."""
    client.post("/api/v1/games", json={})
    before = client.get("/api/v1/state").json()

    answer = client.put("/api/v1/setup", json=wishes)

    assert (answer.status_code, "\n" in answer.json()["detail"]) == (status, False)
    after = client.get("/api/v1/state").json()
    assert all(after[key] == before[key] for key in ("position", "language", "seats", "setup"))


def test_a_game_that_is_gone_on_with_speaks_its_language(desk: Desk, client: TestClient, tmp_path: Path) -> None:
    """French was chosen in mid-game; after a new start the game is told in French."""
    client.post("/api/v1/games", json={})
    client.put("/api/v1/setup", json={"language": "fr"})
    desk.close()

    left = unfinished(tmp_path / "games", source="none")
    assert left is not None
    again = make_desk(tmp_path)
    again.take_up(left)

    assert again.state("host")["language"] == "fr"
    again.close()


def test_a_question_that_is_put_off_is_not_asked_at_once(desk: Desk, client: TestClient) -> None:
    """It stays open, and comes again after a while."""
    play_to_the_count(client)
    asked = desk.ask({"about": "differences-counted", "choices": [{"event": {"event": "differences-counted", "count": 7}, "sure": 0.6}]})

    client.post(f"/api/v1/questions/{asked['question']}/later")

    assert client.get("/api/v1/state").json()["questions"] == []
    assert [q["question"] for q in client.get("/api/v1/questions").json()] == [asked["question"]]
