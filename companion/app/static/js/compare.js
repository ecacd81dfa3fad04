// Two pictures dropped on the page: how they differ. state.compare: {busy, error, report, view}.

import { h } from "./dom.js";
import { t } from "./words.js";
import { sheet } from "./panel.js";
import { looking, withSize } from "./pair.js";
import { ask } from "./link.js";

/** Asks for the report on two files; it comes with the pictures themselves. */
export async function report(files) {
  const pictures = [...files].filter((file) => file.type.startsWith("image/"));
  if (pictures.length !== 2) throw new Error(t("compare.two"));
  const form = new FormData();
  form.append("a", pictures[0]);
  form.append("b", pictures[1]);
  const found = await ask("POST", "/api/v1/differences", form);
  return withSize({
    ...found,
    places: found.places ?? [],
    a: URL.createObjectURL(pictures[0]),
    b: URL.createObjectURL(pictures[1]),
  });
}

export function compare(state, act) {
  const { busy, error, report: found, view } = state.compare ?? {};
  return sheet(
    "compare",
    t("compare.title"),
    act,
    h(
      "label",
      { class: "drop" },
      h("span", null, busy ? t("compare.looking") : t("compare.drop")),
      h("input", {
        type: "file",
        accept: "image/*",
        multiple: true,
        "aria-label": t("compare.choose"),
        onchange: (event) => act.compare(event.target.files),
      }),
    ),
    error && h("p", { role: "alert" }, error),
    found && [
      h("p", { class: "large", role: "status" }, verdict(found)),
      (found.notes ?? []).map((note) => h("p", { class: "soft" }, note)),
      h(
        "div",
        { class: "compared" },
        looking(found, view, (change) => act.lookCompared(change)),
      ),
    ],
  );
}

function verdict({ same_picture: same, count, range }) {
  if (!same) return t("compare.not-same");
  if (range && range[0] !== range[1]) return t("reveal.unsure", { low: range[0], high: range[1] });
  return count === 0 ? t("reveal.same") : t("reveal.count", { n: count });
}
