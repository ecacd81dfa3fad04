// The score sheet: on the page, as files, on paper; and the chart of guesses against the truth.

import { h } from "./dom.js";
import { icon } from "./icons.js";
import { t } from "./words.js";
import { sheet as panel } from "./panel.js";
import { seatColour } from "./score.js";

export function scoreSheet(state, act) {
  return panel("sheet", t("sheet.title"), act, ledger(state), state.sheet?.rounds.length > 0 && downloads());
}

export function downloads() {
  return h(
    "div",
    { class: "actions downloads" },
    h("button", { class: "plain", onclick: () => print() }, icon("print"), t("sheet.print")),
    h("a", { class: "button plain", href: "/api/v1/sheet.json", download: "sherlook.json" }, t("sheet.json")),
    h("a", { class: "button plain", href: "/api/v1/sheet.csv", download: "sherlook.csv" }, t("sheet.csv")),
  );
}

/** The table of rounds: what each player guessed, and what it earned. */
export function ledger(state) {
  const { sheet } = state;
  if (!sheet?.rounds.length) return h("p", null, t("sheet.empty"));
  return h(
    "div",
    { class: "ledger-frame", tabindex: 0, role: "region", "aria-label": t("sheet.title") },
    h(
      "table",
      { class: "ledger" },
      h(
        "thead",
        null,
        h(
          "tr",
          null,
          h("th", { scope: "col" }, t("sheet.round")),
          h("th", { scope: "col" }, t("sheet.truth")),
          sheet.players.map((p) => h("th", { scope: "col" }, p)),
        ),
      ),
      h(
        "tbody",
        null,
        sheet.rounds.map((round) =>
          h(
            "tr",
            null,
            h("th", { scope: "row" }, round.round, round.extra && h("small", null, ` ${t("sheet.extra")}`)),
            h("td", { class: "truth" }, round.count),
            sheet.players.map((p) => cell(round, p)),
          ),
        ),
      ),
      h(
        "tfoot",
        null,
        h(
          "tr",
          null,
          h("th", { scope: "row", colspan: 2 }, t("sheet.total")),
          sheet.players.map((p) => h("td", null, sheet.score[p]?.points ?? 0)),
        ),
      ),
    ),
  );
}

function cell(round, player) {
  const guess = round.markers[player];
  const points = round.points[player] ?? 0;
  return h(
    "td",
    null,
    guess !== undefined && h("span", { class: "guess" }, h("span", { class: "unseen" }, t("sheet.guess", { value: "" })), guess),
    points > 0 && h("strong", null, `+${points}`),
  );
}

/** Every guess as a dot in the player's colour, the truth as steps. */
export function chart(state) {
  const { sheet, play } = state;
  if (!sheet?.rounds.length) return null;
  const n = sheet.rounds.length;
  const [left, bottom, column, unit] = [7, 46, 90 / n, 4];
  const y = (value) => bottom - Math.min(11, value) * unit;
  const x = (i) => left + (i + 0.5) * column;
  return h(
    "figure",
    { class: "chart" },
    h("figcaption", null, t("over.chart")),
    h(
      "svg",
      { viewBox: "0 0 100 52", "aria-hidden": "true" },
      [1, 5, 10].map((value) => [
        h("line", { class: "chart-line", x1: left, x2: 97, y1: y(value), y2: y(value) }),
        h("text", { class: "chart-text", x: left - 1.5, y: y(value) + 1, "text-anchor": "end" }, value),
      ]),
      sheet.rounds.map((round, i) => [
        h("line", {
          class: "chart-truth",
          x1: x(i) - 0.42 * column,
          x2: x(i) + 0.42 * column,
          y1: y(round.count),
          y2: y(round.count),
        }),
        h("text", { class: "chart-text", x: x(i), y: 51, "text-anchor": "middle" }, round.round),
        sheet.players.map((p, j) => {
          const guess = round.markers[p];
          const at = x(i) + ((j + 0.5) / sheet.players.length - 0.5) * 0.7 * column;
          return (
            guess !== undefined &&
            h("circle", { class: "chart-guess", cx: at, cy: y(guess), r: 1.1, style: `--seat: ${seatColour(play, p)}` })
          );
        }),
      ]),
    ),
    h(
      "ul",
      { class: "legend" },
      h("li", { class: "legend-truth" }, t("over.truth")),
      sheet.players.map((p) => h("li", { style: `--seat: ${seatColour(play, p)}` }, p)),
    ),
    h(
      "ul",
      { class: "unseen" },
      sheet.rounds.map((round) =>
        h(
          "li",
          null,
          t("over.chart.text", {
            round: round.round,
            count: round.count,
            guesses: Object.entries(round.markers)
              .map(([p, v]) => `${p}: ${v}`)
              .join(", "),
          }),
        ),
      ),
    ),
  );
}
