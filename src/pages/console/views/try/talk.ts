import type { VNode } from "preact";
import { html } from "htm/preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type { ContentList } from "../../../../api/console-contents.ts";
import { valueOf } from "../../../shared/fields.ts";
import { fill } from "../../../shared/words.ts";
import {
  type BotConversation,
  type Choices,
  loadTalk,
  readVariables,
  type SentMessage,
} from "../../api.ts";
import { useAnswer, useView } from "../context.ts";

/** An answer of the engine, and the reader who gets it. */
export interface Asking {
  readonly body: string;
  readonly locale: string;
  readonly env: string;
  readonly userType: string;
  readonly question: string;
  readonly option: string;
  readonly variables: string;
}

/** A message of the reader, and the engine's answer. */
interface Turn {
  readonly shown: string;
  readonly choices: Choices;
  /** The fields as the answer arrived, with the answer. */
  readonly asking: Asking;
}

/** The conversation. It outlives the view, so that editors who change a line find it again. */
let turns: readonly Turn[] = [];
let talking: Promise<BotConversation | null> | null = null;
/** The typed message that is not sent yet. */
let unsent = "";
/**
 * The view that is open. Its fields may change, or another view may be opened, before an answer
 * arrives.
 */
let openView: Pick<TalkProps, "asking" | "take"> | null = null;

/** True for an answer of the conversation. */
export function isTurn({ body }: Asking): boolean {
  return turns.some(({ asking }) => asking.body === body);
}

interface TalkProps {
  /** The fields as they are now. */
  readonly asking: Asking;
  readonly take: (asking: Asking) => void;
  /** True if its field is shown at once. The conversation begins with the first message. */
  readonly isOpen: boolean;
}

/** A conversation with the bot, as the reader that the fields describe. */
export function TalkView({ asking, take, isOpen }: TalkProps): VNode {
  const { words } = useView();
  const [wasOpen] = useState(isOpen || isTurn(asking));
  const { talk, hasKey, busy, problem, message, type, say, open, restart } = useTalk(asking, take);
  const texts = talk?.texts ?? {};
  return html`<details
    class=${hasKey && talk === null ? "talk coming" : "talk"}
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
          void say({ message }, message);
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
          <button type="button" onClick=${() => void restart()}>${texts["newConversation"]}</button>
        </p>
        <${Sample}
          locale=${asking.locale}
          isShown=${turns.every(({ shown }) => shown === "")}
          send=${(question: string) => void say({ message: question }, question)}
        />
        ${turns
          .at(-1)
          ?.choices.map(
            ({ label, body }) =>
              html`<button type="button" dir="auto" onClick=${() => void say(body, label)}>
                ${label}
              </button>`,
          )}
      </form>`
    }
    ${problem !== "" && html`<p class="problem" role="alert">${problem}</p>`}
  </details>`;
}

interface SampleProps {
  readonly locale: string;
  readonly isShown: boolean;
  readonly send: (question: string) => void;
}

/** Offers the title of a published content as a first question; nothing if there is none. */
function Sample({ locale, isShown, send }: SampleProps): VNode | null {
  const { words, session } = useView();
  const answer = useAnswer<ContentList>(
    isShown && session.contents ? `contents?language=${locale}` : null,
  );
  const sample = answer.value?.contents.find(
    ({ draft, published, hidden, publishFrom, expires }) =>
      draft === null && published && !hidden && publishFrom === null && expires === null,
  );
  if (!isShown || sample === undefined) return null;
  const { title, language } = sample;
  return html`<p>
    ${words.sampleQuestion}${" "}
    <button type="button" lang=${language} dir="auto" onClick=${() => send(title)}>${title}</button>
  </p>`;
}

/** The conversation and its actions. */
function useTalk(asking: Asking, take: TalkProps["take"]) {
  const { words, language, bot, channel, session, token } = useView();
  const [talk, begin] = useState<BotConversation | null>(null);
  const [message, type] = useState(unsent);
  unsent = message;
  useLayoutEffect(() => {
    openView = { asking, take };
    return () => {
      openView = null;
    };
  });
  const [busy, wait] = useState(false);
  const [problem, explain] = useState("");
  const [hasKey, findKey] = useState(session.embedded);
  // A message waits for the answer to the one before it.
  const order = useRef<Promise<void>>(Promise.resolve());
  const sayNow = async (one: BotConversation, sent: SentMessage, shown: string): Promise<void> => {
    wait(true);
    explain("");
    try {
      const { body, choices } = await one.say(sent, {
        bot,
        language: asking.locale,
        channel,
        env: asking.env,
        userType: asking.userType,
        token: session.role === "admin" ? token : "",
        variables: readVariables(asking.variables),
      });
      const { message: question = "", option = "" } = sent;
      // Engines number their options.
      const answered = { ...(openView?.asking ?? asking), body, question, option: `${option}` };
      turns = [...turns, { shown, choices, asking: answered }];
      openView?.take(answered);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      explain(fill(one.texts["notAnswered"] ?? words.failed, { reason }));
      type((typed) => typed || shown);
    }
    wait(false);
  };
  const say = (sent: SentMessage, shown: string, one = talk): Promise<void> => {
    if (one !== null) order.current = order.current.then(() => sayNow(one, sent, shown));
    return order.current;
  };
  const open = async (): Promise<void> => {
    if (!session.embedded || talk !== null) return;
    try {
      talking ??= loadTalk(language);
      const found = await talking;
      begin(found);
      if (found === null) findKey(false);
    } catch (error) {
      talking = null;
      explain(fill(words.failed, { reason: String(error) }));
    }
  };
  const restart = async (): Promise<void> => {
    await order.current;
    turns = [];
    talk?.restart();
    await say({ message: "" }, "");
  };
  return { talk, hasKey, busy, problem, message, type, say, open, restart };
}
