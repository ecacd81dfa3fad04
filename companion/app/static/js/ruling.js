// Rulings: the slip that shows the newest one and steps aside, why it is so, and what to do when it is wrong.

import { h } from "./dom.js";
import { icon } from "./icons.js";
import { t } from "./words.js";
import { disc } from "./score.js";
import { rulingOf } from "./store.js";
import { sheet } from "./panel.js";

/** How long a slip lies there, in seconds: time to read it aloud twice. */
export const slipSeconds = (ruling) => (ruling.ruling === "foul" ? 6 : 3) + 0.12 * ruling.text.length;

export function slip(state, act) {
  const ruling = state.slip === null ? null : rulingOf(state, state.slip);
  if (!ruling) return null;
  const foul = ruling.ruling === "foul";
  const host = state.role === "host";
  return h(
    "section",
    { class: `slip paper${foul ? " foul" : ""}`, key: `slip-${ruling.of}`, "aria-label": foul ? t("slip.foul") : null },
    ruling.evidence && evidence(ruling, host && act),
    h(
      "div",
      { class: "slip-body" },
      foul && h("p", { class: "slip-kind" }, t("slip.foul")),
      h("p", { class: "slip-text" }, ruling.text),
      won(ruling),
    ),
    host && h("div", { class: "actions" }, foul && ruling.params.action === "ask" ? waysOut(act) : usual(ruling, act)),
    host && h("button", { class: "quiet slip-close", onclick: act.putAside, "aria-label": t("close") }, icon("close")),
  );
}

function evidence(ruling, act) {
  const img = h("img", { src: ruling.evidence, alt: t("slip.picture"), loading: "lazy" });
  if (!act) return h("span", { class: "evidence" }, img);
  return h("button", { class: "evidence", onclick: () => act.open("why", { of: ruling.of }), "aria-label": t("slip.why") }, img);
}

function won(ruling) {
  const rows = ruling.points.filter((row) => row.for in { green: 1, yellow: 1, red: 1 });
  if (!rows.length) return null;
  return h(
    "ul",
    { class: "won" },
    rows.map((row) => h("li", null, disc(row.for), " ", row.player)),
  );
}

const waysOut = (act) => [
  h("button", { class: "primary", onclick: act.putAside }, t("slip.play-on")),
  h("button", { class: "plain", onclick: () => act.enter({ event: "void" }) }, t("slip.again")),
];

const usual = (ruling, act) => [
  h("button", { class: "plain", onclick: () => act.open("why", { of: ruling.of }) }, t("slip.why")),
  canBeWrong(ruling) && h("button", { class: "plain", onclick: () => act.open("wrong", { of: ruling.of }) }, t("slip.wrong")),
  h("button", { class: "plain", onclick: act.undo }, t("slip.undo")),
];

const canBeWrong = (ruling) =>
  !["undone", "corrected", "started", "stopped"].includes(ruling.key) && ruling.event && !ruling.struck;

/** The captions: what was said last. */
export function recent(state) {
  const rulings = state.rulings.slice(-4).reverse();
  if (!rulings.length) return null;
  return h(
    "section",
    { class: "recent", key: "recent", "aria-label": t("menu.history") },
    h(
      "ol",
      { reversed: true },
      rulings.map((r) =>
        h(
          "li",
          { key: `r${r.of}` },
          h("span", { class: "history-time" }, clockTime(r.t)),
          h("span", { class: r.struck ? "struck" : "" }, r.text),
        ),
      ),
    ),
  );
}

/** All that was said, the newest first. */
export function history(state, act) {
  const rulings = [...state.rulings].reverse();
  return sheet(
    "history",
    t("menu.history"),
    act,
    !rulings.length && h("p", null, t("history.empty")),
    h(
      "ol",
      { class: "history", reversed: true },
      rulings.map((ruling) =>
        h(
          "li",
          { key: `r${ruling.of}`, class: ruling.struck ? "struck" : ruling.ruling },
          h("span", { class: "history-time" }, clockTime(ruling.t)),
          h("span", { class: "history-text" }, ruling.text, ruling.struck && h("em", null, ` (${t(`slip.${ruling.struck}`)})`)),
          h(
            "span",
            { class: "actions" },
            h("button", { class: "plain", onclick: () => act.open("why", { of: ruling.of }) }, t("slip.why")),
            canBeWrong(ruling) &&
              h("button", { class: "plain", onclick: () => act.open("wrong", { of: ruling.of }) }, t("slip.wrong")),
          ),
        ),
      ),
    ),
  );
}

export function clockTime(seconds) {
  const whole = Math.floor(seconds ?? 0);
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}

/** The picture and the reason of one ruling. */
export function why(state, act) {
  const ruling = rulingOf(state, state.panel.of);
  if (!ruling) return null;
  const { pair } = state.panel;
  return sheet(
    "why",
    t("why.title"),
    act,
    h("p", { class: "large" }, ruling.text),
    h("p", { class: "soft" }, reason(ruling), " ", t("why.when", { time: clockTime(ruling.t) })),
    ruling.evidence && h("img", { class: "evidence-large", src: ruling.evidence, alt: t("slip.picture") }),
    h(
      "div",
      { class: "actions" },
      pair && h("button", { class: "primary", onclick: () => act.lookAgain(ruling.of, pair) }, t("why.places")),
      canBeWrong(ruling) && h("button", { class: "plain", onclick: () => act.open("wrong", { of: ruling.of }) }, t("slip.wrong")),
    ),
  );
}

function reason(ruling) {
  const { by = "camera", event, evidence } = ruling.event ?? {};
  if (by === "host") return t("why.host");
  if (by.startsWith("player:")) return t("why.player", { who: by.slice("player:".length) });
  if (event === "time-up") return t("why.timed");
  const sure = evidence?.sure;
  return typeof sure === "number" ? t("why.camera", { sure: Math.floor(100 * sure) }) : t("why.camera.plain");
}

/** "That is wrong": what else it may have been, likeliest first. One tap here and it is mended. */
export function wrong(state, act) {
  const ruling = rulingOf(state, state.panel.of);
  if (!ruling?.event) return null;
  const event = ruling.event;
  const mend = (change) => () => act.correct(ruling.of, change && { event: event.event, ...fields(event), ...change });
  const button = (text, change, kind = "plain") => h("button", { class: kind, onclick: mend(change) }, text);
  return sheet(
    "wrong",
    t("wrong.title"),
    act,
    h("p", { class: "soft" }, ruling.text),
    event.event === "marker-taken" && [
      h("h3", null, t("wrong.marker", { who: event.player })),
      h(
        "div",
        { class: "numbers" },
        likeMarkers(event.value).map((value) => button(value, { value }, "number")),
      ),
      h("h3", null, t("wrong.player", { value: event.value })),
      h(
        "div",
        { class: "actions" },
        state.play.position.players.filter((p) => p !== event.player).map((player) => button(player, { player })),
      ),
    ],
    event.event === "differences-counted" && [
      h("h3", null, t("wrong.count")),
      h(
        "div",
        { class: "numbers" },
        nearCounts(event.count).map((count) => button(count, { count }, "number")),
      ),
    ],
    h(
      "div",
      { class: "actions apart" },
      button(t("wrong.never"), null),
      h("button", { class: "plain", onclick: () => act.undo(ruling.of) }, t("wrong.back")),
    ),
  );
}

function fields({ player, value, count, token, photos, top }) {
  return Object.fromEntries(
    Object.entries({ player, value, count, token, photos, top }).filter(([, v]) => v !== undefined && v !== null),
  );
}

// Numerals that are taken for one another come first.
const ALIKE = { 1: [7, 10], 2: [7, 5], 3: [8, 5], 4: [9, 7], 5: [6, 3], 6: [9, 8], 7: [1, 2], 8: [3, 6], 9: [6, 4], 10: [1, 9] };

function likeMarkers(value) {
  const first = ALIKE[value] ?? [];
  return [...first, ...range(1, 10).filter((n) => n !== value && !first.includes(n))];
}

const nearCounts = (count) =>
  range(0, 12)
    .filter((n) => n !== count)
    .sort((a, b) => Math.abs(a - count) - Math.abs(b - count) || a - b);

const range = (from, to) => Array.from({ length: to - from + 1 }, (_, i) => from + i);
