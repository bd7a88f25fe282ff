import { foldWord, UNSPACED } from "./words.ts";

/**
 * Replaces a name that the conversation told, in the forms that it takes in a sentence, by a mark.
 *
 * @param isCapital true if only words that begin with a capital are the name
 */
export function redactToldName(
  text: string,
  name: string,
  mark: string,
  isCapital: boolean,
): string {
  const plain = name.slice(0, maxNameLength).normalize("NFKC").trim();
  const words = Array.from(plain.matchAll(WORD), ([word]) => word);
  if (words.length > maxWords || !/\p{L}/u.test(plain)) return text;
  let redacted = text;
  for (const word of words.filter((one) => UNSPACED.test(one)).flatMap(listParts)) {
    redacted = redacted.replaceAll(word, mark);
  }
  const spaced = words
    .filter((word) => !UNSPACED.test(word))
    .flatMap((word) => (KOREAN_NAME.test(word) ? [word, word.slice(1)] : [word]))
    .map(foldWord);
  if (spaced.length === 0) return redacted;
  return redacted.replace(WORD, (word) => {
    const folded = foldWord(word);
    const mayBeIt = !isCapital || /^\p{Lu}/u.test(word);
    return mayBeIt && spaced.some((one) => isForm(folded, one)) ? mark : word;
  });
}

/** A name is cut here. Somebody may have typed an address instead. */
const maxNameLength = 120;
/** A value with more words is a sentence, not a name. */
const maxWords = 6;
/** A family name of one syllable, and a given name: 김민수, 민수. */
const KOREAN_NAME = /^\p{sc=Hang}{3}$/u;
const WORD = /[\p{L}\p{M}\p{N}\u200c\u200d]+/gu;

/**
 * Lists the parts that may be a name alone, since nothing shows where the given name begins: 小明 of
 * 王小明; 田中 and 太郎 of 田中太郎; 千鶴 of 小笠原千鶴. In 五十嵐さくら the scripts show it.
 */
function listParts(name: string): readonly string[] {
  const [, family = "", given = ""] = HIRAGANA_GIVEN.exec(name) ?? [];
  if (given !== "") return [name, given, ...(family.length > 1 ? [family] : [])];
  const all = Array.from(name);
  if (all.length > (/^\p{sc=Han}+$/u.test(name) ? 5 : 4)) return [name];
  const cuts = [1, 2, 3].flatMap((at) => [all.slice(at), all.slice(0, at)]);
  return [all, ...cuts]
    .filter((part) => part.length > 1)
    .map((part) => part.join(""))
    .toSorted((one, other) => other.length - one.length);
}

const HIRAGANA_GIVEN = /^(\p{sc=Han}{1,3})(\p{sc=Hira}{2,4})$/u;

/** True for a name, also with a prefix or an ending: `Annas`, `Annan`, `وأحمد`. */
function isForm(word: string, name: string): boolean {
  if (word === name) return true;
  // The article is written in other ways behind a preposition: المنصوري, للمنصوري.
  const bare = name.replace(/^ال(?=.{3})/u, "");
  const added = word.length - bare.length;
  if (bare.length >= SHORTEST_STEM && word.includes(bare)) return added <= MAX_ADDED;
  return listStems(name).some(
    ({ stem, most }) => stem.length >= SHORTEST_STEM && word.startsWith(stem) && added <= most,
  );
}

/** Lists what a name begins with in other cases, and how much longer it may be there. */
function listStems(name: string): readonly { readonly stem: string; readonly most: number }[] {
  return [
    // Анна, Анны; Anna, Anny
    { stem: name.slice(0, -1), most: 3 },
    // Mäkinen, Mäkiselle
    ...(name.endsWith("nen") ? [{ stem: `${name.slice(0, -3)}s`, most: 3 }] : []),
    // Мстиславская, Мстиславской
    ...(name.length >= longName ? [{ stem: name.slice(0, -2), most: 0 }] : []),
  ];
}

const SHORTEST_STEM = 3;
const MAX_ADDED = 4;
const longName = 8;
