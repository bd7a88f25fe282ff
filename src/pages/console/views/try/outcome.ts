import type { VNode } from "preact";
import { html } from "htm/preact";
import type { Explained, ExplainedText } from "../../../../api/console.ts";
import { fill, nameLanguage } from "../../../shared/words.ts";
import { explainLanguage, nameState, describeUse, explainOutcome } from "../../words.ts";
import { go, useView } from "../context.ts";
import { renderMarkup } from "../texts/rendered.ts";

/** Shows an answer as readers see it, or why nothing was changed. */
export function Outcome({ of }: { readonly of: Explained }): VNode {
  const { words } = useView();
  const { before, after } = of.bytes;
  return html`${
      of.gate !== null &&
      html`<p class="problem">
        ${fill(words.untouched, { reason: explainOutcome(words, of.gate) })}
      </p>`
    }
    ${of.places.map((text) => html`<${AnswerText} of=${of} text=${text} />`)}
    <details>
      <summary>${words.whole}</summary>
      <p class="quiet">${fill(words.size, { before, after })}</p>
      <pre dir="ltr">${of.body}</pre>
      <pre dir="ltr">${JSON.stringify(of.trace, null, 2)}</pre>
    </details>`;
}

/** Shows the reader's version of a text beside the engine's, and the reason. */
function AnswerText({ of, text }: { readonly of: Explained; readonly text: ExplainedText }): VNode {
  const { words, language } = useView();
  const { at, flag, reason, source, written, engine, reader } = text;
  const show = (said: string | null) =>
    said !== null && of.format === "html" ? renderMarkup(said) : said;
  const spoken =
    source &&
    fill(words.spoken, {
      language: nameLanguage(source.locale, language),
      reason: explainLanguage(words, of.localeReason),
      origin: nameState(source.origin === "own" ? "own" : "shipped", words),
      rule: source.rule,
    });
  const line = flag ?? (at.endsWith("relatedTitle") ? "related-title" : null);
  return html`<article class="spot">
    <p>
      ${line !== null && html`<b>${describeUse(words, line)}</b>${" "}`}
      <code>${line ?? at}</code> ${explainOutcome(words, reason)}${" "}
      <small class="quiet">
        ${spoken}${written !== undefined && ` · ${fill(words.writtenIn, { ...written })}`}
      </small>
    </p>
    <div class="pair">
      <div>
        <h3>${words.readerSees}</h3>
        <blockquote lang=${source?.locale} dir="auto">${show(reader)}</blockquote>
      </div>
      <div>
        <h3>${words.engineSaid}</h3>
        <blockquote dir="auto">${show(engine)}</blockquote>
      </div>
    </div>
    ${
      line !== null &&
      of.locale !== "" &&
      html`<button type="button" onClick=${() => go(`texts/${of.locale}/${line}`)}>
        ${words.openLine}
      </button>`
    }
  </article>`;
}
