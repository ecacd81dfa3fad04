// The deck's cards, to say which one lay there. The number by each: the differences that it has with the photo beside it.

import { h } from "./dom.js";
import { t } from "./words.js";
import { sheet as panel } from "./panel.js";

export function cards(state, act) {
  const { laid, at, all } = state.panel;
  const pick = (card) => () => act.otherCard(laid, at, card);
  return panel(
    "cards",
    t("cards.title"),
    act,
    h("p", { class: "soft" }, t("cards.beside", { photo: laid.event.photos[1 - at] })),
    h(
      "ul",
      { class: "cards" },
      all.map((card) =>
        h(
          "li",
          { key: card.id },
          h(
            "button",
            { class: "card", "aria-current": String(card.id === laid.event.photos[at]), onclick: pick(card) },
            h("img", { src: card.picture, alt: "", loading: "lazy" }),
            h("span", { class: "card-name" }, card.id),
            h("span", { class: "soft" }, t("reveal.count", { n: card.count })),
          ),
        ),
      ),
    ),
  );
}
