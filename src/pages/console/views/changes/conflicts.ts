import type { VNode } from "preact";
import { html } from "htm/preact";
import { useState } from "preact/hooks";
import type { ContentChange, ContentFields } from "../../../../api/console-contents.ts";
import type { Conflict, Draft, DraftChange } from "../../../../api/console.ts";
import { useAttempt } from "../../../shared/attempt.ts";
import { fill, nameLanguage, listOf } from "../../../shared/words.ts";
import { ask, conflictsOf } from "../../api.ts";
import { nameLine, type Words } from "../../words.ts";
import { writeContent } from "./content-pairs.ts";
import { problemOf, useView } from "../context.ts";
import { nameOfText } from "../texts/text-panel.ts";

/** Holds the conflicts for which the last attempt was refused, instead of a problem. */
export function useConflicts() {
  const { words } = useView();
  const [conflicts, changeConflicts] = useState<readonly Conflict[]>([]);
  const attempting = useAttempt((error) => {
    const found = conflictsOf(error);
    changeConflicts(found);
    return found.length === 0 ? problemOf(error, words) : "";
  });
  return { ...attempting, conflicts, changeConflicts };
}

interface ConflictsProps {
  readonly conflicts: readonly Conflict[];
  readonly leave: () => void;
}

/** Shows a file that was changed meanwhile: theirs or yours, text by text. */
export function Conflicts({ conflicts, leave }: ConflictsProps): VNode {
  const { words, token, language } = useView();
  const wishes = conflicts.flatMap((conflict) => [
    ...conflict.changes.map((one) => toChoice(one, words)),
    ...conflict.contents.map((one) => toContentChoice(one, words)),
  ]);
  // Others may have changed only a different part of the file.
  const contested = wishes.filter(({ before, theirs }) => before !== theirs);
  const choices = contested.length > 0 ? contested : wishes;
  const [taken, take] = useState<ReadonlySet<string>>(new Set());
  const { problem, attempt } = useAttempt((error) => problemOf(error, words));
  const goOn = async (): Promise<void> => {
    for (const { name, path } of choices) {
      if (taken.has(name)) await ask<Draft>(token, path, undefined, "DELETE");
    }
    await ask<Draft>(token, "draft/rebase", {});
    leave();
  };
  const files = listOf(
    conflicts.map(({ file }) => file),
    language,
  );
  return html`<div class="choice">
    <p class="problem" role="alert">${fill(words.chooseTexts, { file: files })}</p>
    ${choices.map(({ name, title, locale, before, theirs, text }) => {
      const createOption = (label: string, text: string, isTheirs: boolean): VNode =>
        html`<label class="switch">
          <input
            type="radio"
            name=${name}
            checked=${taken.has(name) === isTheirs}
            onChange=${() => take(toggle(taken, name, isTheirs))}
          />
          <span><b>${label}</b> <bdi lang=${locale}>${text}</bdi></span>
        </label>`;
      return html`<fieldset key=${name}>
        <legend>${title} · ${nameLanguage(locale, language)}</legend>
        <p class="quiet">${words.before}: <bdi lang=${locale}>${before}</bdi></p>
        ${createOption(words.theirs, theirs, true)} ${createOption(words.yours, text, false)}
      </fieldset>`;
    })}
    ${problem !== "" && html`<p class="problem" role="alert">${problem}</p>`}
    <button type="button" class="primary" onClick=${() => void attempt(goOn)}>${words.goOn}</button>
  </div>`;
}

/** A text or a content of which two owners want something else. */
interface TwoWishes {
  readonly name: string;
  readonly title: string;
  readonly locale: string;
  readonly before: string;
  readonly theirs: string;
  readonly text: string;
  /** Removes this owner's change from the draft. */
  readonly path: string;
}

function toChoice(
  { file, id, instance, locale, key, before, theirs, text }: DraftChange,
  words: Words,
): TwoWishes {
  const query = new URLSearchParams({ instance, id }).toString();
  // Readers of a line without an own text get Afterword's words or the engine's.
  const say = (own: string | null): string => own ?? words.noneOfYours;
  const path = `draft/${locale}/${key}?${query}`;
  const part = id === key ? "" : ` · ${nameOfText(id.slice(key.length), words)}`;
  const title = nameLine(words, key) + part;
  return {
    name: `${file} ${id}`,
    title,
    locale,
    before: say(before),
    theirs: say(theirs),
    text: say(text),
    path,
  };
}

function toContentChoice(change: ContentChange, words: Words): TwoWishes {
  const { file, id, language: locale, before, theirs, after, names } = change;
  const write = (fields: ContentFields | null): string =>
    fields === null ? "–" : showPlainly(writeContent(fields, words, names));
  return {
    name: `${file} content ${id}`,
    title: (after ?? theirs ?? before)?.title || String(id),
    locale,
    before: write(before),
    theirs: write(theirs),
    text: write(after),
    path: `draft/contents/${locale}/${id}`,
  };
}

function showPlainly(markup: string): string {
  const texts = markup.split(/<[^<>]*>|\n/);
  return texts.filter((one) => one.trim() !== "").join(" · ");
}

function toggle(names: ReadonlySet<string>, name: string, isChosen: boolean): ReadonlySet<string> {
  const others = [...names].filter((one) => one !== name);
  return new Set(isChosen ? [...others, name] : others);
}
