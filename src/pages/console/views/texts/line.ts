import type { VNode } from "preact";
import { html } from "htm/preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import type { Draft, LineAnswer, Review, Wording } from "../../../../api/console.ts";
import { useAttempt } from "../../../shared/attempt.ts";
import { fill, nameLanguage, listOf } from "../../../shared/words.ts";
import { ask } from "../../api.ts";
import { explainLanguage, nameState } from "../../words.ts";
import {
  type ApiAnswer,
  changesLine,
  Findings,
  go,
  mayEdit,
  Pending,
  problemOf,
  Use,
  useAnswer,
  useView,
} from "../context.ts";
import { Editor, hasUnkeptText } from "./editor.ts";
import { renderMarkup } from "./rendered.ts";

interface LineProps {
  /** The view that is shown after closing it. */
  readonly view: "texts" | "coverage";
  readonly locale: string;
  readonly line: string;
  /** The use of the line, in English; its key until that is known. */
  readonly use: string;
  /** The draft, once it is loaded; without a value for a token that cannot edit. */
  readonly begun: ApiAnswer<Draft>;
  readonly keep: (draft: Draft) => void;
  readonly review: Review | undefined;
  readonly keepReviews: (reviews: readonly Review[]) => void;
}

/** One line in one language: its texts and their readers, its editor and its review. */
export function LineView(props: LineProps): VNode {
  const { view, locale, line, use } = props;
  const { words, language, bot, channel } = useView();
  const title = useRef<HTMLHeadingElement>(null);
  // The focus moves to the title, for people who use the keyboard.
  useLayoutEffect(() => title.current?.focus(), [locale, line]);
  const close = (): void => go(view);
  const leave = ({ key }: KeyboardEvent): void => {
    if (key === "Escape") close();
  };
  return html`<aside class="line" aria-labelledby="line-title" onKeyDown=${leave}>
    <div class="tools">
      <h2 id="line-title" tabindex="-1" ref=${title}>
        <${Use} line=${line} english=${use} />
        <small>${nameLanguage(locale, language)} · <code>${line}</code></small>
      </h2>
      <button type="button" onClick=${close}>${words.back}</button>
    </div>
    <${LineBody} key=${`${locale} ${line} ${bot} ${channel}`} ...${props} />
  </aside>`;
}

/** For an author who opens the line that is open. */
export function focusOnLine(): void {
  document.querySelector<HTMLElement>("#line-title")?.focus();
}

/** The texts of one bot in the line, on one channel or on all. */
function LineBody({ locale, line, begun, keep, review, keepReviews }: LineProps): VNode {
  const { bot, channel, session } = useView();
  const query = new URLSearchParams({ instance: bot, channel }).toString();
  // A form with typed words stays open if the right is withdrawn: another token can save them.
  const mayType = mayEdit(session, locale) || hasUnkeptText(bot, locale, line);
  const draft = mayType ? begun.value : null;
  const drafted = (draft?.changes.length ?? 0) > 0 ? "&draft=yes" : "";
  const changed = draft?.changes.some((one) => changesLine(one, bot, locale, line)) === true;
  const answer = useAnswer<LineAnswer>(`texts/${locale}/${line}?${query}${drafted}`);
  const keepDraft = (next: Draft): void => {
    keep(next);
    answer.again();
  };
  if (answer.value === null) return html`<${Pending} of=${answer} />`;
  // An editor that appears later would push everything else down.
  const isComing = begun.value === null && begun.problem === null;
  if (mayType && isComing) return html`<${Pending} of=${begun} />`;
  return html`${draft !== null && html`<${Editor} of=${answer.value} draft=${draft} keep=${keepDraft} />`}
    ${begun.problem !== null && html`<${Pending} of=${begun} />`}
    <${Reviewed}
      of=${answer.value}
      review=${review}
      keepReviews=${keepReviews}
      drafted=${changed}
    />
    <${Details} of=${answer.value} />`;
}

interface ReviewedProps extends Pick<LineProps, "review" | "keepReviews"> {
  readonly of: LineAnswer;
  /** True if the draft changes this text, so what is shown is not in use yet. */
  readonly drafted: boolean;
}

/** Shows who has reviewed this text, with buttons that mark it as reviewed or not. */
function Reviewed({ of, review, keepReviews, drafted }: ReviewedProps): VNode {
  const { words, language, token, session, bot } = useView();
  const { problem, attempt } = useAttempt((error) => problemOf(error, words));
  const setReviewed = async (isReviewed: boolean): Promise<void> => {
    const path = `reviews/${of.locale}/${of.key}`;
    const query = new URLSearchParams({ instance: bot }).toString();
    const found = await ask<{ readonly reviews: readonly Review[] }>(
      token,
      isReviewed ? path : `${path}?${query}`,
      isReviewed ? { instance: bot, hash: of.hash } : undefined,
      isReviewed ? "PUT" : "DELETE",
    );
    keepReviews(found.reviews);
  };
  const time = new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "short" });
  const mayReview = mayEdit(session, of.locale) && of.hash !== null && !drafted;
  return html`${
      review !== undefined &&
      html`<p class="good">
        ${fill(words.reviewedBy, { label: review.by, time: time.format(new Date(review.at)) })}
      </p>`
    }
    ${review?.sourceChanged === true && html`<p class="problem">${words.sourceChanged}</p>`}
    ${problem !== "" && html`<p class="problem" role="alert">${problem}</p>`}
    <div class="tools">
      ${
        mayReview &&
        (review === undefined || review.sourceChanged) &&
        html`<button type="button" onClick=${() => void attempt(() => setReviewed(true))}>
          ${words.markReviewed}
        </button>`
      }
      ${
        mayReview &&
        review !== undefined &&
        html`<button type="button" onClick=${() => void attempt(() => setReviewed(false))}>
          ${words.withdrawReview}
        </button>`
      }
    </div>`;
}

function Details({ of }: { readonly of: LineAnswer }): VNode {
  const { words } = useView();
  return html`${of.state === "never" && html`<p class="problem">${words.hidden}</p>`}
    ${
      of.engine !== null &&
      html`<h3>${words.engineDefault}</h3>
        <blockquote lang="en" dir="ltr">${of.engine}</blockquote>`
    }
    ${of.wordings.length === 0 && html`<p class="quiet">${words.nothingSaid}</p>`}
    ${of.wordings.map((wording) => html`<${WordingBlock} of=${of} wording=${wording} />`)}
    ${
      of.findings.length > 0 &&
      html`<h3>${words.found}</h3>
        <${Findings} of=${of.findings} />`
    }
    ${
      of.previews.length > 0 &&
      html`<h3>${words.preview}</h3>
        <dl class="previews">
          ${of.previews.map(({ kind, text }) => {
            const isHtml = kind !== "plain" && of.wordings[0]?.format === "html";
            const shown = text !== null && isHtml ? renderMarkup(text) : text;
            return html`<dt>${words[kind]}</dt>
              <dd lang=${of.locale} dir="auto">${shown ?? words.staysOriginal}</dd>`;
          })}
        </dl>
        <button type="button" onClick=${() => go(`try/${of.key}/${of.locale}`)}>
          ${words.tryLine}
        </button>`
    } <${Readers} of=${of} />`;
}

function WordingBlock({
  of,
  wording,
}: {
  readonly of: LineAnswer;
  readonly wording: Wording;
}): VNode {
  const { words, language } = useView();
  const { locale, origin, rule, text, when } = wording;
  const name = nameLanguage(locale, language);
  const who = fill(words.saidOf, { language: name, origin: nameState(origin, words) });
  const written = of.places.find(
    (one) => locale === of.locale && origin === "own" && one.text === text,
  );
  const readers = Object.entries(when ?? {}).map(([field, value]) => `${field} = ${value}`);
  return html`<section class=${`said ${origin}`}>
    <h3>${who}${rule !== of.key && html` <code>${rule.slice(of.key.length)}</code>`}</h3>
    ${readers.length > 0 && html`<p class="quiet">${fill(words.onlyFor, { readers: listOf(readers, language) })}</p>`}
    <blockquote lang=${locale} dir="auto">${markPlaceholders(text)}</blockquote>
    ${written !== undefined && html`<p class="quiet">${fill(words.writtenIn, { ...written })}</p>`}
  </section>`;
}

/** Marks placeholders, so that they are not read as text. */
function markPlaceholders(text: string): readonly (string | VNode)[] {
  return text
    .split(/(\{\{[^{}]+\}\})/)
    .map((piece) => (piece.startsWith("{{") ? html`<code class="chip">${piece}</code>` : piece));
}

function Readers({ of }: { readonly of: LineAnswer }): VNode | null {
  const { words, language } = useView();
  if (of.readers.length === 0) return null;
  return html`<h3>${words.speaksFor}</h3>
    <ul class="readers">
      ${of.readers.map(({ tag, reason }) => {
        const name = nameLanguage(tag, language);
        return html`<li>
          <code>${tag}</code>${name !== tag && ` ${name}`}
          <small> ${explainLanguage(words, reason)}</small>
        </li>`;
      })}
    </ul>`;
}
