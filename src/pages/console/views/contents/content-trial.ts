import type { VNode } from "preact";
import { html } from "htm/preact";
import { useEffect, useState } from "preact/hooks";
import type { ContentFields, ContentHit, ContentTrial } from "../../../../api/console-contents.ts";
import type { Draft } from "../../../../api/console.ts";
import { valueOf } from "../../../shared/fields.ts";
import { fill, listOf } from "../../../shared/words.ts";
import { formatShare } from "../../insights.ts";
import { Pending, useAnswer, useView } from "../context.ts";
import { moment, useSettled } from "../settled.ts";
import { Hits } from "./hits.ts";

interface TrialProps {
  /** The question that it begins with. */
  readonly begun: string;
  readonly locale: string;
  readonly id: number | null;
  readonly fields: ContentFields;
  /** The draft as it was last returned, in which the other contents are found. */
  readonly draft: Draft | null;
}

/** The other contents that this one's phrases find too, and a question to try. */
export function ContentTrialView({ begun, locale, id, fields, draft }: TrialProps): VNode {
  const { words, language, bot } = useView();
  const [question, type] = useState(begun);
  const { title, alternatives, published, hidden } = fields;
  const isMute = fields.answer.every((one) => one.replaceAll(/<[^<>]*>/g, "").trim() === "");
  const typed = useSettled({
    instance: bot,
    language: locale,
    id,
    fields: { title, alternatives, published, hidden },
    questions: question.trim() === "" ? [] : [question],
  });
  const answer = useAnswer<ContentTrial>("contents/ask", typed);
  useEffect(() => {
    if (draft === null) return;
    const later = setTimeout(answer.again, moment);
    return () => clearTimeout(later);
  }, [draft]);
  const nameHit = ({ title, score }: ContentHit): string =>
    `${title} (${formatShare(score, language)})`;
  const collisions = (answer.value?.phrases ?? []).filter(({ others }) => others.length > 0);
  const [trial] = answer.value?.questions ?? [];
  return html`<section class="trial" aria-label=${words.try}>
    <h3>${words.try}</h3>
    <label>
      <span>${words.askContents}</span>
      <input
        dir="auto"
        lang=${locale}
        value=${question}
        onInput=${(event: Event) => type(valueOf(event))}
      />
    </label>
    <${Pending} of=${answer} />
    ${
      trial !== undefined &&
      html`<div role="status">
        <${Hits} of=${trial} locale=${locale} mute=${isMute ? (id ?? 0) : null} />
      </div>`
    }
    <ul class="findings" aria-live="polite">
      ${collisions.map(
        ({ phrase, others }) =>
          html`<li class="warning" dir="auto">
            ${fill(words.alsoFinds, {
              phrase,
              contents: listOf(others.map(nameHit), language),
            })}
          </li>`,
      )}
    </ul>
  </section>`;
}
