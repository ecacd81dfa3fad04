"""Plays a plan on the stage: who reaches where and when, and the true time of every event.

The true time of an act is when the thing lies still and the hand has left it (contract §8).
"""

from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np

from sample_frames.clip.plan import LAST_S, PLAYERS, Json, Round, outcomes
from sample_frames.clip.stage import CLEAR_PHOTO_MM, SPEED_MM_S, Arm, Pose, Stage
from sample_frames.deck import Deck
from sample_frames.scene.arrange import TOKEN_EDGES
from sample_frames.scene.seats import Place
from sample_frames.scene.things import Texture, marker, photo, pile, rounded, token

HOST, BANKER = "Ada", "Dario"  # who deals and turns the photos; who hands out the tokens
DECK_AT, DISCARD_AT = (-273.0, 145.0), (273.0, 145.0)
TOKEN_AT = (212.0, -94.0)
STACKS = {"green": (252.0, -158.0), "yellow": (290.0, -164.0), "red": (321.0, -160.0)}
HOMES = {v: ((-1.0 if v <= 5 else 1.0) * 174.0, ((v - 1) % 5 - 2) * 39.0) for v in range(1, 11)}
FRONTS = {"bottom": (-8.0, 144.0), "left": (-292.0, -4.0), "top": (6.0, -152.0), "right": (292.0, 2.0)}
SLOTS = {  # where a player's won tokens lie, one heap a colour
    "bottom": {"green": (74.0, 152.0), "yellow": (114.0, 154.0), "red": (146.0, 152.0)},
    "left": {"green": (-302.0, -56.0), "yellow": (-300.0, -94.0), "red": (-268.0, -88.0)},
    "top": {"green": (-76.0, -160.0), "yellow": (-116.0, -162.0), "red": (-148.0, -158.0)},
    "right": {"green": (302.0, 56.0), "yellow": (302.0, 92.0), "red": (272.0, 86.0)},
}
FACING = {"bottom": 0.0, "left": 90.0, "top": 180.0, "right": 270.0}
TOKEN_THICK, PHOTO_THICK = 2.0, 0.6
TEXTURE_PX = (480, 320)  # of a photo: twice what the film shows


class Evening:
    """The table, its people and the clock, round after round."""

    def __init__(self, deck: Deck, rounds: Sequence[Round], places: Sequence[Place], rng: np.random.Generator) -> None:
        self.deck, self.rounds, self.rng = deck, rounds, rng
        self.stage = Stage()
        self.place = {p.seat.name: p for p in places}
        self.arms = {name: Arm(self.stage, self.place[name], rng) for name in PLAYERS}
        self.told: list[Json] = []
        self.heaps: dict[tuple[str, str], int] = {}
        self.left = {"yellow": 10, "red": 10}
        self.discarded = 0
        self.cards = 40
        self._pictures: dict[str, tuple[Texture, Texture]] = {}
        self._set_up()

    def play(self) -> tuple[Stage, list[Json], float]:
        """All rounds. -> the stage, the events with `seq` and `t`, the film's length in seconds."""
        self._tell(0.0, {"event": "game-started", "by": "host", "game": "sherlook", "players": list(PLAYERS), "settings": {"rounds": 10}})
        start = 1.4
        for number, (one, outcome) in enumerate(zip(self.rounds, outcomes(self.rounds), strict=True)):
            after = self.rounds[number + 1] if number + 1 < len(self.rounds) else None
            start = self._round(one, outcome, start, None if after is None else after.top, borrowed=number >= 10) + 0.5
        timed = sorted(self.told, key=lambda e: float(e["t"]))
        return self.stage, [{"format": 1, "seq": n, **e} for n, e in enumerate(timed, start=1)], start + 3.0

    def _tell(self, t: float, event: Json) -> None:
        self.told.append({"t": round(t, 2), "by": "camera", **event})

    def _set_up(self) -> None:
        self._show_deck(self.rounds[0].top, 0.0)
        for value, at in HOMES.items():
            self.stage.put(
                marker(
                    f"marker{value}",
                    Texture(self.deck.marker(value)),
                    self.deck.marker_mm,
                    _near(self.rng, at, 1.5),
                    float(self.rng.normal(0, 5)),
                    disc=False,
                )
            )
        sizes = dict(self.deck.token_mm)
        backs = {c: Texture(self.deck.token(f"{c}-back")) for c in sizes}
        greens = [r.token for r in self.rounds[:10]]
        for k, number in enumerate(reversed(greens)):
            disc = token(
                f"green{number}",
                Texture(self.deck.token(f"green-{number:02d}")),
                sizes["green"],
                _near(self.rng, STACKS["green"], 0.6),
                float(self.rng.uniform(0, 360)),
                edge=TOKEN_EDGES["green"],
                lift=TOKEN_THICK * k,
                under=backs["green"],
            )
            self.stage.put(replace(disc, over=180.0))
        for colour in ("yellow", "red"):
            face = Texture(self.deck.token(colour))
            for k in range(self.left[colour]):
                self.stage.put(
                    token(
                        f"{colour}{k + 1}",
                        face,
                        sizes[colour],
                        _near(self.rng, STACKS[colour], 0.6),
                        float(self.rng.uniform(0, 360)),
                        edge=TOKEN_EDGES[colour],
                        lift=TOKEN_THICK * k,
                        under=backs[colour],
                    )
                )

    def _round(self, one: Round, outcome: Json, start: float, next_top: str | None, *, borrowed: bool) -> float:
        """One round from the green token to the swept table. -> when the last hand has gone."""
        turned = self._turn_green(one, start, borrowed=borrowed)
        laid = self._deal(one, start + 1.0, next_top)
        self._tell(turned, {"event": "green-turned", "token": one.token})
        self._tell(laid, {"event": "photos-laid", "photos": list(one.pair), "top": "bottom"})
        held, chosen = self._choose(one, laid)
        if one.slow is not None:
            self._hesitate(one, chosen)
            self._tell(chosen + LAST_S, {"event": "time-up"})
            chosen += LAST_S
        host = self.arms[HOST]
        host.wait_until(chosen + float(self.rng.uniform(0.9, 1.3)))
        for who in one.pair:
            self._turn_over(host, who, 180.0)
        last = self.stage.actors[one.pair[1]].rest().at
        dropped = host.t
        host.leave()
        shown = self.stage.left(HOST, last, dropped, clear_mm=CLEAR_PHOTO_MM)
        self._tell(shown, {"event": "photos-turned"})
        self._tell(shown + 3.0, {"event": "differences-counted", "count": one.count})
        self._reward(one, outcome, shown + 3.4)
        self._sweep(one, held, shown + 4.0)
        return max(arm.t for arm in self.arms.values())

    def _turn_green(self, one: Round, start: float, *, borrowed: bool) -> float:
        arm, name = self.arms[BANKER], f"green{one.token}"
        actor = self.stage.actors[name]
        arm.wait_until(start)
        arm.reach(actor.rest().at, height=6 + actor.rest().lift)
        arm.carry(name, Pose(_near(self.rng, TOKEN_AT, 3), float(self.rng.normal(0, 20)), 0.0, 0.0), arc=18.0 if borrowed else 34.0)
        dropped = arm.t
        arm.leave()
        return self.stage.left(BANKER, actor.rest().at, dropped)

    def _deal(self, one: Round, start: float, next_top: str | None) -> float:
        """The top photo goes to the bottom, the next two onto the table."""
        arm = self.arms[HOST]
        arm.wait_until(start)
        self._lift_from_deck(arm, one.top, one.pair[0])
        arm.carry(one.top, Pose((DECK_AT[0] + 26, DECK_AT[1] - 104), 4.0, 12.0), grip=(34, 26), arc=10)
        arm.carry(one.top, Pose(DECK_AT, 0.0, 0.0), grip=(46, 30), arc=0.0, beneath=True)
        self.stage.actors[one.top].vanishes = arm.t
        self.cards += 1
        layout = self.deck.layouts[one.token - 1]
        loose, apart = (7.0, 1.2) if layout.name == "tossed" else (1.6, 1.0)  # tossed ones turn as they like, and lie clear of one another
        centre = self.rng.normal(0, 2.5, 2)
        for k, (who, pose) in enumerate(zip(one.pair, (layout.first, layout.second), strict=True)):
            self._lift_from_deck(arm, who, one.pair[1] if k == 0 else next_top)
            at = (apart * pose.x_mm + centre[0] + self.rng.normal(0, 1.0), pose.y_mm + centre[1] + self.rng.normal(0, 1.0))
            arm.carry(who, Pose(at, _nearest_turn(pose.turn_deg + float(self.rng.normal(0, loose)))), grip=(14, 30))
        last = self.stage.actors[one.pair[1]].rest().at
        dropped = arm.t
        arm.leave()
        return self.stage.left(HOST, last, dropped, clear_mm=CLEAR_PHOTO_MM)

    def _lift_from_deck(self, arm: Arm, who: str, beneath: str | None) -> None:
        """Take the deck's top photo: from now on it is a thing of its own, and the deck shows the next."""
        lift = 0.55 * (self.cards - 1)
        arm.reach((DECK_AT[0] + 46, DECK_AT[1] + 30), height=8 + lift, pose="curled")
        self.stage.put(photo(who, *self._sides(who), self.deck.size_mm, DECK_AT, 0.0, lift=lift), appears=arm.t)
        self.cards -= 1
        self._show_deck(beneath or "p01", arm.t)

    def _show_deck(self, top: str, t: float) -> None:
        """From `t` on the deck shows this photo."""
        for name, actor in self.stage.actors.items():
            if name.startswith("deck") and actor.vanishes > t:
                actor.vanishes = t
        heap = pile(f"deck{len(self.stage.actors)}", self._sides(top)[0], self.deck.size_mm, DECK_AT, 0.0, cards=self.cards)
        self.stage.put(heap, appears=t)

    def _sides(self, who: str) -> tuple[Texture, Texture]:
        """A photo's front and back, as fine as the film can show them."""
        if who not in self._pictures:
            small = [cv2.resize(p, TEXTURE_PX, interpolation=cv2.INTER_AREA) for p in (self.deck.front(who), self.deck.back(who))]
            front, back = (rounded(np.asarray(p, np.uint8), self.deck.size_mm) for p in small)
            self._pictures[who] = front, back
        return self._pictures[who]

    def _choose(self, one: Round, laid: float) -> tuple[dict[str, int], float]:
        """Everybody takes a marker, with what goes wrong. -> who has which marker before him, when the last one lay."""
        held: dict[str, int] = {}
        when = laid + float(self.rng.uniform(3.8, 4.6))
        for k, (player, value) in enumerate(one.takes, start=1):
            lay = self._take(player, value, when)
            held[player] = value
            self._tell(lay, {"event": "marker-taken", "player": player, "value": value})
            when = lay + float(self.rng.uniform(1.0, 1.8))
            if k == 2 and one.swap is not None:
                lay = self._swap(*one.swap, held, lay)
                when = lay + 1.6
            if k == 2 and one.early is not None:
                when = self._peek(one.early, one.pair[1], lay) + 2.2
        return held, lay

    def _take(self, player: str, value: int, when: float) -> float:
        """Take a marker from its home so that it lies before the player at about `when`. -> the time at which it does."""
        arm, name = self.arms[player], f"marker{value}"
        side = self.place[player].side
        home, front = self.stage.actors[name].rest().at, FRONTS[side]
        carry = max(0.34, float(np.hypot(home[0] - front[0], home[1] - front[1])) / SPEED_MM_S)
        arm.wait_until(when - carry - 1.1)
        arm.reach(home)
        arm.carry(name, Pose(_near(self.rng, front, 5), FACING[side] + float(self.rng.normal(0, 10))))
        dropped = arm.t
        arm.leave()
        return self.stage.left(player, self.stage.actors[name].rest().at, dropped)

    def _swap(self, player: str, other: int, held: dict[str, int], since: float) -> float:
        """Put the marker back, think, and take another: a foul each. -> when the new one lies."""
        arm, side = self.arms[player], self.place[player].side
        value = held[player]
        arm.wait_until(since + 1.0)
        arm.reach(self.stage.actors[f"marker{value}"].rest().at)
        arm.carry(f"marker{value}", Pose(_near(self.rng, HOMES[value], 2), float(self.rng.normal(0, 6))))
        dropped, back = arm.t, self.stage.actors[f"marker{value}"].rest().at
        toward = FRONTS[side]
        arm.reach(tuple(0.55 * b + 0.45 * f for b, f in zip(back, toward, strict=True)), height=40)
        arm.wait(0.7)
        returned = self.stage.left(player, back, dropped)
        arm.reach(self.stage.actors[f"marker{other}"].rest().at)
        arm.carry(f"marker{other}", Pose(_near(self.rng, toward, 5), FACING[side] + float(self.rng.normal(0, 10))))
        dropped = arm.t
        arm.leave()
        taken = self.stage.left(player, self.stage.actors[f"marker{other}"].rest().at, dropped)
        self._tell(returned, {"event": "marker-returned", "player": player, "value": value})
        self._tell(taken, {"event": "marker-taken", "player": player, "value": other})
        held[player] = other
        return taken

    def _peek(self, player: str, who: str, since: float) -> float:
        """Turn one photo while others still choose, and turn it back when told off. -> when it lies as before."""
        arm = self.arms[player]
        arm.wait_until(since + 0.8)
        self._turn_over(arm, who, 180.0)
        dropped, at = arm.t, self.stage.actors[who].rest().at
        arm.leave()
        self._tell(self.stage.left(player, at, dropped, clear_mm=CLEAR_PHOTO_MM), {"event": "photos-turned"})
        arm.wait(1.8)
        self._turn_over(arm, who, 0.0)
        arm.leave()
        return arm.t

    def _turn_over(self, arm: Arm, who: str, over: float) -> None:
        """Turn a photo about its short axis, like a page."""
        rest = self.stage.actors[who].rest()
        c, s = np.cos(np.deg2rad(rest.turn)), np.sin(np.deg2rad(rest.turn))
        arm.reach((rest.at[0] + 52 * c, rest.at[1] + 52 * s), pose="curled")
        arm.carry(who, Pose(rest.at, rest.turn, rest.lift, over), grip=(-40 * c, -40 * s), arc=8.0, seconds=0.62)

    def _hesitate(self, one: Round, since: float) -> None:
        """The last player points from marker to marker until it is too late."""
        assert one.slow is not None
        arm = self.arms[one.slow]
        free = [v for v in HOMES if v not in dict(one.takes).values()]
        near = sorted(free, key=lambda v: abs(v - one.count))[:3]
        arm.wait_until(since + 0.3)
        for value in (near[0], near[1], near[2], near[0]):
            x, y = HOMES[value]
            arm.reach((x + 8, y + 10), height=42, pose="point", seconds=0.6)
            arm.wait(0.45)
        arm.leave()

    def _reward(self, one: Round, outcome: Json, start: float) -> None:
        """The banker hands out what was won; a green token that nobody has won leaves the table."""
        arm = self.arms[BANKER]
        arm.wait_until(start)
        for row in outcome["points"]:
            player, colour = row["player"], row["for"]
            if colour != "green" and not self.left[colour]:
                continue
            name = f"green{one.token}" if colour == "green" else f"{colour}{self.left[colour]}"
            if colour != "green":
                self.left[colour] -= 1
            heap = self.heaps.get((player, colour), 0)
            self.heaps[player, colour] = heap + 1
            arm.reach(self.stage.actors[name].rest().at, height=6 + self.stage.actors[name].rest().lift)
            arm.carry(
                name,
                Pose(_near(self.rng, SLOTS[self.place[player].side][colour], 1.0), float(self.rng.uniform(0, 360)), TOKEN_THICK * heap),
            )
        if outcome["params"]["exact"] is None:
            name = f"green{one.token}"
            arm.reach(self.stage.actors[name].rest().at)
            arm.carry(name, Pose((460.0, -130.0), 0.0, 20.0))
            self.stage.actors[name].vanishes = arm.t
        arm.leave()

    def _sweep(self, one: Round, held: dict[str, int], start: float) -> None:
        """Markers go home, the photos onto the discards."""
        for k, (player, value) in enumerate(held.items()):
            arm, name = self.arms[player], f"marker{value}"
            arm.wait_until(start + 0.3 * k)
            arm.reach(self.stage.actors[name].rest().at)
            arm.carry(name, Pose(_near(self.rng, HOMES[value], 1.8), float(self.rng.normal(0, 6))))
            arm.leave()
        host = self.arms[HOST]
        host.wait_until(start + 0.6)
        for who in one.pair:
            rest = self.stage.actors[who].rest()
            host.reach((rest.at[0] + 14, rest.at[1] + 30), pose="curled")
            lift = PHOTO_THICK * self.discarded
            self.discarded += 1
            host.carry(who, Pose(_near(self.rng, DISCARD_AT, 3.0), float(self.rng.normal(0, 4)), lift, 180.0), grip=(-20, 30))
        host.leave()


def _near(rng: np.random.Generator, at: tuple[float, float], spread: float) -> tuple[float, float]:
    return at[0] + float(rng.normal(0, spread)), at[1] + float(rng.normal(0, spread))


def _nearest_turn(degrees: float) -> float:
    """The same turn between -180 and 180, so that nothing spins needlessly."""
    return (degrees + 180.0) % 360.0 - 180.0
