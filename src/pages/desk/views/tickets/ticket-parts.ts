import { useEffect, useState } from "preact/hooks";
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

/** Explains a failed change of a ticket where it was made. */
export function explainChange(error: unknown, words: Words): string {
  if (!(error instanceof FailedCall) || error.reason !== null) return explain(error, words);
  return error.status === 409 ? words.ticketChanged : explain(error, words);
}
