const tag = /^[a-z]{2,8}(?:-[a-z0-9]{1,8})*$/;
const aliases: ReadonlyMap<string, string> = new Map([
  ["nb", "no"],
  ["nn", "no"],
  ["iw", "he"],
  ["in", "id"],
]);

/**
 * The language of `known` that a language code means: any letter case, with or without a region
 * (`fr-FR` is `fr`). Null for a code that means none of them, or is no code at all. `known` holds
 * lower-case tags.
 *
 * @example
 * knownLanguage("fr-FR", new Set(["en", "fr"])); // "fr"
 */
export function knownLanguage(code: string | null, known: ReadonlySet<string>): string | null {
  const wanted = (code ?? "").trim().toLowerCase().replaceAll("_", "-");
  if (wanted.length > 35 || !tag.test(wanted)) return null;
  const subtags = wanted.split("-");
  for (let length = subtags.length; length > 0; length--) {
    const candidate = subtags.slice(0, length).join("-");
    const found = aliases.get(candidate) ?? candidate;
    if (known.has(found)) return found;
  }
  return null;
}
