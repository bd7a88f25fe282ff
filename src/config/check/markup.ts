import type { CheckedSet } from "./checked-set.ts";
import type { Reporter } from "../../yaml/diagnostic.ts";
import type { MessagesFile } from "../load/read-messages.ts";
import { sectionOf } from "../../yaml/section.ts";
import { formatOf } from "../../locales/formats.ts";
import { findMarkupFault, positionsOf, TAG } from "../../locales/markup.ts";
import { parsePlaceholders } from "../compile/placeholders.ts";
import { listMessageTexts, type TextAddress } from "../load/message-texts.ts";

/** Reports tags that do not close, and markup that goes to a channel of plain text. */
export function checkMarkup(file: MessagesFile, set: CheckedSet, reporter: Reporter): void {
  for (const { address, text, path, formats } of listMessageTexts(file)) {
    if (text.search(TAG) === -1) continue;
    const section = sectionOf(file.yaml, reporter, path);
    const channel = channelOf(address);
    const format = formats.branch ?? formats.line;
    const plain = format === "text" ? true : format === null && isPlainEverywhere(set, channel);
    if (plain) {
      const message = "tags stand in a text that is shown as plain text; readers would see them";
      section.warn("markup-as-text", message, null, {});
      continue;
    }
    const fault = findMarkupFault(text);
    if (fault !== null) section.error("markup", fault.message, null, { tag: fault.tag });
    for (const { message, hint, placeholder } of valuesInTags(text)) {
      section.warn("value-in-tag", message, hint, { placeholder, beginning });
    }
    if (channel !== null || format !== null) continue;
    const heirs = [...listPlainChannels(set)].filter(
      (name) => file.lines.get(address.key)?.channels[name] === undefined,
    );
    if (heirs.length > 0) {
      const message = `the channel ${heirs.join(", ")} shows plain text and inherits these tags`;
      const hint = `Add a text for it under channels.`;
      section.warn("inherited-markup", message, hint, { channels: heirs.join(", ") });
    }
  }
}

/** An example of an address that names its host before the placeholder. */
const beginning = "https://shop.example/?q=";

interface ValueInTag {
  readonly placeholder: string;
  readonly message: string;
  readonly hint: string;
}

/** Values that a browser cannot use where they stand. */
function valuesInTags(text: string): readonly ValueInTag[] {
  const { parts } = parsePlaceholders(text);
  const positions = positionsOf(parts);
  let before = "";
  return parts.flatMap((part, index) => {
    const position = positions[index];
    if (typeof part === "string") before += part;
    if (typeof part === "string" || position === undefined) return [];
    const { kind, attribute, first } = position;
    const placeholder = `{{${part.slot}}}`;
    if (kind === "content") {
      const code = findCodeElement(before);
      if (code === undefined) return [];
      const message = `${placeholder} stands in <${code}>, where a reader could write a ${code}`;
      return { placeholder, message, hint: "Leave it out there." };
    }
    if (attribute === null) {
      const hint = "Write it between the tags, or in quotes as the value of an attribute.";
      const message = `${placeholder} stands in a tag, but in no attribute`;
      return { placeholder, message, hint };
    }
    if (kind === "address" && (attribute === "style" || attribute.startsWith("on"))) {
      const message = `${placeholder} stands in ${attribute}, where every value is percent-encoded so that no reader can write a script or a style`;
      return { placeholder, message, hint: "Leave it out there." };
    }
    if (kind !== "address" || !first) return [];
    const message = `${placeholder} begins the address in ${attribute}, and is percent-encoded: a whole address cannot stand there`;
    const hint = `Write how the address begins, such as ${beginning}`;
    return { placeholder, message, hint };
  });
}

/** Finds the element `script` or `style` that a text leaves open: browsers run what it has. */
function findCodeElement(text: string): string | undefined {
  const lower = text.toLowerCase();
  return ["script", "style"].find(
    (name) => lower.lastIndexOf(`<${name}`) > lower.lastIndexOf(`</${name}`),
  );
}

/** The channel that a text is meant for; null for any. */
function channelOf({ branch }: TextAddress): string | null {
  if (branch.kind === "channel") return branch.name;
  const fields = branch.kind === "when" ? branch.fields : [];
  const [, channel] = fields.find(([field]) => field === "channel") ?? [];
  return typeof channel === "string" ? channel : null;
}

function isPlainEverywhere(set: CheckedSet, channel: string | null): boolean {
  return set.instances.every(({ formats }) => formatOf(formats, channel ?? "") === "text");
}

function listPlainChannels(set: CheckedSet): ReadonlySet<string> {
  return new Set(
    set.instances.flatMap(({ formats }) =>
      Object.entries(formats).flatMap(([channel, format]) =>
        channel !== "" && format === "text" ? channel : [],
      ),
    ),
  );
}
