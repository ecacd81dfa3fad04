// A sheet of paper that is laid over the table, and taken away by its button, by Escape or by a tap beside it.

import { h } from "./dom.js";
import { icon } from "./icons.js";
import { t } from "./words.js";

export function sheet(name, title, act, ...content) {
  return h(
    "dialog",
    {
      class: `sheet paper sheet-${name}`,
      key: `sheet-${name}`,
      "aria-label": title,
      ref: (dialog) => dialog.showModal(),
      onclose: () => act.close(name),
      onclick: (event) => event.target === event.currentTarget && act.close(name),
    },
    h("div", { class: "sheet-body" }, h("header", { class: "sheet-head" }, h("h2", null, title), closer(name, act)), content),
  );
}

const closer = (name, act) =>
  h("button", { class: "quiet", onclick: () => act.close(name), "aria-label": t("close") }, icon("close"));
