import { readListMember, memberOf, readTextMember } from "../../../api/call/read.ts";
import { type ImportedOption, shorten } from "./imported/imported.ts";
import type { OmissionReason } from "./imported/omissions.ts";

/** The messages of an intent in one language. */
export interface IntentMessages {
  readonly answers: string[];
  readonly images: string[];
  readonly options: ImportedOption[];
  readonly left: (OmissionReason & { readonly text: string })[];
}

/** Collects the messages of a response by language. Unmarked ones are in the agent's language. */
export function messagesIn(response: unknown, usual: string): ReadonlyMap<string, IntentMessages> {
  const messages = readListMember(response, "messages");
  const byLanguage = new Map<string, IntentMessages>();
  const languages = new Set(messages.map((one) => languageOf(one, usual)));
  for (const language of languages) {
    const own = messages.filter((one) => languageOf(one, usual) === language);
    const found: IntentMessages = { answers: [], images: [], options: [], left: [] };
    const spoken = new Map<string, string[][]>();
    for (const message of own) {
      const platform = readTextMember(message, "platform");
      if (platform === null) addMessage(message, found);
      else {
        const texts = spokenIn(message);
        spoken.set(platform, [...(spoken.get(platform) ?? []), texts]);
        found.left.push({ code: "channel", text: sayOn(platform, texts) });
      }
    }
    // An agent for one platform alone, such as Telegram, has messages of that platform only.
    const alone = [...spoken.values()].find((all) => all.flat().length > 0) ?? [];
    if (found.answers.length === 0) for (const texts of alone) addTexts(texts, found);
    byLanguage.set(language, found);
  }
  // The format of api.ai, Dialogflow's predecessor.
  const plain = textsOf(memberOf(response, "speech"));
  if (messages.length === 0 && plain.length > 0) {
    const found: IntentMessages = { answers: [], images: [], options: [], left: [] };
    addTexts(plain, found);
    byLanguage.set(usual, found);
  }
  return byLanguage;
}

function languageOf(message: unknown, usual: string): string {
  return readTextMember(message, "lang")?.toLowerCase() ?? usual;
}

const TYPES: ReadonlyMap<string, "text" | "card" | "replies" | "image" | "payload"> = new Map([
  ["0", "text"],
  ["message", "text"],
  ["1", "card"],
  ["card", "card"],
  ["2", "replies"],
  ["quick_reply", "replies"],
  ["3", "image"],
  ["image", "image"],
  ["4", "payload"],
  ["custom_payload", "payload"],
]);

function addMessage(message: unknown, found: IntentMessages): void {
  const written = readTextMember(message, "type") ?? "";
  const type = TYPES.get(written);
  if ((readTextMember(message, "condition") ?? "") !== "") {
    const [text = ""] = textsOf(memberOf(message, "speech"));
    found.left.push({ code: "condition", text: shorten(text) });
  } else if (type === "text") addTexts(textsOf(memberOf(message, "speech")), found);
  else if (type === "image") {
    const address = readTextMember(message, "imageUrl");
    if (address !== null) found.images.push(address);
  } else if (type === "replies") {
    const title = readTextMember(message, "title");
    if (title !== null) found.answers.push(title);
    for (const reply of readListMember(message, "replies").map(String)) {
      found.options.push({ label: reply, to: reply });
    }
  } else {
    found.left.push({ code: "rich", text: type ?? written });
  }
}

/** The wordings of one text. */
function addTexts(texts: readonly string[], found: IntentMessages): void {
  const [first, ...others] = texts.filter((text) => text.trim() !== "");
  if (first === undefined) return;
  found.answers.push(first);
  for (const other of others) {
    found.left.push({ code: "other-wording", text: shorten(other) });
  }
}

/** The wordings of a message that is said on one platform, such as a telephone or Facebook. */
function spokenIn(message: unknown): string[] {
  const spoken = readTextMember(message, "textToSpeech") ?? readTextMember(message, "displayText");
  return [...textsOf(memberOf(message, "speech")), spoken ?? ""].filter((one) => one.trim() !== "");
}

function sayOn(platform: string, [text]: readonly string[]): string {
  return text === undefined ? platform : `${platform}: ${shorten(text)}`;
}

function textsOf(speech: unknown): readonly string[] {
  const texts: readonly unknown[] = Array.isArray(speech) ? speech : [speech];
  return texts.filter((text) => typeof text === "string");
}
