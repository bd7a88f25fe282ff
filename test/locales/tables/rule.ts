import type { EngineTexts } from "../../../src/backend/content/types.ts";
import { LANGUAGES, type LanguageFacts } from "./languages.ts";
import type { Tables } from "./read.ts";

/** One requirement for every shipped table. */
export interface Rule {
  readonly name: string;
  find(tables: Tables, references: References): Iterable<Fault>;
  /** Changes of a table that break this rule. */
  readonly spoils: readonly Spoil[];
}

export interface Fault {
  readonly file: string;
  /** Null when it is about the whole file. */
  readonly key: string | null;
  readonly why: string;
}

/** The texts that tables are compared with. */
export interface References {
  /** The engine's own texts, by language in lower case. */
  readonly engine: ReadonlyMap<string, EngineTexts>;
  /** Texts that may be long: reasons by locale and key. */
  readonly longer: ReadonlyMap<string, Readonly<Record<string, string>>>;
}

/** Puts a text in the wrong place; null removes the line. */
export interface Spoil {
  readonly locale: string;
  readonly key: string;
  readonly text: string | null;
}

/** A text with the facts about its language. */
export interface Said {
  readonly text: string;
  /** The text without its placeholders. */
  readonly prose: string;
  readonly key: string;
  readonly locale: string;
  readonly facts: LanguageFacts;
}

/** A rule about single texts: `judge` describes the fault in one, or returns null. */
export function textRule(
  name: string,
  judge: (line: Said, tables: Tables) => string | null,
  spoils: readonly Spoil[],
): Rule {
  return {
    name,
    spoils,
    *find(tables) {
      for (const { line, file } of everythingSaid(tables)) {
        const why = judge(line, tables);
        if (why !== null) yield { file, key: line.key, why };
      }
    },
  };
}

export function* everythingSaid(
  tables: Tables,
): Generator<{ readonly line: Said; readonly file: string }> {
  for (const { locale, file, texts } of tables.values()) {
    const facts = LANGUAGES.get(locale);
    // A table of an unknown language is itself a fault.
    if (facts === undefined) continue;
    for (const [key, all] of texts) {
      for (const text of all)
        yield { file, line: { text, prose: proseOf(text), key, locale, facts } };
    }
  }
}

export function proseOf(text: string): string {
  return text.replace(/\{\{[^}]*\}\}/gu, "");
}
