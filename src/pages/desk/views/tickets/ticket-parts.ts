import { html } from "htm/preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { ChatAgent } from "../../../../api/chat/answers.ts";
import type { ChatTicket, ChatTicketLine } from "../../../../api/chat/answers-tickets.ts";
import { FailedCall } from "../../../shared/failed-call.ts";
import { explain } from "../../context.ts";
import { nameLanguage, type Language } from "../../../shared/words.ts";
import type { Words } from "../../words.ts";
import { useView } from "../context.ts";

/** The parts that the tickets' page shares. */

/** A ticket that is shown, and what replaces it after something was done to it. */
export interface ShownTicket {
  readonly ticket: ChatTicket;
  readonly show: (ticket: ChatTicket) => void;
  /** Reads it again; returns null if that fails. */
  readonly reread: () => Promise<ChatTicket | null>;
}

/** The name of the person's language in the agent's language; empty if unknown. */
export function languageOfTicket(
  { language: spoken }: Pick<ChatTicketLine, "language">,
  language: Language,
): string {
  return spoken === "" ? "" : nameLanguage(spoken, language);
}

/** The agents who may answer tickets: names by id, this agent first. */
export function useAnswering(): ReadonlyMap<string, string> {
  const { desk, acts } = useView();
  const { me } = desk;
  const [others, setOthers] = useState<readonly ChatAgent[]>([]);
  useEffect(() => {
    // Without the colleagues the agent can still take the ticket.
    void acts.colleagues().then(setOthers, () => undefined);
  }, []);
  const able = (me === null ? others : [me, ...others]).filter(({ rights }) => rights.TICKET_EDIT);
  return new Map(able.map(({ id, name, nickname }) => [id, nickname ?? name]));
}

/** A count of tickets, as far as the service counts. */
export function countText(count: number): string {
  return count >= maxCounted ? `${maxCounted - 1}+` : String(count);
}

const maxCounted = 1_000;

/** Holds the answer of a call, or its failure; calls again with each key, and after a new login. */
export function useAnswer<T>(read: () => Promise<T>, key: string) {
  const { desk, words } = useView();
  const [answer, setAnswer] = useState<T | null>(null);
  const [problem, setProblem] = useState("");
  const [round, setRound] = useState(0);
  // An answer that was requested before another one was shown is older than that one.
  const shown = useRef(0);
  const show = (next: T): void => {
    shown.current += 1;
    setAnswer(next);
    setProblem("");
  };
  useEffect(() => {
    if (desk.phase !== "in") return undefined;
    let isCurrent = true;
    const ask = async (): Promise<void> => {
      const before = shown.current;
      try {
        const next = await read();
        if (isCurrent && before === shown.current) show(next);
      } catch (error) {
        if (isCurrent) setProblem(explain(error, words));
      }
    };
    // A search that is still being typed is not sent.
    const timer = setTimeout(() => void ask(), 200);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [key, round, desk.phase]);
  const notice =
    problem === ""
      ? answer === null && html`<p class="quiet" role="status">${words.loading}</p>`
      : html`<p class="problem" role="alert">
          ${problem}${" "}
          <button type="button" onClick=${() => setRound(round + 1)}>${words.tryNow}</button>
        </p>`;
  return { answer, notice, show };
}

/** Explains a failed change of a ticket where it was made. */
export function explainChange(error: unknown, words: Words): string {
  if (!(error instanceof FailedCall) || error.reason !== null) return explain(error, words);
  return error.status === 409 ? words.ticketChanged : explain(error, words);
}
