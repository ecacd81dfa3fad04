// The game is over: the guesses against the truth, the sheet, and once more. Who has won is the sentence above.

import { h } from "./dom.js";
import { t } from "./words.js";
import { chart, downloads, ledger } from "./scoresheet.js";

export function ending(state, act) {
  return h(
    "section",
    { class: "ending paper", key: "ending" },
    act && h("div", { class: "actions" }, h("button", { class: "primary", onclick: act.again }, t("over.again")), downloads()),
    chart(state),
    act && ledger(state),
  );
}
