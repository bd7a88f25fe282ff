import type { VNode } from "preact";
import { html } from "htm/preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { valueOf } from "../../../shared/fields.ts";
import { directionOf, fill } from "../../../shared/words.ts";
import { useView } from "../context.ts";
import { readEntities } from "../texts/rendered.ts";

interface RichTextProps {
  readonly label: string;
  readonly locale: string;
  readonly value: string;
  readonly readOnly: boolean;
  readonly change: (markup: string) => void;
}

/**
 * Edits an answer as readers see it. An answer with markup that the editor does not support is edited
 * as source text, so that nothing is lost.
 */
export function RichText(props: RichTextProps): VNode {
  const { label, locale, value, readOnly, change } = props;
  const { words } = useView();
  const field = useRef<HTMLDivElement>(null);
  const isSource = useRef(!isEditable(value));
  const [isWrong, warn] = useState(false);
  // The value is set only once, because setting it again would move the caret.
  useLayoutEffect(() => field.current?.replaceChildren(...buildNodes(value)), []);
  if (isSource.current) {
    return html`<label>
      <span>${label}</span>
      <textarea
        dir="auto"
        rows="6"
        spellcheck="false"
        lang=${locale}
        readonly=${readOnly}
        value=${value}
        onInput=${(event: Event) => change(valueOf(event))}
      ></textarea>
    </label>`;
  }
  const take = (): void => {
    if (field.current !== null) change(writeMarkup(field.current));
  };
  const run = (command: string, argument?: string): void => {
    field.current?.focus();
    document.execCommand(command, false, argument);
    take();
  };
  const link = (): void => {
    const typed = prompt(words.linkAddress, "https://");
    const address = typed === null ? null : readAddress(typed);
    warn(typed !== null && address === null);
    if (address === null) return;
    const selection = getSelection();
    const isInside = field.current?.contains(selection?.anchorNode ?? null) === true;
    if (selection === null || !isInside || selection.isCollapsed) {
      // The address itself becomes the link if no words are chosen.
      run("insertText", address);
      for (let letter = 0; letter < address.length; letter++) {
        selection?.modify("extend", "backward", "character");
      }
    }
    run("createLink", address);
    selection?.collapseToEnd();
  };
  return html`<div class="rich" role="group" aria-label=${label}>
    <span aria-hidden="true">${label}</span>
    ${
      !readOnly &&
      html`<div class="tools">
        ${createButton(words.bold, () => run("bold"))}
        ${createButton(words.italic, () => run("italic"))}
        ${createButton(words.bulletList, () => run("insertUnorderedList"))}
        ${createButton(words.numberedList, () => run("insertOrderedList"))}
        ${createButton(words.link, link)}
      </div>`
    }
    ${isWrong && html`<p class="problem" role="alert">${fill(words.linkWrong, { example: "https://example.com" })}</p>`}
    <div
      class="answer"
      role="textbox"
      tabindex="0"
      aria-multiline="true"
      aria-label=${label}
      contenteditable=${String(!readOnly)}
      lang=${locale}
      dir=${directionOf(locale)}
      ref=${field}
      onInput=${take}
    ></div>
  </div>`;
}

function createButton(name: string, act: () => void): VNode {
  return html`<button
    type="button"
    onMouseDown=${(event: Event) => event.preventDefault()}
    onClick=${act}
  >
    ${name}
  </button>`;
}

/** The elements that the editor supports, by the names in which they may be written. */
const NAMES: ReadonlyMap<string, string> = new Map([
  ["b", "b"],
  ["strong", "b"],
  ["i", "i"],
  ["em", "i"],
  ["a", "a"],
  ["p", "p"],
  ["div", "p"],
  ["ul", "ul"],
  ["ol", "ol"],
  ["li", "li"],
  ["br", "br"],
]);

const TAG = /(<\/?[a-z][^<>]*>)/i;

/** True for markup that the editor keeps without loss. */
function isEditable(markup: string): boolean {
  return markup
    .split(TAG)
    .filter((_, index) => index % 2 === 1)
    .every((tag) => {
      const [, name = ""] = /^<\/?(b|strong|i|em|a|p|ul|ol|li|br)\b/i.exec(tag) ?? [];
      const rest = tag.slice(tag.startsWith("</") ? 2 : 1).slice(name.length);
      return name !== "" && (name === "a" ? /^(?: href="[^"]*")?>$/ : /^ ?\/?>$/).test(rest);
    });
}

/** Builds elements without the browser's parser, which the page's policy does not allow. */
function buildNodes(markup: string): readonly Node[] {
  const root = document.createElement("div");
  let at: Element = root;
  for (const part of markup.split(TAG)) {
    const [, end, name = ""] = /^<(\/?)([a-z]+)\b/i.exec(part) ?? [];
    const known = NAMES.get(name.toLowerCase());
    if (end === undefined) at.append(readEntities(part));
    else if (known === undefined) continue;
    else if (known === "br") at.append(document.createElement("br"));
    else if (end === "/") at = at === root ? root : (at.parentElement ?? root);
    else {
      const element = document.createElement(known);
      const [, address] = /\bhref="([^"]*)"/.exec(part) ?? [];
      if (address !== undefined) element.setAttribute("href", readEntities(address));
      at.append(element);
      at = element;
    }
  }
  return [...root.childNodes];
}

/** Writes the editor's content as markup; of other elements only the texts stay. */
function writeMarkup(node: Node): string {
  return [...node.childNodes]
    .map((child): string => {
      if (child instanceof Text) return escape(child.data);
      if (!(child instanceof Element)) return "";
      const name = NAMES.get(child.localName);
      if (name === undefined) return writeMarkup(child);
      if (name === "br") return "<br>";
      const address = child.getAttribute("href");
      if (name === "a" && (address === null || !isAddress(address))) return writeMarkup(child);
      const attribute = name === "a" ? ` href="${escape(address ?? "")}"` : "";
      return `<${name}${attribute}>${writeMarkup(child)}</${name}>`;
    })
    .join("");
}

/** Reads an address as people type it, often without its beginning; null: it is none. */
function readAddress(typed: string): string | null {
  const address = typed.trim();
  if (isAddress(address)) return address;
  const [, local, host = "", rest] = /^([^\s@/:]+@)?([^\s@/:]+)([/:]\S*)?$/.exec(address) ?? [];
  const dot = host.lastIndexOf(".");
  if (dot < 1 || dot > host.length - 3) return null;
  if (local === undefined) return `https://${address}`;
  return rest === undefined ? `mailto:${address}` : null;
}

/** True for an address that a link for readers may have. */
function isAddress(address: string): boolean {
  return /^(?:https?:\/\/[^/]|mailto:.|tel:.|\/|#)/i.test(address);
}

function escape(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replaceAll("\u00a0", "&nbsp;");
}
