import { describeAddress } from "./describe.ts";
import type { LanguageUnits } from "./row.ts";
import type { TranslationUnit } from "../edit/unit.ts";
import { toCharacterId, UNWRITABLE } from "./xliff-characters.ts";

/** Units as XLIFF 1.2: a `file` per language, placeholders as `ph`, white space preserved. */
export function toXliff(languages: readonly LanguageUnits[], sourceLocale: string): string {
  const files = languages.map(({ locale, units }) => {
    const names = `original="messages/${escapeAttribute(locale)}.yaml" source-language="${escapeAttribute(sourceLocale)}" target-language="${escapeAttribute(locale)}"`;
    return `  <file ${names} datatype="plaintext">\n    <body>\n${units.map(writeUnit).join("")}    </body>\n  </file>\n`;
  });
  return `<?xml version="1.0" encoding="UTF-8"?>\n<xliff version="1.2" xmlns="urn:oasis:names:tc:xliff:document:1.2">\n${files.join("")}</xliff>\n`;
}

function writeUnit({ id, address, source, target, origin }: TranslationUnit): string {
  const lines = [
    `<source>${inline(source ?? "")}</source>`,
    ...(target === null ? [] : [`<target>${inline(target)}</target>`]),
    `<note>${escapeXml(describeAddress(address))}</note>`,
    ...(origin === null ? [] : [`<note from="afterword">${ORIGINS[origin]}</note>`]),
  ];
  const body = lines.map((line) => `        ${line}\n`).join("");
  return `      <trans-unit id="${escapeAttribute(id)}" xml:space="preserve">\n${body}      </trans-unit>\n`;
}

const ORIGINS = { own: "The owner's text.", shipped: "Afterword's text." } as const;

/**
 * Writes placeholders as `ph` and characters that XML forbids as `x`. Ids are made from names, so
 * that source and target have the same ones.
 */
function inline(text: string): string {
  const ids = new Map<string, number>();
  const idOf = (name: string): string => {
    const nth = (ids.get(name) ?? 0) + 1;
    ids.set(name, nth);
    return `${name}-${nth}`;
  };
  return text.replace(INLINE, (found, name: string | undefined) => {
    if (name !== undefined) {
      return `<ph id="${idOf(name)}" ctype="x-placeholder">${escapeXml(found)}</ph>`;
    }
    return UNWRITABLE.test(found) ? `<x id="${idOf(toCharacterId(found))}"/>` : escapeXml(found);
  });
}

const INLINE = new RegExp(`\\{\\{\\s*([\\w.-]+)\\s*\\}\\}|${UNWRITABLE.source}|[&<>"]`, "g");

function escapeXml(text: string): string {
  return text.replace(/[&<>"]/g, (character) => ENTITIES.get(character) ?? character);
}

/** Attribute values lose line breaks when read (XML 1.0, 3.3.3); names and tags have none. */
function escapeAttribute(text: string): string {
  return escapeXml(text).replace(/[\t\r\n]/g, " ");
}

const ENTITIES: ReadonlyMap<string, string> = new Map([
  ["&", "&amp;"],
  ["<", "&lt;"],
  [">", "&gt;"],
  ['"', "&quot;"],
]);
