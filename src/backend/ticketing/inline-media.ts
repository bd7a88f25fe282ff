import { Tokenizer } from "htmlparser2";

/**
 * Identifiers of media that a text shows by `att:<media>` in the `src` of an image (seed.md 5.1),
 * each once. Of the tokenizer alone, which goes through a text once: the parser also keeps the
 * elements that are open, which costs the square of their depth.
 */
export function inlineMedia(message: string): readonly string[] {
  const found = new Set<string>();
  let tag = "";
  let attribute = "";
  let value = "";
  /** Of two attributes with one name the first counts. */
  let source: string | null = null;
  const endOfTag = (): void => {
    if (tag !== "img" || source === null) return;
    for (const [, identifier = ""] of source.matchAll(REFERENCE)) {
      found.add(identifier.toLowerCase());
    }
  };
  const tokenizer = new Tokenizer(
    { decodeEntities: true },
    {
      onopentagname(start, end) {
        tag = message.slice(start, end).toLowerCase();
        source = null;
      },
      onattribname(start, end) {
        attribute = message.slice(start, end).toLowerCase();
        value = "";
      },
      onattribdata(start, end) {
        if (tag === "img" && attribute === "src") value += message.slice(start, end);
      },
      onattribentity(code) {
        if (tag === "img" && attribute === "src") value += String.fromCodePoint(code);
      },
      onattribend() {
        if (attribute === "src") source ??= value;
      },
      onopentagend: endOfTag,
      onselfclosingtag: endOfTag,
      onclosetag: ignored,
      ontext: ignored,
      ontextentity: ignored,
      oncomment: ignored,
      oncdata: ignored,
      ondeclaration: ignored,
      onprocessinginstruction: ignored,
      onend: ignored,
    },
  );
  tokenizer.write(message);
  tokenizer.end();
  return [...found];
}

const REFERENCE = /\batt:([0-9a-f-]{36}|\d{1,15})/gi;

function ignored(): void {}
