import type { VNode } from "preact";
import { html } from "htm/preact";
import { useRef, useState } from "preact/hooks";
import type { Explained, Situation } from "../../../api/console.ts";
import { fill } from "../../shared/words.ts";
import {
  type Choices,
  loadTalk,
  readVariables,
  type SentMessage,
  type BotConversation,
} from "../api.ts";
import { edits, valueOf, Pending, useAsked, useView } from "./context.ts";
import { Outcome } from "./outcome.ts";

/** Something that the reader said, and what the engine answered. */
interface Turn {
  readonly shown: string;
  readonly choices: Choices;
  /** What was asked for in their place, with the engine's answer. */
  readonly asking: Asking;
}

/** The conversation. It outlives the view: who changes a line comes back to it. */
let turns: readonly Turn[] = [];
let talking: Promise<BotConversation | null> | null = null;
/** What is typed for it and not sent yet. */
let unsent = "";

/** What was asked last, and at which address. It outlives the view too. */
let left: { readonly from: string; readonly situation: string; readonly asking: Asking } | null =
  null;

const isTurn = ({ body }: Asking): boolean => turns.some(({ asking }) => asking.body === body);

interface Asking {
  readonly body: string;
  readonly locale: string;
  readonly env: string;
  readonly userType: string;
  readonly question: string;
  readonly option: string;
  readonly variables: string;
}

const FIELDS = [
  ["locale", "readersLanguage"],
  ["question", "question"],
  ["option", "option"],
  ["env", "environment"],
  ["userType", "userType"],
] as const;

/** An answer of the engine, and what a reader would see in its place. */
export function TryView(props: { readonly situation: string; readonly locale: string }): VNode {
  const { words, language, bot, channel, session } = useView();
  const drafts = edits(session);
  const [drafted, changeDrafted] = useState(drafts);
  const known = useAsked<{ readonly situations: readonly Situation[] }>("situations");
  const { value } = known;
  const [from, stand] = useState(`${props.situation}/${props.locale}`);
  const last = props.situation === "" || left?.from === from ? left : null;
  const [situation, choose] = useState(last?.situation ?? (props.situation || "no-results"));
  const [typed, change] = useState<Asking>(
    last?.asking ?? {
      body: "",
      locale: props.locale || language,
      env: "",
      userType: "",
      question: "",
      option: "",
      variables: "",
    },
  );
  const found = value?.situations.find(({ key }) => key === situation);
  const asking = found === undefined ? typed : { ...typed, body: found.body };
  left = { from, situation, asking };
  // The situation's answer would come between what is selected and what is typed over it.
  const isComing = situation !== "" && value === null && known.problem === null;
  const changeSituation = (key: string): void => {
    // Another question has another address: back comes to this one.
    history.replaceState(null, "", "#/try");
    stand("/");
    change((before) => ({ ...before, body: asking.body }));
    choose(key);
  };
  const set = (field: keyof Asking) => (event: Event) =>
    change((before) => ({ ...before, [field]: valueOf(event) }));
  const question = {
    ...asking,
    instance: bot,
    channel,
    draft: drafted,
    variables: readVariables(asking.variables),
  };
  const asked = useAsked<Explained>(asking.body === "" ? null : "explain", question);
  return html`<div class="try">
    <section aria-label=${words.try}>
      <${TalkView}
        asking=${asking}
        take=${(taken: Asking) => {
          changeSituation("");
          change(taken);
        }}
      />
      <label>
        <span>${words.situation}</span>
        <select value=${situation} onChange=${(event: Event) => changeSituation(valueOf(event))}>
          ${value?.situations.map(({ key }) => html`<option value=${key}>${key}</option>`)}
          <option value="">${words.ownAnswer}</option>
        </select>
      </label>
      ${known.problem !== null && html`<${Pending} asked=${known} />`}
      <p class="quiet" lang="en" dir="ltr">${found?.use}</p>
      <label>
        <span>${words.answer}</span>
        <textarea
          rows="10"
          spellcheck="false"
          dir="ltr"
          readonly=${isComing}
          aria-busy=${isComing}
          value=${asking.body}
          onInput=${(event: Event) => {
            changeSituation("");
            set("body")(event);
          }}
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
          <textarea rows="2" value=${asking.variables} onInput=${set("variables")}></textarea>
        </label>
      </div>
      ${
        drafts &&
        html`<label class="switch">
          <input type="checkbox" checked=${drafted} onChange=${() => changeDrafted(!drafted)} />
          <span>${words.withDraft}</span>
        </label>`
      }
      ${!isTurn(asking) && html`<p class="quiet">${words.noSending}</p>`}
    </section>
    <section class="outcome" aria-live="polite" aria-label=${words.readerSees}>
      ${asking.body !== "" && html`<${Pending} asked=${asked} />`}
      ${asked.value !== null && asking.body !== "" && html`<${Outcome} of=${asked.value} />`}
    </section>
  </div>`;
}

interface TalkProps {
  /** What is asked for now. */
  readonly asking: Asking;
  readonly take: (asking: Asking) => void;
}

/** A conversation with the bot, as the reader that the fields describe. */
function TalkView({ asking, take }: TalkProps): VNode {
  const { words, language, bot, channel, session, token } = useView();
  const [talk, begin] = useState<BotConversation | null>(null);
  const [message, type] = useState(unsent);
  unsent = message;
  const [busy, wait] = useState(false);
  const [problem, explain] = useState("");
  const [hasKey, findKey] = useState(session.embedded);
  const [wasOpen] = useState(isTurn(asking));
  const texts = talk?.texts ?? {};
  // What is said while an answer is on its way waits for it.
  const order = useRef<Promise<void>>(Promise.resolve());
  const say = (one: BotConversation, said: SentMessage, shown: string): Promise<void> => {
    order.current = order.current.then(() => sayNow(one, said, shown));
    return order.current;
  };
  const sayNow = async (one: BotConversation, said: SentMessage, shown: string): Promise<void> => {
    wait(true);
    explain("");
    try {
      const { body, choices } = await one.say(said, {
        bot,
        language: asking.locale,
        channel,
        env: asking.env,
        userType: asking.userType,
        token: session.role === "admin" ? token : "",
        variables: readVariables(asking.variables),
      });
      const { message: question = "", option = "" } = said;
      // Engines number their options.
      const made = { shown, choices, asking: { ...asking, body, question, option: `${option}` } };
      turns = [...turns, made];
      take(made.asking);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      explain(fill(one.texts["notAnswered"] ?? words.failed, { reason }));
      type((typed) => typed || shown);
    }
    wait(false);
  };
  const open = async (): Promise<void> => {
    if (!session.embedded || talk !== null) return;
    try {
      talking ??= loadTalk(language);
      const found = await talking;
      begin(found);
      if (found === null) findKey(false);
      else if (turns.length === 0) await say(found, { message: "" }, "");
    } catch (error) {
      talking = null;
      explain(fill(words.failed, { reason: String(error) }));
    }
  };
  const anew = async (one: BotConversation): Promise<void> => {
    await order.current;
    turns = [];
    one.restart();
    await say(one, { message: "" }, "");
  };
  return html`<details
    class="talk"
    open=${wasOpen}
    onToggle=${({ currentTarget }: Event) => {
      if (currentTarget instanceof HTMLDetailsElement && currentTarget.open) void open();
    }}
  >
    <summary>${words.talk}</summary>
    ${!hasKey && html`<p class="quiet">${words.noKey}</p>`}
    ${
      talk !== null &&
      html`<form
        aria-busy=${busy}
        onSubmit=${(event: Event) => {
          event.preventDefault();
          if (message.trim() === "") return;
          type("");
          void say(talk, { message }, message);
        }}
      >
        ${turns
          .filter(({ shown }) => shown !== "")
          .map(
            (one) =>
              html`<button
                type="button"
                dir="auto"
                aria-pressed=${one.asking === asking}
                onClick=${() => take(one.asking)}
              >
                ${one.shown}
              </button>`,
          )}
        <label>
          <span>${texts["message"]}</span>
          <input
            autocomplete="off"
            dir="auto"
            value=${message}
            onInput=${(event: Event) => type(valueOf(event))}
          />
        </label>
        <p>
          <button>${texts["send"]}</button>
          <button type="button" onClick=${() => void anew(talk)}>
            ${texts["newConversation"]}
          </button>
        </p>
        ${turns
          .at(-1)
          ?.choices.map(
            ({ label, body }) =>
              html`<button type="button" dir="auto" onClick=${() => void say(talk, body, label)}>
                ${label}
              </button>`,
          )}
      </form>`
    }
    ${problem !== "" && html`<p class="problem" role="alert">${problem}</p>`}
  </details>`;
}
