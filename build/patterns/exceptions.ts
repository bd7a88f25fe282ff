interface Exception {
  readonly file: string;
  /**
   * The text between the slashes; {@link PUT_TOGETHER} for patterns that a file builds at run time.
   */
  readonly pattern: string;
  readonly reason: string;
}

/** Stands for every `RegExp(…)` of a file that is not given a literal. */
export const PUT_TOGETHER = "RegExp(…)";

const ONE_WAY = "Anchored, and there is one way to read each character.";

/**
 * Patterns for which linear time is not proved, each with the reason why it may stay. Most use
 * lookarounds, which the proof does not support.
 */
export const exceptions: readonly Exception[] = [
  {
    file: "src/backend/http/files.ts",
    pattern: String.raw`(?<![.\s])[.\s]+$`,
    reason: "Begins only at the first of a run, so that each run is read once.",
  },
  {
    file: "src/backend/pages/load-page.ts",
    pattern: String.raw`(\bfrom ?"|\bimport ?"|\bimport\( ?")([^"\n]+)(?=")`,
    reason: "Reads modules of this package.",
  },
  {
    file: "src/backend/forms/fold.ts",
    pattern: String.raw`^[\s\p{P}]+|[\s\p{P}]+$`,
    reason:
      "What readers type has at most 500 characters here (read-choice.ts; 60 in read-date.ts).",
  },
  {
    file: "src/backend/forms/read-value.ts",
    pattern: String.raw`\s*\p{Sc}$`,
    reason: "At most maxLength characters: readNumber refuses more.",
  },
  {
    file: "src/backend/knowledge/language-detector.ts",
    pattern: PUT_TOGETHER,
    reason: "One character.",
  },
  {
    file: "src/backend/knowledge/plain-answer.ts",
    pattern: String.raw`<(script|style)\b[^]*?(?:<\/\1\s*>|$)`,
    reason: "An unclosed element ends with the text, so that no search is in vain.",
  },
  {
    file: "src/backend/knowledge/split-query.ts",
    pattern: String.raw`(?:(?<![.!?;:…])[.!?;:…]+(?=\s|$)|[\n。！？；：｡]+|(?<=\S),(?=\s)|[、，]+)`,
    reason: "Begins only at the first of a run of marks, so that each run is read once.",
  },
  {
    file: "src/matching/fold.ts",
    pattern: PUT_TOGETHER,
    reason: "One character.",
  },
  {
    file: "src/backend/ticketing/iql/parse.ts",
    pattern: String.raw`\s*(?:(?<open>\()|(?<close>\))|(?<sign>[<>]=?)|(?<number>-?\d+(?:\.\d+)?)(?![\w.-])|(?<word>[A-Za-z_][\w.-]*)|"(?<double>(?:[^"\\]|\\.|"")*)"|'(?<single>(?:[^'\\]|\\.|'')*)')`,
    reason: "At most 4,000 characters (`longest`), and sticky.",
  },
  {
    file: "src/cli/backend/mentions.ts",
    pattern: PUT_TOGETHER,
    reason: "A fixed text between two looks at single characters.",
  },
  {
    file: "src/backend/content/import/read-json.ts",
    pattern: String.raw`^(Unexpected token '(.+?)'), (\.{3})?"(.*)"(?:\.{3})? is not valid JSON$`,
    reason: "A message of V8, which quotes at most 40 characters.",
  },
  {
    file: "src/config/translation/xliff.ts",
    pattern: PUT_TOGETHER,
    reason: "The other parts are single characters; what stands in braces can be read in one way.",
  },
  {
    file: "src/config/check/script.ts",
    pattern: PUT_TOGETHER,
    reason: "One character.",
  },
  {
    file: "src/config/compile/placeholders.ts",
    pattern: String.raw`\{\{(?!\{)(?:\s*([A-Za-z_][A-Za-z0-9_.-]*)\s*\}\}|[^{}]*\}\}|[^{}]{0,40})`,
    reason: "No part goes past the next brace, and it begins at braces alone.",
  },
  {
    file: "src/config/schema/escalation.ts",
    pattern: PUT_TOGETHER,
    reason: "Without repetition.",
  },
  {
    file: "src/yaml/source.ts",
    pattern: String.raw`((?:secret|password|token|key)["']?\s*:\s*)("(?:[^"\\]|\\.)*"?|'(?:[^']|'')*'?|(?!\$\{)[^\s,{}"'][^,}]*)`,
    reason:
      "A line of a file of the owner's. What a key's value begins is taken to its end, whatever that is.",
  },
  {
    file: "src/yaml/source.ts",
    pattern: String.raw`^([^{]*(?:secret|password|token|key)["']?\s*:\s*)(?!\$\{)([^\s{].*)$`,
    reason:
      "A line of a file of the owner's, without line breaks: the last part matches or is empty.",
  },
  {
    file: "src/escalation/triggers/words.ts",
    pattern: PUT_TOGETHER,
    reason: "A reader's message of at most 500 characters (`longest`).",
  },
  {
    file: "src/http/client-address.ts",
    pattern: PUT_TOGETHER,
    reason: "Anchored, and each name's last part takes the rest.",
  },
  {
    file: "src/gateway/callers/media.ts",
    pattern: String.raw`"(?:[^"\\]|\\.)*"`,
    reason: "Names of a JSON object that was scanned before: each is closed.",
  },
  {
    file: "src/gateway/callers/multipart.ts",
    pattern: String.raw`;\s*boundary=(?:"([^"\r\n]{1,70})"|([^\s;",]{1,70}))\s*(?:;|$)`,
    reason: "A header field, at most 16 KB; the proof takes too long.",
  },
  {
    file: "src/gateway/callers/multipart.ts",
    pattern: String.raw`;\s*(filename\*?|name)=("(?:[^"\\]|\\.)*"|[^\s;"]+)`,
    reason: "The quote of the next name closes a text that is left open; the proof takes too long.",
  },
  {
    file: "src/json/needles.ts",
    pattern: String.raw`(?:[a-hjl-z_]|i(?!\u0307))+`,
    reason: "Reads texts of the owner's, and cannot fail once begun.",
  },
  {
    file: "src/yaml/stray-blanks.ts",
    pattern: PUT_TOGETHER,
    reason: "One class of blanks between fixed signs, each repetition behind an anchor.",
  },
  {
    file: "src/config/translation/xliff-inline.ts",
    pattern: String.raw`(?:<|&lt;)\/?(ph|x|g|bx|ex|bpt|ept|it|mrk|pc|sc|ec)(?=[\s/>]|&gt;)(?:[^<>&]|&(?!gt;|lt;))*(?:>|&gt;)`,
    reason: "A code ends where another could begin, so that no character is read for two of them.",
  },
  {
    file: "src/locales/plain-text.ts",
    pattern: PUT_TOGETHER,
    reason: "One character.",
  },
  {
    file: "src/matching/identifiers.ts",
    pattern: PUT_TOGETHER,
    reason: "Begins at a word's first letter alone, and cannot fail behind the first digit.",
  },
  {
    file: "src/insights/redaction/redact-patterns.ts",
    pattern: PUT_TOGETHER,
    reason:
      "At most 1,000 characters (`maxLength` of redact.ts). What is not bounded begins at the first of a run.",
  },
  {
    file: "src/insights/redaction/redact-ages.ts",
    pattern: PUT_TOGETHER,
    reason:
      "At most 1,000 characters (`maxLength` of redact.ts). What is not bounded begins at the first of a run.",
  },
  {
    file: "src/insights/redaction/redact-spoken-numbers.ts",
    pattern: PUT_TOGETHER,
    reason:
      "At most 1,000 characters (`maxLength` of redact.ts). What is not bounded begins at the first of a run.",
  },
  {
    file: "src/insights/redaction/frequent-names.ts",
    pattern: PUT_TOGETHER,
    reason:
      "At most 1,000 characters (`maxLength` of redact.ts). What is not bounded begins at the first of a run.",
  },
  {
    file: "src/insights/redaction/redact-chinese-names.ts",
    pattern: PUT_TOGETHER,
    reason: "Fixed words, and at most four characters behind them.",
  },
  {
    file: "src/locales/phrases.ts",
    pattern: PUT_TOGETHER,
    reason: "At most 100 characters (`longest`), anchored, and no repetition.",
  },
  {
    file: "src/locales/recognition.ts",
    pattern: String.raw`(\p{L})\1{2,}`,
    reason:
      "A run of one letter is read once more per letter of it that is refused, which is two at most.",
  },
  {
    file: "src/locales/tag.ts",
    pattern: String.raw`^([a-z]{2,3})(?:-[a-z]{3})+(?=-|$)`,
    reason: ONE_WAY,
  },
  {
    file: "src/runtime/web/fetch-request.ts",
    pattern: String.raw`^(?:\/(?!\.|%2e)[\w~!$&()*+,;=:@%.-]*)+(?:\?[\w~!$&()*+,;=:@%./?-]*)?$`,
    reason: ONE_WAY,
  },
  {
    file: "src/runtime/worker/load-config.ts",
    pattern: String.raw`(?<!\$)\$\{([A-Za-z_]\w*)\}`,
    reason: "No part of a name begins another. The owner's configuration.",
  },
];
