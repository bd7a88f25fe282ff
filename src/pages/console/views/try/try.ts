import type { VNode } from "preact";
import { html } from "htm/preact";
import { useState } from "preact/hooks";
import type { Explained, Situation } from "../../../../api/console.ts";
import { readVariables } from "../../api.ts";
import { describeUse } from "../../words.ts";
import { type ApiAnswer, canEdit, Pending, useAnswer, useView } from "../context.ts";
import { byName } from "../texts/languages.ts";
import { DraftedContents } from "./drafted-contents.ts";
import { Outcome } from "./outcome.ts";
import { Select, Switch, valueOf } from "../../../shared/fields.ts";
import { type Asking, isTurn, TalkView } from "./talk.ts";

interface TryProps {
  /** Empty where the address names none. */
  readonly situation: string;
  readonly locale: string;
}

/** An answer of the engine, and the text that a reader would see instead. */
export function TryView(props: TryProps): VNode {
  const { words, language, bot, channel, session } = useView();
  const locales = session.bots.find(({ name }) => name === bot)?.locales ?? [];
  const drafts = canEdit(session);
  const [drafted, changeDrafted] = useState(drafts);
  // Owners of an own bot ask it a question; others look at an answer of the engine.
  const [talks] = useState(session.embedded && props.situation === "");
  const { asking, situation, situations, changeSituation, change, take } = useAsking(props);
  const answer = useAnswer<Explained>(asking.body === "" ? null : "explain", {
    ...asking,
    instance: bot,
    channel,
    draft: drafted,
    variables: readVariables(asking.variables),
  });
  // The situation's answer would come between what is selected and what is typed over it.
  const isComing = situation !== "" && situations.value === null && situations.problem === null;
  const details = html`<${Details}
    asking=${asking}
    isComing=${isComing}
    change=${(field: keyof Asking, value: string) => {
      if (field === "body") changeSituation("");
      change(field, value);
    }}
  />`;
  return html`<div class="try">
    <section aria-label=${words.try}>
      <h2>${words.try}</h2>
      <${TalkView} asking=${asking} take=${take} isOpen=${talks} />
      <${Situations}
        of=${situations}
        chosen=${situation}
        typed=${isTurn(asking) ? words.answer : words.ownAnswer}
        choose=${changeSituation}
      />
      <label>
        <span>${words.readersLanguage}</span>
        <${Select}
          value=${asking.locale}
          options=${byName([...new Set([...locales, asking.locale])], language)}
          change=${(locale: string) => change("locale", locale)}
        />
      </label>
      ${
        session.embedded
          ? html`<details>
              <summary>${words.details}</summary>
              ${details}
            </details>`
          : details
      }
      ${
        drafts && html`<${Switch} label=${words.withDraft} isOn=${drafted} turn=${changeDrafted} />`
      }
      ${!isTurn(asking) && html`<p class="quiet">${words.noSending}</p>`}
    </section>
    <section class="outcome" aria-live="polite" aria-label=${words.readerSees}>
      ${asking.body !== "" && html`<${Pending} of=${answer} />`}
      ${answer.value !== null && asking.body !== "" && html`<${Outcome} of=${answer.value} />`}
      ${
        session.contents &&
        drafted &&
        isTurn(asking) &&
        asking.question !== "" &&
        html`<${DraftedContents}
          key=${asking.question}
          question=${asking.question}
          locale=${asking.locale}
        />`
      }
    </section>
  </div>`;
}

interface DetailsProps {
  readonly asking: Asking;
  readonly isComing: boolean;
  readonly change: (field: keyof Asking, value: string) => void;
}

/** Further details of the reader, and the engine's answer as JSON. */
function Details({ asking, isComing, change }: DetailsProps): VNode {
  const { words } = useView();
  const set = (field: keyof Asking) => (event: Event) => change(field, valueOf(event));
  return html`<label>
      <span>${words.answer}</span>
      <textarea
        rows="10"
        spellcheck="false"
        dir="ltr"
        readonly=${isComing}
        aria-busy=${isComing}
        value=${asking.body}
        onInput=${set("body")}
      ></textarea>
    </label>
    <div class="fields">
      ${FIELDS.map(
        ([field, word]) =>
          html`<label>
            <span>${words[word]}</span>
            <input value=${asking[field]} onInput=${set(field)} />
          </label>`,
      )}
      <label>
        <span>${words.variables}</span>
        <textarea
          rows="2"
          spellcheck="false"
          value=${asking.variables}
          onInput=${set("variables")}
        ></textarea>
      </label>
    </div>`;
}

const FIELDS = [
  ["question", "question"],
  ["option", "option"],
  ["env", "environment"],
  ["userType", "userType"],
] as const;

interface SituationsAnswer {
  readonly situations: readonly Situation[];
}

/** The last question and its address. It outlives the view. */
let left: { readonly from: string; readonly situation: string; readonly asking: Asking } | null =
  null;

/** Holds the answer to explain: of a situation, a typed one, or one of the conversation. */
function useAsking(props: TryProps) {
  const { language } = useView();
  const situations = useAnswer<SituationsAnswer>("situations");
  const [from, stand] = useState(`${props.situation}/${props.locale}`);
  const last = props.situation === "" || left?.from === from ? left : null;
  const [situation, choose] = useState(last?.situation ?? (props.situation || "no-results"));
  const [typed, type] = useState<Asking>(
    last?.asking ?? { ...noAsking, locale: props.locale || language },
  );
  const found = situations.value?.situations.find(({ key }) => key === situation);
  const asking = found === undefined ? typed : { ...typed, body: found.body };
  left = { from, situation, asking };
  const changeSituation = (key: string): void => {
    // Another question has another address, so that the back button returns to this one.
    history.replaceState(null, "", "#/try");
    stand("/");
    type((before) => ({ ...before, body: asking.body }));
    choose(key);
  };
  const change = (field: keyof Asking, value: string): void =>
    type((before) => ({ ...before, [field]: value }));
  const take = (taken: Asking): void => {
    changeSituation("");
    type(taken);
  };
  return { asking, situation, situations, changeSituation, change, take };
}

const noAsking = {
  body: "",
  locale: "",
  env: "",
  userType: "",
  question: "",
  option: "",
  variables: "",
};

interface SituationsProps {
  readonly of: ApiAnswer<SituationsAnswer>;
  /** Empty for an answer of the conversation, or one that the owner typed. */
  readonly chosen: string;
  /** The name of such an answer. */
  readonly typed: string;
  readonly choose: (key: string) => void;
}

/** The situations in which the engine gives a preset answer, one of them chosen. */
function Situations({ of, chosen, typed, choose }: SituationsProps): VNode {
  const { words } = useView();
  const all = of.value?.situations ?? [];
  return html`<label>
      <span>${words.situation}</span>
      <${Select}
        value=${chosen}
        options=${[...all.map(({ key }) => [key, describeUse(words, key) ?? key]), ["", typed]]}
        change=${choose}
      />
    </label>
    ${of.problem !== null && html`<${Pending} of=${of} />`}`;
}
