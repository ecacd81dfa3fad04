// The score: everybody in the order of the seats, points large, tokens as little discs, and who has which marker.

import { h } from "./dom.js";
import { roundName } from "./due.js";
import { t } from "./words.js";

// Ten inks that are neither the red, the yellow nor the green of the tokens.
const INKS = ["#2f6fae", "#8a4fa3", "#a8622a", "#c2528b", "#1b7f8c", "#5c6470", "#5b57c2", "#7a3b2e", "#4f8fd0", "#9a7bb5"];

export function seatColour(play, name) {
  const at = play.position.players?.indexOf(name) ?? 0;
  return play.seats?.find((seat) => seat.name === name)?.colour ?? inkOf(at);
}

export const inkOf = (at) => INKS[Math.max(0, at) % INKS.length];

export function score(state) {
  const { play } = state;
  const position = play.position;
  return h(
    "section",
    { class: "score paper", key: "score", "aria-label": t("score"), style: `--players: ${position.players.length}` },
    h("p", { class: "tab" }, roundName(play)),
    h(
      "ol",
      { class: "players" },
      position.players.map((name) => row(play, name)),
    ),
  );
}

function row(play, name) {
  const { position } = play;
  const { points = 0, green = 0, yellow = 0, red = 0 } = play.score[name] ?? {};
  const resting = position.playing && position.playing.length > 0 && !position.playing.includes(name);
  return h(
    "li",
    { class: `player${resting ? " resting" : ""}`, key: name, "data-player": name, style: `--seat: ${seatColour(play, name)}` },
    h("span", { class: "player-name" }, name),
    marker(position, name, resting),
    h("span", { class: "player-tokens" }, discs("green", green), discs("yellow", yellow), discs("red", red)),
    h("span", { class: "player-points", "aria-hidden": "true" }, points),
    h("span", { class: "unseen" }, t("score.points", { n: points })),
  );
}

function marker(position, name, resting) {
  const value = position.markers?.[name];
  if (value) return h("span", { class: "marker", role: "img", "aria-label": t("score.marker", { value }) }, value);
  if (resting) return h("span", { class: "marker none", role: "img", "aria-label": t("score.resting") });
  if (position.out === name) return h("span", { class: "marker out", role: "img", "aria-label": t("score.out") });
  const thinking = position.state === "choosing";
  return h("span", { class: `marker ${thinking ? "thinking" : "none"}`, role: "img", "aria-label": t("score.thinking") });
}

const WORTH = { green: 3, yellow: 2, red: 1 };

/** One token: its worth stands on it, so that nobody needs to tell the colours apart. */
export const disc = (colour, bare = false) => h("span", { class: `disc ${colour}` }, !bare && WORTH[colour]);

function discs(colour, n) {
  if (!n) return null;
  const shown = Array.from({ length: n }, (_, i) => disc(colour, i < n - 1));
  return h("span", { class: "discs", role: "img", "aria-label": t(`token.${colour}`, { n }) }, shown);
}
