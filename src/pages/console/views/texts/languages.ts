import type { VNode } from "preact";
import { html } from "htm/preact";
import { useState } from "preact/hooks";
import type { ConsoleSession } from "../../../../api/console-session.ts";
import { Switch, valueOf } from "../../../shared/fields.ts";
import { fill, nameLanguage } from "../../../shared/words.ts";
import { type CheckedCell, fitsCell } from "./cells.ts";
import { useView } from "../context.ts";

/** The languages that an owner maintains in a bot, and the two whose sentences are shown. */
export interface ChosenLanguages {
  readonly mine: readonly string[];
  readonly first: string;
  /** Empty if no language stands beside the first. */
  readonly beside: string;
}

/** Keeps the languages of a bot in this browser. */
export function useLanguages(
  texts: CheckedCell | null,
): readonly [ChosenLanguages, (next: Partial<ChosenLanguages>) => void] {
  const { bot, language, session } = useView();
  const [changed, change] = useState<Readonly<Record<string, Partial<ChosenLanguages>>>>({});
  const begun = texts === null ? none : findLanguages(texts, session, language);
  const kept = { ...readKept(bot), ...changed[bot] };
  const isKnown = (locale: string | undefined): boolean =>
    locale !== undefined && texts?.locales.includes(locale) === true;
  const chosen = {
    mine: kept.mine?.filter(isKnown) ?? begun.mine,
    first: isKnown(kept.first) ? (kept.first ?? "") : begun.first,
    beside: isKnown(kept.beside) || kept.beside === "" ? (kept.beside ?? "") : begun.beside,
  };
  const keep = (next: Partial<ChosenLanguages>): void => {
    change({ ...changed, [bot]: { ...changed[bot], ...next } });
    try {
      localStorage.setItem(keyOf(bot), JSON.stringify({ ...chosen, ...next }));
    } catch {
      // In a browser without storage, the choice ends with this tab.
    }
  };
  return [chosen, keep];
}

const none: ChosenLanguages = { mine: [], first: "", beside: "" };

/**
 * Chooses for owners who have not chosen: the languages that they may change, or have written in.
 */
function findLanguages(
  texts: CheckedCell,
  session: ConsoleSession,
  language: string,
): ChosenLanguages {
  const { locales, fallback, cells } = texts;
  const written = locales.filter((locale) =>
    Object.values(cells).some((line) => line[locale]?.state === "own"),
  );
  const own = session.languages?.filter((one) => locales.includes(one)) ?? [];
  const spoken = locales.includes(language) ? language : fallback;
  const first = own[0] ?? spoken;
  const mine = own.length > 0 ? own : locales.filter((one) => one === first || one === fallback);
  const beside = [fallback, ...written].find((one) => one !== first) ?? "";
  return { mine: [...new Set([...mine, ...written])], first, beside };
}

function keyOf(bot: string): string {
  return `console-languages ${bot}`;
}

function readKept(bot: string): Partial<ChosenLanguages> {
  try {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    const kept = JSON.parse(localStorage.getItem(keyOf(bot)) ?? "{}") as Partial<ChosenLanguages>;
    return Array.isArray(kept.mine) ? kept : {};
  } catch {
    return {};
  }
}

interface LanguageProps {
  readonly texts: CheckedCell;
  readonly chosen: ChosenLanguages;
  readonly keep: (next: Partial<ChosenLanguages>) => void;
}

interface LanguageChoiceProps extends Omit<LanguageProps, "texts"> {
  /** Null if they have not come yet. */
  readonly texts: CheckedCell | null;
}

/** Chooses the language to work in, and the one beside it. */
export function LanguageChoice({ texts, chosen, keep }: LanguageChoiceProps): VNode {
  const { words } = useView();
  const { first, beside } = chosen;
  const options = texts && html`<${Options} texts=${texts} mine=${chosen.mine} />`;
  return html`<label>
      <span>${words.language}</span>
      <select
        value=${first}
        onChange=${(event: Event) => {
          const next = valueOf(event);
          keep(next === beside ? { first: next, beside: first } : { first: next });
        }}
      >
        ${options}
      </select>
    </label>
    <label>
      <span>${words.besideIt}</span>
      <select
        value=${beside}
        onChange=${(event: Event) => {
          const next = valueOf(event);
          keep(next === first ? { first: beside || first, beside: next } : { beside: next });
        }}
      >
        <option value="">${words.noLanguage}</option>
        ${options}
      </select>
    </label>`;
}

interface OptionsProps {
  readonly texts: CheckedCell;
  readonly mine: readonly string[];
}

/** All languages by name, those that are maintained before the others. */
function Options({ texts, mine }: OptionsProps): VNode {
  const { words, language } = useView();
  const named = byName(texts.locales, language);
  const own = named.filter(([tag]) => mine.includes(tag));
  const others = named.filter(([tag]) => !mine.includes(tag));
  if (own.length === 0 || others.length === 0) return html`${named.map(createOption)}`;
  return html`<optgroup label=${words.myLanguages}>${own.map(createOption)}</optgroup>
    <optgroup label=${words.otherLanguages}>${others.map(createOption)}</optgroup>`;
}

/** The option of a language, in a list of them. */
export function createOption([tag, name]: readonly [string, string]): VNode {
  return html`<option key=${tag} value=${tag}>${name}</option>`;
}

/** Languages with their names, in the order of these. */
export function byName(
  tags: readonly string[],
  language: string,
): readonly (readonly [string, string])[] {
  return tags
    .map((tag) => [tag, nameLanguage(tag, language)] as const)
    .toSorted(([, one], [, other]) => one.localeCompare(other, language));
}

/** The progress of each language, and which languages are maintained. */
export function Languages({ texts, chosen, keep }: LanguageProps): VNode {
  const { words, language } = useView();
  const named = byName(texts.locales, language);
  const isMine = ([tag]: readonly [string, string]): boolean => chosen.mine.includes(tag);
  const toggle = (tag: string): void => {
    const mine = chosen.mine.filter((one) => one !== tag);
    keep({ mine: mine.length < chosen.mine.length ? mine : [...mine, tag] });
  };
  return html`<details class="languages">
    <summary>
      ${words.myLanguages}
      <span class="quiet"> ${`${chosen.mine.length} / ${texts.locales.length}`}</span>
    </summary>
    <p class="quiet">${words.myLanguagesAbout}</p>
    <ul>
      ${[...named.filter(isMine), ...named.filter((one) => !isMine(one))].map(
        ([tag, name]) =>
          html`<li key=${tag}>
            <${Switch} label=${name} isOn=${chosen.mine.includes(tag)} turn=${() => toggle(tag)} />
            <${Progress} texts=${texts} locale=${tag} />
          </li>`,
      )}
    </ul>
  </details>`;
}

/**
 * Counts the lines of a language that the owner has written, that somebody has reviewed, and that
 * are never used.
 */
function Progress({
  texts,
  locale,
}: {
  readonly texts: CheckedCell;
  readonly locale: string;
}): VNode {
  const { words } = useView();
  const keys = texts.keys.map(({ key }) => key);
  const all = keys.length;
  const own = keys.filter((key) => texts.cells[key]?.[locale]?.state === "own").length;
  const without = keys.filter((key) => fitsCell(texts, key, locale, "without")).length;
  const reviewed = keys.filter((key) => !fitsCell(texts, key, locale, "notReviewed")).length;
  const share = (count: number): string => `width: ${(100 * count) / Math.max(1, all)}%`;
  return html`<span class="progress">
    <span class="measure" aria-hidden="true"
      ><span class="own" style=${share(own)}></span
      ><span class="shipped" style=${share(all - own - without)}></span
    ></span>
    <small>
      ${fill(words.progressOf, { own, reviewed, all })}
      ${without > 0 && html`<b class="alarm"> ${fill(words.progressWithout, { count: without })}</b>`}
    </small>
  </span>`;
}
