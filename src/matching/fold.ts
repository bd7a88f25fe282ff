/**
 * A text as it is compared: lower case by the rules of the language, compatibility forms unified
 * (NFKC), and without the marks that readers leave out: accents, umlauts, tone marks, Arabic vowel
 * signs, Hebrew points. Folding joins the same forms in questions and contents, so it may be
 * coarse: `Größe`, `grosse` and `GROESSE` come out the same in German.
 */
export function foldText(text: string, language: string): string {
  const known = folders.get(language) ?? ((lower: string) => lower);
  return known(stripMarks(toLowerCase(text.slice(0, maxTextLength), language)));
}

/** A text in lower case in the forms that all languages share: without marks, one form of each letter. */
export function stripMarks(lower: string): string {
  // oxlint-disable-next-line no-control-regex -- the range is that of ASCII
  if (/^[\u0000-\u007f]*$/.test(lower)) return lower;
  return lower
    .toWellFormed()
    .normalize("NFKD")
    .replace(marks, "")
    .normalize("NFC")
    .replace(letters, (letter) => letterForms.get(letter) ?? letter)
    .replace(/[\u0660-\u0669]/g, (digit) => String(digit.charCodeAt(0) - 0x660))
    .replace(/[\u06f0-\u06f9]/g, (digit) => String(digit.charCodeAt(0) - 0x6f0));
}

/** Code units of a text that are read; a question has at most 256 characters. */
const maxTextLength = 512;

function toLowerCase(text: string, language: string): string {
  return language === "tr" ? text.toLocaleLowerCase("tr") : text.toLowerCase();
}

// Latin, Greek and Cyrillic diacritics; Hebrew points; Arabic vowel signs and the tatweel. Not the
// marks of Japanese and Thai, without which their letters are others.
const marks = /[\u0300-\u036f\u0591-\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670\u200b-\u200f]/g;

const letterForms: ReadonlyMap<string, string> = new Map(
  Object.entries({
    ß: "ss",
    ø: "o",
    æ: "ae",
    œ: "oe",
    ł: "l",
    đ: "d",
    ð: "d",
    þ: "th",
    ı: "i",
    ς: "σ",
    "’": "'",
    ʼ: "'",
    "‘": "'",
    "·": "",
    // Arabic: the seats of hamza, the two forms of final ya, ta marbuta.
    أ: "ا",
    إ: "ا",
    آ: "ا",
    ٱ: "ا",
    ى: "ي",
    ئ: "ي",
    ؤ: "و",
    ة: "ه",
    // Hebrew final letters.
    ך: "כ",
    ם: "מ",
    ן: "נ",
    ף: "פ",
    ץ: "צ",
  }),
);

const letters = new RegExp(`[${[...letterForms.keys()].join("")}]`, "g");

// Two spellings of one letter: the umlaut written out, and its vowel alone.
const foldUmlauts = (text: string): string => text.replace(/([aou])e/g, "$1");
const foldNordic = (text: string): string => text.replace(/aa|ae/g, "a").replace(/oe/g, "o");

const folders: ReadonlyMap<string, (lower: string) => string> = new Map([
  ["de", foldUmlauts],
  ["da", foldNordic],
  ["no", foldNordic],
  ["nb", foldNordic],
  ["nn", foldNordic],
  ["sv", foldNordic],
  ["fi", foldNordic],
]);
