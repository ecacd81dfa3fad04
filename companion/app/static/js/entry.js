// The whole game by hand: at each moment the buttons for what may happen now.

import { h } from "./dom.js";
import { t } from "./words.js";
import { seatColour } from "./score.js";

// What needs no choice. Which photos lie there nobody types in.
const STEPS = { "green-turned": {}, "photos-laid": { photos: [null, null] }, "photos-turned": {} };

/** Whether the buttons are open: asked for, or there is nothing else. */
export const byHand = (state) => state.hand || ["none", "lost", "ended"].includes(state.play?.status?.source);

export function entry(state, act) {
  const { play } = state;
  const may = (event) => play.legal.includes(event);
  const step = Object.keys(STEPS)
    .filter(may)
    .map((event) =>
      h(
        "button",
        { class: "primary wide", key: event, onclick: () => act.enter({ event, ...STEPS[event] }) },
        t(`hand.${event}`),
      ),
    );
  return h(
    "section",
    { class: "entry paper", key: "entry", "aria-label": t("hand.title") },
    step,
    state.late &&
      may("time-up") &&
      h("button", { class: "primary wide", key: "time-up", onclick: () => act.enter({ event: "time-up" }) }, t("hand.time-up")),
    may("marker-taken") && choosing(state, act),
    may("differences-counted") && counting(act),
    play.position.state === "over" && h("p", null, t("hand.over")),
    h("div", { class: "actions apart" }, seldom(state, act)),
    play.status.source === "none" && h("p", { class: "soft" }, t("state.no-camera")),
  );
}

function choosing(state, act) {
  const { play } = state;
  const { markers = {}, playing = [], out } = play.position;
  const allowed = play.legal_values?.["marker-taken"] ?? {};
  const waiting = allowed.player ?? playing.filter((name) => !(name in markers) && name !== out);
  const free =
    allowed.value ?? Array.from({ length: 10 }, (_, i) => i + 1).filter((value) => !Object.values(markers).includes(value));
  const who = waiting.includes(state.pick) ? state.pick : waiting.length === 1 ? waiting[0] : null;
  return h(
    "div",
    { class: "choosing", key: "choosing" },
    h("h2", null, t("hand.who")),
    h(
      "div",
      { class: "actions", role: "group", "aria-label": t("hand.who") },
      waiting.map((name) =>
        h(
          "button",
          {
            class: "plain name",
            key: name,
            "aria-pressed": String(name === who),
            style: `--seat: ${seatColour(play, name)}`,
            onclick: () => act.pick(name),
          },
          name,
        ),
      ),
    ),
    who && [
      h("h2", { key: "which" }, t("hand.which", { who })),
      h(
        "div",
        { class: "numbers", key: "values", role: "group", "aria-label": t("hand.which", { who }) },
        Array.from({ length: 10 }, (_, i) => i + 1).map((value) =>
          h(
            "button",
            {
              class: "number marker-number",
              key: `m${value}`,
              disabled: !free.includes(value),
              onclick: () => act.enter({ event: "marker-taken", player: who, value }),
            },
            value,
          ),
        ),
      ),
    ],
  );
}

function counting(act) {
  const enter = (event) => {
    event.preventDefault();
    act.enter({ event: "differences-counted", count: Number(new FormData(event.target).get("count")) });
  };
  return h(
    "div",
    { class: "counting", key: "counting" },
    h("h2", null, t("hand.count")),
    h(
      "div",
      { class: "numbers", role: "group", "aria-label": t("hand.count") },
      Array.from({ length: 11 }, (_, count) =>
        h(
          "button",
          { class: "number", key: `c${count}`, onclick: () => act.enter({ event: "differences-counted", count }) },
          count,
        ),
      ),
    ),
    h(
      "details",
      null,
      h("summary", null, t("hand.more")),
      h(
        "form",
        { class: "actions", onsubmit: enter },
        h("input", {
          name: "count",
          type: "number",
          min: 0,
          max: 99,
          required: true,
          "aria-label": t("hand.count"),
          inputmode: "numeric",
        }),
        h("button", { class: "primary" }, t("hand.enter")),
      ),
    ),
  );
}

/** What is seldom wanted, and asks back before it is done. */
function seldom(state, act) {
  const { play } = state;
  const holders = Object.keys(play.position.markers ?? {});
  const sure = (event) => () => act.open("sure", { event });
  const running = ["choosing", "final-check", "counting"].includes(play.position.state);
  return [
    h("button", { class: "plain", onclick: () => act.undo() }, t("slip.undo")),
    play.legal.includes("void") && h("button", { class: "plain", onclick: sure({ event: "void" }) }, t("hand.void")),
    running &&
      holders.length > 0 &&
      h(
        "details",
        { key: "returned" },
        h("summary", null, t("hand.foul")),
        h(
          "div",
          { class: "actions" },
          holders.map((player) =>
            h(
              "button",
              { class: "plain", onclick: () => act.enter({ event: "marker-returned", player }) },
              t("hand.returned", { who: player }),
            ),
          ),
        ),
      ),
    play.legal.includes("game-ended") &&
      h("button", { class: "plain", onclick: sure({ event: "game-ended" }) }, t("hand.game-ended")),
  ];
}
