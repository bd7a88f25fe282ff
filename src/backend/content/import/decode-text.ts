import { languageOf } from "../../../locales/tag.ts";

/** A file's text, and the name of its encoding where it had to be guessed. */
export interface DecodedText {
  readonly text: string;
  readonly guessed: string | null;
}

/**
 * Decodes files that Excel writes: UTF-8, UTF-16 with or without byte order mark, or else the
 * Windows code page of the file's language. A lone carriage return ends a line, as on old Macs.
 */
export function decodeText(bytes: Uint8Array, language: string | null): DecodedText {
  const utf16 = utf16Of(bytes);
  if (utf16 !== null) return { text: decode(utf16, bytes), guessed: null };
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return { text: withLineBreaks(text), guessed: null };
  } catch {
    const guessed = CODE_PAGES.get(findCodePage(language)) ?? "windows-1252";
    return { text: decode(guessed, bytes), guessed };
  }
}

function decode(encoding: string, bytes: Uint8Array): string {
  return withLineBreaks(new TextDecoder(encoding).decode(bytes));
}

function withLineBreaks(text: string): string {
  return text.includes("\n") ? text : text.replaceAll("\r", "\n");
}

/** Detects UTF-16 without byte order mark by the zero byte beside every ASCII letter. */
function utf16Of(bytes: Uint8Array): "utf-16le" | "utf-16be" | null {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return "utf-16le";
  if (first === 0xfe && second === 0xff) return "utf-16be";
  if (bytes.length < 2 || (first === 0) === (second === 0)) return null;
  return first === 0 ? "utf-16be" : "utf-16le";
}

function findCodePage(language: string | null): string {
  if (language === null) return "";
  const tag = language.toLowerCase();
  return /^zh-(?:hant|tw|hk|mo)\b/u.test(tag) ? "zh-hant" : languageOf(tag);
}

/** The code pages of Windows by language, other than 1252. */
const CODE_PAGES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    "windows-874": "th",
    shift_jis: "ja",
    gb18030: "zh",
    big5: "zh-hant",
    "euc-kr": "ko",
    "windows-1250": "cs hr hu pl ro sk sl sq",
    "windows-1251": "be bg mk ru sr uk",
    "windows-1253": "el",
    "windows-1254": "tr az",
    "windows-1255": "he",
    "windows-1256": "ar fa ur",
    "windows-1257": "et lt lv",
    "windows-1258": "vi",
  }).flatMap(([page, languages]) => languages.split(" ").map((one) => [one, page] as const)),
);
