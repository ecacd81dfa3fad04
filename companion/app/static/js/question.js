// A question of the companion's: two or three answers as buttons, the likeliest first.

import { h } from "./dom.js";
import { known, t } from "./words.js";

export function question(state, act) {
  const asked = state.questions[0];
  if (!asked) return null;
  const about = asked.text ?? t(asked.about === "differences-counted" ? "question.count" : "question.other");
  const host = state.role === "host";
  return h(
    "section",
    { class: "question paper", key: `question-${asked.question}`, role: "group", "aria-label": t("question.title") },
    h("p", { class: "slip-kind" }, t("question.title")),
    h("p", { class: "slip-text", role: "alert" }, about),
    host &&
      asked.evidence &&
      typeof asked.evidence === "string" &&
      h("img", { class: "question-picture", src: asked.evidence, alt: t("slip.picture") }),
    host &&
      h(
        "div",
        { class: "choices" },
        asked.choices.map((choice, i) =>
          h(
            "button",
            { class: i === 0 ? "primary choice" : "plain choice", onclick: () => act.answer(asked, choice), key: `choice-${i}` },
            choice.picture && h("img", { src: choice.picture, alt: "" }),
            h("span", null, choice.text ?? says(choice.event)),
          ),
        ),
        h("button", { class: "quiet-text", onclick: () => act.later(asked) }, t("question.later")),
      ),
  );
}

/** An event in a few words. */
export function says(event) {
  const key = `event.${event.event}`;
  return known(key) ? t(key, { ...event, n: event.count }) : event.event;
}
