// Answers are shown as HTML, and nothing in them is trusted.

const allowed = new Set(
  "A B BLOCKQUOTE BR CODE DIV EM H2 H3 H4 HR I LI OL P PRE S SMALL SPAN STRONG SUB SUP U UL".split(
    " ",
  ),
);
const dropped = new Set("SCRIPT STYLE TEMPLATE IFRAME OBJECT NOSCRIPT TITLE TEXTAREA".split(" "));

/** Creates known elements again without their attributes, and keeps the content alone of others. */
export function sanitize(html) {
  const fragment = document.createDocumentFragment();
  copy(new DOMParser().parseFromString(String(html), "text/html").body, fragment, 0);
  return fragment;
}

function copy(from, to, depth) {
  for (const node of from.childNodes) {
    if (node.nodeType === Node.TEXT_NODE) to.append(node.data);
    if (node.nodeType !== Node.ELEMENT_NODE || dropped.has(node.tagName) || depth > 100) continue;
    if (!allowed.has(node.tagName)) {
      copy(node, to, depth + 1);
      continue;
    }
    const made = document.createElement(node.tagName);
    if (node.tagName === "A") setAddress(made, node.getAttribute("href") ?? "");
    copy(node, made, depth + 1);
    to.append(made);
  }
}

function setAddress(link, href) {
  const own = /^\/_afterword\/conversations\/[\da-f]+\/media\/[\w.%-]+$/.test(href);
  if (!own && !/^(?:https?:|mailto:|tel:)/i.test(href.trim())) return;
  link.href = own ? new URL(`.${href}`, document.baseURI) : href.trim();
  link.target = "_blank";
  link.rel = "noopener noreferrer";
}
