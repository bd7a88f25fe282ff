import type { VNode } from "preact";
import { html } from "htm/preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type { Draft } from "../../../../api/console.ts";
import type { AskedQuestion } from "../../../../api/console-insights.ts";
import type { ContentDetails, ContentList } from "../../../../api/console-contents.ts";
import { Select, valueOf } from "../../../shared/fields.ts";
import { useAttempt } from "../../../shared/attempt.ts";
import { ask } from "../../api.ts";
import { useSettled } from "../settled.ts";
import { go, problemOf, useAnswer, useView, type View } from "../context.ts";

interface PhraseFormProps {
  readonly of: AskedQuestion;
  /** The language of the contents. */
  readonly contentLanguage: string;
  readonly question: string;
  readonly close: () => void;
}

/** Puts a question into the draft as a phrase of a content, and opens that content to try it. */
export function PhraseForm({ of, contentLanguage, question, close }: PhraseFormProps): VNode {
  const view = useView();
  const { words } = view;
  const [phrase, changePhrase] = useState(question);
  const [chosen, choose] = useState(of.nearest?.id ?? null);
  const { busy, problem, attempt } = useAttempt((error) => problemOf(error, words));
  const submit = (event: Event): void => {
    event.preventDefault();
    if (chosen === null || busy) return;
    const asked = phrase.trim();
    void attempt(async () => {
      await putPhrase(view, `contents/${encodeURIComponent(contentLanguage)}/${chosen}`, asked);
      go(`contents/${contentLanguage}/${chosen}/${encodeURIComponent(asked)}`);
    });
  };
  return html`<form class="answering" onSubmit=${submit}>
    <label>
      <span>${words.questionPhrase}</span>
      <input
        required
        dir="auto"
        lang=${contentLanguage}
        maxlength="250"
        value=${phrase}
        onInput=${(event: Event) => changePhrase(valueOf(event))}
      />
    </label>
    <${Choice} of=${of} contentLanguage=${contentLanguage} chosen=${chosen} choose=${choose} />
    ${problem !== "" && html`<p class="problem" role="alert">${problem}</p>`}
    <p class="tools">
      <button class="primary" disabled=${busy}>${words.addToContent}</button>
      <button type="button" onClick=${close}>${words.cancel}</button>
    </p>
  </form>`;
}

interface ChoiceProps extends Pick<PhraseFormProps, "of" | "contentLanguage"> {
  readonly chosen: number | null;
  readonly choose: (id: number | null) => void;
}

/** Chooses a content: the nearest at first, or one that is searched for. */
function Choice({ of, contentLanguage, chosen, choose }: ChoiceProps): VNode {
  const { words } = useView();
  const [search, change] = useState("");
  const field = useRef<HTMLInputElement>(null);
  // The button that opened the form is gone, so the form takes the focus.
  useLayoutEffect(() => field.current?.focus(), []);
  const query = useSettled({ language: contentLanguage, search });
  const answer = useAnswer<ContentList>(`contents?${new URLSearchParams(query).toString()}`);
  const { nearest } = of;
  const found = (answer.value?.contents ?? []).filter(({ draft }) => draft !== "removed");
  const others = found.filter(({ id }) => id !== nearest?.id);
  const options = nearest === null ? others : [nearest, ...others];
  // Clears a choice that the search no longer finds, because it would be hidden.
  const value = options.some(({ id }) => id === chosen) ? String(chosen) : "";
  return html`<label>
      <span>${words.searchContents}</span>
      <input
        type="search"
        dir="auto"
        ref=${field}
        value=${search}
        onInput=${(event: Event) => change(valueOf(event))}
      />
    </label>
    <label>
      <span>${words.contents}</span>
      <${Select}
        required
        value=${value}
        options=${[["", "–"], ...options.map(({ id, title }) => [String(id), title])]}
        change=${(id: string) => choose(Number(id) || null)}
      />
    </label>`;
}

async function putPhrase({ token, noteDraft }: View, path: string, phrase: string): Promise<void> {
  const { fields } = await ask<ContentDetails>(token, path);
  const { title, alternatives } = fields;
  if ([title, ...alternatives].includes(phrase)) return;
  const next = { alternatives: [...alternatives, phrase] };
  const json = { fields: next, seen: { alternatives } };
  noteDraft((await ask<{ draft: Draft }>(token, `draft/${path}`, json, "PUT")).draft);
}
