import { memberOf, readListMember, readTextMember } from "../../../api/call/read.ts";
import { isRecord } from "../../../json/values.ts";
import { linkTo } from "./imported/answer.ts";
import { firstOf, type FoundAnswer, type Position } from "./imported/compose.ts";
import { type ImportedOption, quoteShort, shorten } from "./imported/imported.ts";
import type { Omission } from "./imported/omissions.ts";

/** A named response of the bot, in all its wordings. */
export interface RasaResponse {
  readonly file: string;
  readonly line: number;
  readonly variants: unknown[];
}

/** A slot in an answer. */
export const SLOT = /\{[A-Za-z_][\w.-]{0,60}\}/u;

/** Reads one wording of a response, for any channel. The others are listed as left out. */
export function readResponse(
  name: string,
  {
    responses,
    left,
  }: { readonly responses: ReadonlyMap<string, RasaResponse>; readonly left: Omission[] },
): FoundAnswer {
  const response = responses.get(name);
  if (response === undefined) return { answers: [], images: [], options: [] };
  const position: Position = {
    file: response.file,
    line: response.line,
    part: `response ${quoteShort(name)}`,
  };
  const unconditional = response.variants.filter((one) => {
    const channel = readTextMember(one, "channel");
    const isUnconditional = channel === null && memberOf(one, "condition") === null;
    if (!isUnconditional) {
      const text = shorten(textOf(one));
      if (channel === null) left.push({ ...position, code: "condition", text });
      else left.push({ ...position, code: "channel", text: `${channel}: ${text}` });
    }
    return isUnconditional;
  });
  const withoutSlots = unconditional.filter((one) => !SLOT.test(textOf(one)));
  const chosen = withoutSlots[0] ?? unconditional[0];
  const texts = [chosen, ...unconditional.filter((one) => one !== chosen)].map(textOf);
  const text = firstOf(texts, position, left);
  const image = readTextMember(chosen, "image");
  for (const key of ["custom", "attachment", "elements"]) {
    if (memberOf(chosen, key) === null) continue;
    left.push({ ...position, code: "rich", text: key });
  }
  for (const variant of unconditional) {
    const translated = memberOf(variant, "translation");
    for (const [language, one] of Object.entries(isRecord(translated) ? translated : {})) {
      const said = `${language}: ${shorten(typeof one === "string" ? one : "")}`;
      left.push({ ...position, code: "other-wording", text: said });
    }
  }
  const buttons = ["buttons", "quick_replies"].flatMap((key) => readListMember(chosen, key));
  const links = buttons.flatMap((button) => readLink(button) ?? []);
  return {
    answers: [
      ...(text === null ? [] : [text]),
      ...(links.length === 0 ? [] : [links.join("<br>")]),
    ],
    images: image === null ? [] : [image],
    options: buttons.flatMap((button): ImportedOption[] => {
      const label = readTextMember(button, "title");
      if (label === null || readLink(button) !== null) return [];
      const payload = readTextMember(button, "payload") ?? label;
      return [{ label, to: payload.replace(/^\/([^{]*)(?:\{.*)?$/su, "$1") }];
    }),
  };
}

/** A button that opens an address or calls a number, as a link; null for one that says something. */
function readLink(button: unknown): string | null {
  const written = readTextMember(button, "url") ?? readTextMember(button, "payload") ?? "";
  const address = readTextMember(button, "type") === "phone_number" ? `tel:${written}` : written;
  const isAddress = /^(?:https?:\/\/|mailto:|tel:)\S+$/iu.test(address);
  return isAddress ? linkTo(address, readTextMember(button, "title") ?? address) : null;
}

export function textOf(variant: unknown): string {
  return typeof variant === "string" ? variant : (readTextMember(variant, "text") ?? "");
}
