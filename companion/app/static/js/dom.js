// A tree of plain objects, and one function that makes the page equal to it.
// Components are functions from the state to such trees; what the page already shows is kept, so focus and scrolling survive.

const SVG = "http://www.w3.org/2000/svg";

/**
 * One element. `props`: attributes, `on…` handlers, `key` (keeps its element among its siblings), `ref` (called with the element when
 * it is made; what it returns is called when it goes), `own` (its children are somebody else's business).
 */
export function h(tag, props, ...children) {
  const shown = children
    .flat(Infinity)
    .filter((child) => child !== null && child !== undefined && child !== false && child !== "");
  return { tag, props: props ?? {}, children: shown.map((child) => (typeof child === "object" ? child : String(child))) };
}

/** Makes the children of `parent` equal to `nodes`. */
export function patch(parent, nodes) {
  const births = [];
  equal(parent, nodes, births);
  for (const [dom, ref] of births) dom.farewell = ref(dom); // only now is every new element in the document
}

function equal(parent, nodes, births) {
  const old = [...parent.childNodes];
  const wanted = nodes.map((node) => {
    const at = old.findIndex((dom) => fits(dom, node));
    const dom = at < 0 ? make(parent, node, births) : old.splice(at, 1)[0];
    update(dom, node, births);
    return dom;
  });
  old.forEach(remove);
  wanted.forEach((dom, i) => {
    if (parent.childNodes[i] !== dom) parent.insertBefore(dom, parent.childNodes[i] ?? null);
  });
}

function fits(dom, node) {
  if (typeof node === "string") return dom.nodeType === Node.TEXT_NODE;
  return dom.nodeType === Node.ELEMENT_NODE && dom.localName === node.tag.toLowerCase() && dom.shownKey === node.props.key;
}

function make(parent, node, births) {
  if (typeof node === "string") return document.createTextNode(node);
  const drawn = node.tag === "svg" || (parent.namespaceURI === SVG && parent.localName !== "foreignObject");
  const dom = drawn ? document.createElementNS(SVG, node.tag) : document.createElement(node.tag);
  dom.shownKey = node.props.key;
  dom.shownProps = {};
  if (node.props.ref) births.push([dom, node.props.ref]);
  return dom;
}

function update(dom, node, births) {
  if (typeof node === "string") {
    if (dom.data !== node) dom.data = node;
    return;
  }
  const before = dom.shownProps ?? {};
  for (const name of Object.keys(before)) if (!(name in node.props)) setProp(dom, name, null);
  for (const [name, value] of Object.entries(node.props)) if (before[name] !== value) setProp(dom, name, value);
  dom.shownProps = node.props;
  if (!node.props.own) equal(dom, node.children, births);
}

function setProp(dom, name, value) {
  if (name === "key" || name === "ref" || name === "own") return;
  if (name.startsWith("on") || name === "value" || name === "checked") dom[name] = value;
  else if (value === null || value === undefined || value === false) dom.removeAttribute(name);
  else dom.setAttribute(name, value === true ? "" : value);
}

function remove(dom) {
  leave(dom);
  if (dom.localName === "dialog" && dom.open) {
    dom.onclose = null;
    dom.close(); // gives the focus back to where it came from
  }
  dom.remove();
}

function leave(dom) {
  dom.childNodes.forEach(leave);
  dom.farewell?.();
}
