import type { CheckedSet } from "./checked-set.ts";
import type { Reporter } from "../load/diagnostic.ts";
import type { MessagesFile } from "../load/read-messages.ts";
import { sectionOf } from "../load/section.ts";
import { markupFault, TAG } from "../../locales/markup.ts";
import { messageTexts, type TextPlace } from "../load/message-texts.ts";

/** Reports tags that do not close, and markup that goes to a channel of plain text. */
export function checkMarkup(file: MessagesFile, set: CheckedSet, reporter: Reporter): void {
  for (const { place, text, path, formats } of messageTexts(file)) {
    if (text.search(TAG) === -1) continue;
    const section = sectionOf(file.yaml, reporter, path);
    const channel = channelOf(place);
    const format = formats.branch ?? formats.line;
    const plain = format === "text" ? true : format === null && plainEverywhere(set, channel);
    if (plain) {
      const message = "tags stand in a text that is shown as plain text; readers would see them";
      section.warn("markup", message);
      continue;
    }
    const fault = markupFault(text);
    if (fault !== null) section.error("markup", fault);
    if (channel !== null || format !== null) continue;
    const heirs = [...plainChannels(set)].filter(
      (name) => file.lines.get(place.key)?.channels[name] === undefined,
    );
    if (heirs.length > 0) {
      const message = `the channel ${heirs.join(", ")} shows plain text and inherits these tags`;
      const hint = `Add a text for it under channels.`;
      section.warn("inherited-markup", message, hint);
    }
  }
}

/** The channel that a text is meant for; null: any. */
function channelOf({ branch }: TextPlace): string | null {
  if (branch.kind === "channel") return branch.name;
  const fields = branch.kind === "when" ? branch.fields : [];
  const [, channel] = fields.find(([field]) => field === "channel") ?? [];
  return typeof channel === "string" ? channel : null;
}

function plainEverywhere(set: CheckedSet, channel: string | null): boolean {
  return set.instances.every((instance) => {
    const { formats } = instance;
    return (formats[channel ?? ""] ?? formats[""]) === "text";
  });
}

function plainChannels(set: CheckedSet): ReadonlySet<string> {
  return new Set(
    set.instances.flatMap(({ formats }) =>
      Object.entries(formats).flatMap(([channel, format]) =>
        channel !== "" && format === "text" ? channel : [],
      ),
    ),
  );
}
