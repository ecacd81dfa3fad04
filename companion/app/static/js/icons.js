// Line drawings, 24 × 24, drawn with the text's colour.

import { h } from "./dom.js";

const PATHS = {
  voice: "M4 9.5v5h3.5L12 18.5v-13L7.5 9.5zM15.5 9a4.2 4.2 0 0 1 0 6M18 6.5a8 8 0 0 1 0 11",
  mute: "M4 9.5v5h3.5L12 18.5v-13L7.5 9.5zM16 9.5l5 5M21 9.5l-5 5",
  eye: "M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12zM12 9.2a2.8 2.8 0 1 1 0 5.6a2.8 2.8 0 0 1 0-5.6",
  hidden: "M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12zM4 20L20 4",
  more: "M4 7h16M4 12h16M4 17h16",
  pencil: "M4 20l1-4L16 5l3 3L8 19zM14 7l3 3",
  undo: "M8.5 5L4 9.5l4.5 4.5M4.5 9.5H14a5.5 5.5 0 0 1 0 11H9",
  close: "M6 6l12 12M18 6L6 18",
  print: "M7 9V4h10v5M7 17H4v-7h16v7h-3M7 14h10v6H7z",
  camera: "M3.5 8h4l2-2.5h5l2 2.5h4v11h-17zM12 10.2a3.2 3.2 0 1 1 0 6.4a3.2 3.2 0 0 1 0-6.4",
  lens: "M15.2 15.2L20.5 20.5M10.5 4.5a6 6 0 1 1 0 12a6 6 0 0 1 0-12",
  left: "M14.5 5.5L8 12l6.5 6.5",
  right: "M9.5 5.5L16 12l-6.5 6.5",
  plus: "M12 5v14M5 12h14",
  minus: "M5 12h14",
  tick: "M5 12.5l4.5 4.5L19 7.5",
  list: "M9 6.5h11M9 12h11M9 17.5h11M4.5 6.5h.01M4.5 12h.01M4.5 17.5h.01",
  lamp: "M9 17h6M10 20h4M8.5 14.5a5.5 5.5 0 1 1 7 0L15 17H9z",
  plug: "M9 3v5M15 3v5M6.5 8h11v3a5.5 5.5 0 0 1-11 0zM12 16.5V21",
};

export function icon(name) {
  return h(
    "svg",
    { class: "icon", viewBox: "0 0 24 24", "aria-hidden": "true", focusable: "false" },
    h("path", { d: PATHS[name] }),
  );
}
