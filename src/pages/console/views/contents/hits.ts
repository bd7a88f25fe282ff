import type { VNode } from "preact";
import { html } from "htm/preact";
import type { ContentTrial } from "../../../../api/console-contents.ts";
import { fill } from "../../../shared/words.ts";
import { formatShare } from "../../insights.ts";
import { useView } from "../context.ts";

interface HitsProps {
  readonly of: ContentTrial["questions"][number];
  readonly locale: string;
  /** The id of a content without an answer. */
  readonly mute?: number | null;
}

/** The contents that answer a question or are offered for it, with their scores. */
export function Hits({ of, locale, mute = null }: HitsProps): VNode {
  const { words, language } = useView();
  const { outcome, hits } = of;
  const shown = outcome === "answered" ? hits.slice(0, 1) : hits.filter(({ score }) => score > 0);
  const say = outcome === "answered" ? words.answersIt : words.offersIt;
  return html`<ol class="hits">
    ${outcome === "nothing" && html`<li>${words.nothingAnswers}</li>`}
    ${
      outcome !== "nothing" &&
      shown.map(
        ({ id, title, score }) =>
          html`<li>
            <b lang=${locale} dir="auto">${title}</b>${" "}
            ${fill(say, { score: formatShare(score, language) })}${" "}
            ${id === mute && words.noAnswerYet}
          </li>`,
      )
    }
  </ol>`;
}
