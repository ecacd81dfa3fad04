// The way to the server: questions by HTTP, news by WebSocket. A lost line is tried again, and what was missed is asked for.

const PAUSES_S = [0.3, 0.6, 1, 2, 3];

/** `path` as this page's role may ask it. */
export function address(path, role) {
  if (role !== "spectator") return path;
  return `${path}${path.includes("?") ? "&" : "?"}role=spectator`;
}

/** Asks the server; the answer's JSON. Throws an Error whose message is a sentence for people. */
export async function ask(method, path, body) {
  const files = body instanceof FormData;
  const answer = await fetch(path, {
    method,
    headers: body === undefined || files ? {} : { "Content-Type": "application/json" },
    body: body === undefined || files ? body : JSON.stringify(body),
  });
  const document = await answer.json().catch(() => ({}));
  if (!answer.ok) throw new Error(document.detail ?? document.title ?? `${answer.status} ${answer.statusText}`);
  return document;
}

/**
 * Keeps `WS /api/v1/live` open. `since()`: the newest line known; `received(message)`; `missed(rulings)` after each opening;
 * `changed("open" | "lost")`. Returns a function that tries again at once.
 */
export function keepOpen({ role, since, received, missed, changed }) {
  let tries = 0;
  let timer = 0;
  let socket = null;

  function open() {
    clearTimeout(timer);
    socket = new WebSocket(address(`${location.origin.replace(/^http/, "ws")}/api/v1/live`, role));
    socket.onopen = async () => {
      tries = 0;
      changed("open");
      const rulings = await ask("GET", address(`/api/v1/rulings?since=${since()}`, role)).catch(() => []);
      missed(rulings);
    };
    socket.onmessage = (event) => received(JSON.parse(event.data));
    socket.onclose = () => {
      changed("lost");
      timer = setTimeout(open, 1000 * PAUSES_S[Math.min(tries++, PAUSES_S.length - 1)]);
    };
  }

  function again() {
    if (socket?.readyState === WebSocket.CLOSED) open();
  }

  open();
  addEventListener("online", again);
  return again;
}

/** Shows the newest frames in `img` until the returned function is called; `shown()` after each. */
export function showFrames(img, role, shown) {
  let over = false;
  let socket = null;
  let timer = 0;

  function open() {
    socket = new WebSocket(address(`${location.origin.replace(/^http/, "ws")}/api/v1/frames`, role));
    socket.binaryType = "blob";
    socket.onmessage = (event) => {
      const before = img.src;
      img.src = URL.createObjectURL(event.data);
      if (before.startsWith("blob:")) URL.revokeObjectURL(before);
      shown();
    };
    socket.onclose = () => {
      if (!over) timer = setTimeout(open, 1000);
    };
  }

  open();
  return () => {
    over = true;
    clearTimeout(timer);
    socket.close();
    if (img.src.startsWith("blob:")) URL.revokeObjectURL(img.src);
  };
}
