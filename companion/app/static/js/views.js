// The host's and the room's page, as trees of the state.

import { h } from "./dom.js";
import { cards } from "./cards.js";
import { compare } from "./compare.js";
import { due } from "./due.js";
import { ending } from "./ending.js";
import { byHand, entry } from "./entry.js";
import { menu, strip, sure } from "./menu.js";
import { question } from "./question.js";
import { reveal } from "./reveal.js";
import { history, recent, slip, why, wrong } from "./ruling.js";
import { score } from "./score.js";
import { scoreSheet } from "./scoresheet.js";
import { setup } from "./setup.js";
import { hasPicture, table } from "./table.js";
import { trouble, welcome } from "./trouble.js";
import { t } from "./words.js";

const PANELS = { menu, history, why, wrong, sure, sheet: scoreSheet, compare, cards };

export function page(state, act) {
  return state.role === "host" ? host(state, act) : room(state, act);
}

/** Whether the table has still to be set. */
const setting = (state) => state.draft !== null;

const over = (state) => state.play.position.state === "over";

function host(state, act) {
  if (!state.play) return waiting(state, act, "host");
  const begun = !setting(state);
  const playing = begun && !over(state);
  const seen = playing && state.table && hasPicture(state);
  const hand = playing && byHand(state);
  return [
    h(
      "main",
      { class: `host${seen ? " with-table" : ""}${hand ? " with-hand" : ""}${setting(state) ? " setting" : ""}`, key: "main" },
      strip(state, act),
      due(state),
      notes(state, act),
      begun && state.play.position.players && score(state),
      seen && table(state, act),
      hand && entry(state, act),
      playing && recent(state),
      begun && over(state) && ending(state, act),
      setting(state) && setup(state, act),
    ),
    laidOver(state, act),
  ];
}

function room(state, act) {
  if (!state.play) return waiting(state, null, "room");
  const players = state.play.position.players;
  const seen = players && state.table && hasPicture(state) && !over(state);
  return [
    h(
      "main",
      { class: `room${seen ? " with-table" : ""}`, key: "main" },
      strip(state, act),
      due(state),
      notes(state, null),
      players && score(state),
      seen && table(state, null),
      players && !over(state) && recent(state),
      players && over(state) && ending(state, null),
    ),
    laidOver(state, act),
  ];
}

/** What is said now: a trouble, a question, the newest ruling. */
function notes(state, act) {
  const asked = !state.reveal && question(state, act);
  return h(
    "div",
    { class: "notes", key: "notes" },
    welcome(state, act),
    trouble(state, act),
    state.notice &&
      h(
        "section",
        { class: "trouble", key: "notice", role: "alert" },
        h("p", null, state.notice),
        act && h("button", { class: "outline", onclick: act.noted }, t("close")),
      ),
    asked,
    !asked && slip(state, act),
  );
}

/** What lies over the page: a sheet of paper, or the reveal. */
function laidOver(state, act) {
  return [state.reveal && reveal(state, act), state.panel && PANELS[state.panel.name](state, act)];
}

function waiting(state, act, kind) {
  return [
    h(
      "main",
      { class: kind, key: "main" },
      strip(state, act),
      due(state),
      h("div", { class: "notes", key: "notes" }, trouble(state, act)),
    ),
  ];
}
