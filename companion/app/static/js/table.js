// The table: the live picture, what is seen drawn on it thinly, and the same in words.

import { h } from "./dom.js";
import { t } from "./words.js";
import { showFrames } from "./link.js";
import { icon } from "./icons.js";

/** Whether a picture can be had, live or the last one. */
export const hasPicture = (state) => (state.play?.status?.source ?? "none") !== "none";

export function table(state, act) {
  const stale = ["lost", "stalled", "ended"].includes(state.play.status.source) || state.link === "lost";
  return h(
    "section",
    { class: "table", key: "table" },
    h(
      "figure",
      { class: `print${stale ? " stale" : ""}` },
      picture(state, t(stale ? "table.last" : "table.live")),
      drawn(state),
      state.play.status.hand && h("p", { class: "hand-note" }, t("state.hand")),
    ),
    twin(state),
    act &&
      h("button", { class: "quiet under-print", onclick: () => act.toggle("table"), "aria-label": t("table.hide") }, icon("hidden")),
  );
}

/** The live picture alone; it draws itself. */
export function picture(state, words, shown = () => {}) {
  const watch = (img) => showFrames(img, state.role, () => shown(img));
  return h("img", { class: "live", alt: words, ref: watch, width: 16, height: 9 });
}

function drawn(state) {
  const overlay = state.observation?.overlay;
  if (!overlay) return null;
  const [w, hgt] = overlay.image_size;
  const at = (corners) => corners.map((p) => p.join(",")).join(" ");
  const unit = w / 100;
  return h(
    "svg",
    { class: "drawn", viewBox: `0 0 ${w} ${hgt}`, "aria-hidden": "true", style: `--unit: ${unit}px` },
    (overlay.seats ?? []).map((seat) => [
      h("polygon", { class: "drawn-seat", points: at(seat.area), style: `--seat: ${seat.colour}` }),
      label(seat.name, corner(seat.area, unit), "drawn-name", unit),
    ]),
    (overlay.photos ?? []).map((quad) => h("polygon", { class: "drawn-photo", points: at(quad) })),
    (overlay.glare ?? []).map((area) => h("polygon", { class: "drawn-glare", points: at(area) })),
    (overlay.markers ?? []).map(({ value, at: [x, y] }) => [
      h("circle", { class: "drawn-marker", cx: x, cy: y, r: 2.2 * unit }),
      label(value ?? "?", [x + 1.5 * unit, y - 1.1 * unit], "drawn-value", unit),
    ]),
  );
}

const label = (text, [x, y], kind, unit) => h("text", { class: kind, x, y, "font-size": 2.2 * unit }, text);

/** Inside the left top corner of an area: markers lie in its middle. */
const corner = (area, unit) => [Math.min(...area.map(([x]) => x)) + unit, Math.min(...area.map(([, y]) => y)) + 3 * unit];

function twin(state) {
  const { markers = [], photos = [] } = state.observation ?? {};
  const lines = markers.map(({ value, zone }) => {
    const where = zone && zone !== "common" ? "table.marker" : "table.marker.middle";
    return t(value === null ? `${where}.unread` : where, { value, who: zone });
  });
  if (photos.length) lines.unshift(t("table.photos", { n: photos.length }));
  if (!lines.length) lines.push(t("table.nothing"));
  return h(
    "div",
    { class: "unseen" },
    h("h2", null, t("table.twin")),
    h(
      "ul",
      null,
      lines.map((line) => h("li", null, line)),
    ),
  );
}
