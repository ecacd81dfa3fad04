// What is not as it should be, in one sentence, and the way out of it.

import { h } from "./dom.js";
import { icon } from "./icons.js";
import { known, t } from "./words.js";

export function age(seconds) {
  if (seconds === null || seconds === undefined) return t("age.unknown");
  return seconds < 90
    ? t("age.seconds", { n: Math.max(1, Math.round(seconds)) })
    : t("age.minutes", { n: Math.round(seconds / 60) });
}

/** The worst trouble there is: {icon, text, way, button}, or null. */
function worst(state) {
  const { play, link } = state;
  if (link === "lost") return { icon: "plug", text: t("state.lost"), way: t("state.lost.way"), button: ["state.retry", "retry"] };
  if (!play) return null;
  const { source, camera, failed, advice = [], frame_age_s: old } = play.status;
  if (failed) return { icon: "plug", text: failed, way: t("state.lost.way") };
  const by = ["hand.open", "byHand"];
  if (source === "lost")
    return { icon: "camera", text: t("state.camera-lost", { age: age(old) }), way: t("state.camera-lost.way"), button: by };
  if (source === "stalled")
    return { icon: "camera", text: t("state.stalled", { age: age(old) }), way: t("state.stalled.way"), button: by };
  if (source === "ended" && play.position.state !== "over")
    return { icon: "camera", text: t("state.ended"), way: "", button: by };
  if (source === "opening") return { icon: "camera", text: t("state.opening"), way: "" };
  if (camera === "moved")
    return { icon: "camera", text: t("state.moved"), way: t("state.moved.way"), button: ["state.measure", "measure"] };
  if (camera === "dark") return { icon: "lamp", text: t("state.dark"), way: t("state.dark.way"), button: by };
  const heard = advice.find((key) => known(`advice.${key}`));
  if (heard) return { icon: "lamp", text: t(`advice.${heard}`), way: t(known(`advice.${heard}.way`) ? `advice.${heard}.way` : "advice.way") };
  return null;
}

export function trouble(state, act) {
  const it = worst(state);
  if (!it) return null;
  return h(
    "section",
    { class: "trouble", key: "trouble", role: "status" },
    icon(it.icon),
    h("p", null, h("strong", null, it.text), " ", it.way),
    act && it.button && h("button", { class: "outline", onclick: () => act[it.button[1]]() }, t(it.button[0])),
  );
}

/** After a restart in the middle of a game, until it is read. */
export function welcome(state, act) {
  const { resumed } = state.play ?? {};
  if (!resumed || state.welcomed) return null;
  const text = resumed.round ? t("state.resumed", { n: resumed.round }) : t("state.resumed.before");
  return h(
    "section",
    { class: "trouble welcome", key: "welcome", role: "status" },
    icon("tick"),
    h("p", null, h("strong", null, text)),
    act && h("button", { class: "outline", onclick: () => act.welcomed() }, t("close")),
  );
}
