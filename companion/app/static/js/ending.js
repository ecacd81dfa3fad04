// The game is over: who has won, the sheet, the guesses against the truth, and once more.

import { h } from "./dom.js";
import { t } from "./words.js";
import { chart, downloads, ledger } from "./scoresheet.js";

export function ending(state, act) {
  return h(
    "section",
    { class: "ending paper", key: "ending" },
    h("p", { class: "winner" }, winner(state.sheet?.winners ?? [])),
    chart(state),
    ledger(state),
    act && h("div", { class: "actions" }, h("button", { class: "primary", onclick: act.again }, t("over.again")), downloads()),
  );
}

function winner(names) {
  if (!names.length) return t("over.none");
  if (names.length === 1) return t("over.winner", { who: names[0] });
  const last = names[names.length - 1];
  return t("over.winners", { who: `${names.slice(0, -1).join(", ")} ${t("over.and")} ${last}` });
}
