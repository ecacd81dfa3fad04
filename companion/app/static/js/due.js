// What is due now, and the ring that closes in the last seconds.

import { h } from "./dom.js";
import { t } from "./words.js";
import { stepNow } from "./setup.js";
import { secondsLeft } from "./store.js";

const ROUND = 2 * Math.PI * 44;

export function due(state) {
  const { play } = state;
  const running = secondsLeft(state, 0) !== null;
  return h(
    "section",
    { class: "due", key: "due" },
    running && ring(state),
    h("h1", { class: "due-text" }, sentence(state)),
  );
}

function sentence(state) {
  if (!state.play) return t(state.link === "lost" ? "state.lost" : "state.connecting");
  return state.draft && stepNow(state) !== "names" ? t("setup.title") : state.play.due; // who plays is known on the later steps
}

/** The round under way, in a few words. */
export function roundName(play) {
  const position = play?.position ?? {};
  if (!position.round) return t("round.none");
  const of = position.settings?.rounds ?? 10;
  return position.round > of ? t("round.extra") : t("round", { n: position.round, of });
}

function ring(state) {
  const whole = state.play.position.settings?.last_s ?? 3;
  return h(
    "svg",
    { class: "ring", viewBox: "0 0 100 100", role: "img", "aria-hidden": "true", key: "ring", "data-whole": whole },
    h("circle", { class: "ring-base", cx: 50, cy: 50, r: 44 }),
    h("circle", { class: "ring-left", cx: 50, cy: 50, r: 44, "stroke-dasharray": ROUND, "stroke-dashoffset": 0 }),
    h("text", { class: "ring-number", x: 50, y: 50, own: true }),
  );
}

/** Draws the ring as it stands at this moment; called for every frame of the screen while a clock runs. */
export function drawRing(state, at) {
  const drawing = document.querySelector(".ring");
  const left = secondsLeft(state, at);
  if (!drawing || left === null) return;
  const part = Math.min(1, left / Number(drawing.dataset.whole));
  drawing.querySelector(".ring-left").style.strokeDashoffset = ROUND * (1 - part);
  drawing.querySelector(".ring-number").textContent = String(Math.ceil(left));
}
