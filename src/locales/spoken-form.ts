/**
 * A phrase in the form in which phrases are compared: letters and digits in lower case, single
 * spaces between; without accents, except where two words would become one.
 *
 * @param language primary subtag, lower case
 */
export function spokenForm(text: string, language: string): string {
  const lower = text.normalize("NFKC").toLocaleLowerCase(language === "tr" ? "tr" : "en");
  const bare = keepsMarks.has(language)
    ? lower
    : lower.normalize("NFD").replaceAll(/\p{M}/gu, "").normalize("NFC");
  // Turkish is often typed on a keyboard without ı and İ.
  const dotted = language === "tr" ? bare.replaceAll("ı", "i") : bare;
  return dotted
    .replaceAll(/['’‘`´]/g, "")
    .replaceAll(/[^\p{L}\p{M}\p{N}]+/gu, " ")
    .trim();
}

// Thai vowels and tones are marks, needed to tell words apart, as are Vietnamese tones.
const keepsMarks: ReadonlySet<string> = new Set(["th", "vi", "ja", "ko"]);
