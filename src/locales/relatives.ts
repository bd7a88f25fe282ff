import { findLikelyScript, parseTag, type Tag } from "./tag.ts";

/** How a table's locale relates to the tag that was asked for. */
export type Relation = "exact" | "alias" | "script" | "parent" | "sibling";

export interface Relative {
  /** Canonical tag, lower case. */
  readonly tag: string;
  readonly relation: Relation;
}

/** Lists tags that serve a reader of `tag`, nearest first, in its language and script only. */
export function listRelatives(tag: Tag): readonly Relative[] {
  const own = listFamily(tag);
  const readAs = MACROLANGUAGES.get(tag.likely.language);
  if (readAs === undefined) return own;
  const { script, region } = tag.likely;
  const other = listFamily({
    written: tag.written,
    reduced: tag.reduced,
    base: `${readAs}-${script}-${region}`,
    script,
    region,
    likely: { language: readAs, script, region },
  });
  return [...own, ...other.map((relative): Relative => ({ ...relative, relation: "alias" }))];
}

/** True when readers of the one language can be served with the other's table. */
export function isSameLanguage(one: string, other: string): boolean {
  return (MACROLANGUAGES.get(one) ?? one) === (MACROLANGUAGES.get(other) ?? other);
}

// Members of the macrolanguages Norwegian and Chinese. Their readers can read its written form.
const MACROLANGUAGES: ReadonlyMap<string, string> = new Map([
  ["nb", "no"],
  ["nn", "no"],
  ...["yue", "nan", "wuu", "hak", "gan", "hsn"].map((code): [string, string] => [code, "zh"]),
]);

// CLDR parent locales that are not a plain truncation, as far as their languages are shipped.
const LATIN_AMERICA = "AR BO BR BZ CL CO CR CU DO EC GT HN MX NI PA PE PR PY SV US UY VE";
const PORTUGUESE_OF_PORTUGAL = "AO CH CV FR GQ GW LU MO MZ ST TL";
const PARENTS: ReadonlyMap<string, string> = new Map([
  ...LATIN_AMERICA.split(" ").map((region): [string, string] => [`es-${region}`, "es-419"]),
  ...PORTUGUESE_OF_PORTUGAL.split(" ").map((region): [string, string] => [`pt-${region}`, "pt-PT"]),
  ["zh-MO", "zh-HK"],
]);

function listFamily(tag: Tag): readonly Relative[] {
  const { language, script, region } = tag.likely;
  const renamed = tag.written !== language && tag.written !== "und";
  const name = (relation: Relation): Relation => (renamed ? "alias" : relation);
  const narrowed = tag.script === null ? "script" : "parent";
  const found = new Map<string, Relation>();
  const add = (candidate: string, relation: Relation): void => {
    const key = candidate.toLowerCase();
    if (!found.has(key)) found.set(key, name(relation));
  };

  add(tag.base, tag.reduced ? "parent" : "exact");
  add([language, tag.script, tag.region].filter((part) => part !== null).join("-"), "parent");
  // `zh-TW` says by itself which script it is written in, `sr-RS` does not say Latin.
  const regional = findLikelyScript(`${language}-${region}`) === script;
  const parent = PARENTS.get(`${language}-${region}`);
  if (regional && tag.region !== null && parent !== undefined) {
    add(parent, "parent");
    add(parent.replace("-", `-${script}-`), "parent");
  }
  add(`${language}-${script}-${region}`, narrowed);
  const likelyScript = findLikelyScript(language) === script;
  if (regional && tag.region !== null) add(`${language}-${region}`, "parent");
  add(`${language}-${script}`, narrowed);
  if (likelyScript) add(language, "parent");
  if (regional) add(`${language}-${region}`, "sibling");
  return Array.from(found, ([key, relation]) => ({ tag: key, relation }));
}

/** True for `es-419` of `es`; not for `zh-Hant` of `zh`, which is written in another script. */
export function isRegionOf(code: string, language: string): boolean {
  if (!code.startsWith(`${language}-`)) return false;
  return parseTag(code)?.likely.script === parseTag(language)?.likely.script;
}
