import type { VNode } from "preact";
import { html } from "htm/preact";
import type { ContentTrial } from "../../../../api/console-contents.ts";
import type { Draft } from "../../../../api/console.ts";
import { Hits } from "../contents/hits.ts";
import { useAnswer, useView } from "../context.ts";

interface DraftedContentsProps {
  readonly question: string;
  readonly locale: string;
}

/** The contents that a question would find with the draft, since the bot has only published ones. */
export function DraftedContents({ question, locale }: DraftedContentsProps): VNode | null {
  const { words, bot } = useView();
  const draft = useAnswer<Draft>("draft");
  const isDrafted = draft.value?.contents.some(({ language }) => language === locale) ?? false;
  const asked = { instance: bot, language: locale, questions: [question] };
  const answer = useAnswer<ContentTrial>(isDrafted ? "contents/ask" : null, asked);
  const [trial] = answer.value?.questions ?? [];
  if (trial === undefined) return null;
  return html`<article class="spot">
    <h3>${words.withDraft}</h3>
    <${Hits} of=${trial} locale=${locale} />
  </article>`;
}
