// The strip at the top, and all that is one tap away.

import { h } from "./dom.js";
import { icon } from "./icons.js";
import { NAMES, language, t } from "./words.js";
import { sheet } from "./panel.js";
import { says } from "./question.js";

export function strip(state, act) {
  const { play } = state;
  const tool = (name, words, onclick, more = {}) =>
    h("button", { class: "quiet", onclick, "aria-label": words, title: words, ...more }, icon(name));
  return h(
    "header",
    { class: "strip", key: "strip" },
    h("p", { class: "wordmark" }, icon("lens"), h("span", null, t("title"))),
    state.questions.length > 0 && state.role === "host" && h("p", { class: "asks" }, t("question.waiting")),
    h(
      "div",
      { class: "tools" },
      voiceButton(state, act),
      state.role === "host" &&
        play && [
          !state.table && tool("eye", t("table.show"), () => act.toggle("table")),
          tool("pencil", t("hand.open"), () => act.toggle("hand"), { "aria-pressed": String(state.hand) }),
          tool("list", t("menu.history"), () => act.open("history"), { class: "quiet in-menu" }),
          tool("more", t("menu"), () => act.open("menu")),
        ],
    ),
  );
}

function voiceButton(state, act) {
  if (state.voice === "blocked" && !state.mute)
    return h("button", { class: "outline speak", onclick: act.unblock }, icon("voice"), t("voice.blocked"));
  const words = t(state.mute ? "voice.off" : state.voice === "none" ? "voice.none" : "voice.on");
  return h(
    "button",
    { class: "quiet", onclick: () => act.toggle("mute"), "aria-label": words, title: words, "aria-pressed": String(state.mute) },
    icon(state.mute || state.voice === "none" ? "mute" : "voice"),
  );
}

export function menu(state, act) {
  const item = (name, words, onclick) => h("li", null, h("button", { class: "item", onclick }, icon(name), words));
  const { status } = state.play;
  return sheet(
    "menu",
    t("menu"),
    act,
    h(
      "ul",
      { class: "items" },
      item("undo", t("menu.undo"), () => act.undo()),
      item("list", t("menu.history"), () => act.open("history")),
      item("print", t("menu.sheet"), () => act.open("sheet")),
      item("pencil", t("hand.open"), () => act.toggle("hand", true)),
      item("lens", t("menu.compare"), () => act.open("compare")),
      item("camera", t("menu.setup"), act.measure),
      h("li", null, h("a", { class: "item", href: "/show", target: "_blank" }, icon("eye"), t("menu.room"))),
    ),
    state.play.languages && languages(state.play.languages, act),
    status.skipped_frames > 0 && h("p", { class: "soft" }, t("state.skipped", { n: status.skipped_frames })),
  );
}

function languages(spoken, act) {
  const options = spoken.map((code) => h("option", { value: code, selected: code === language }, NAMES[code]));
  return h(
    "label",
    { class: "field" },
    t("menu.language"),
    h("select", { onchange: (event) => act.language(event.target.value) }, options),
  );
}

/** Asks back before something that cannot be done by a slip of the finger. */
export function sure(state, act) {
  const { event } = state.panel;
  return sheet(
    "sure",
    t("hand.sure"),
    act,
    h("p", { class: "large" }, says(event)),
    h(
      "div",
      { class: "actions" },
      h("button", { class: "primary", onclick: () => act.enter(event) }, t("hand.yes")),
      h("button", { class: "plain", onclick: () => act.close("sure") }, t("hand.no")),
    ),
  );
}
