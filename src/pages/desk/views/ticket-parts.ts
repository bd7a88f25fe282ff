import { html } from "htm/preact";
import { useEffect, useState } from "preact/hooks";
import type { ChatTicketLine } from "../../../api/chat/answers-tickets.ts";
import { explain } from "../context.ts";
import { languageName, type Language } from "../../shared/words.ts";
import { useView } from "./context.ts";

/** What the parts of the tickets' page share. */

/** Words of a ticket's states. */
export const STATES = {
  1: "ticketNew",
  2: "ticketOpen",
  3: "ticketPending",
  4: "ticketSolved",
  5: "ticketClosed",
} as const;

/** The language of who asked, as the agent calls it; empty where it is not known. */
export function languageOfTicket(
  { language: spoken }: Pick<ChatTicketLine, "language">,
  language: Language,
): string {
  return spoken === "" ? "" : languageName(spoken, language);
}

/** What a call answers, or why not; asked again with each key, and after a new login. */
export function useAnswer<T>(read: () => Promise<T>, key: string) {
  const { desk, words } = useView();
  const [answer, setAnswer] = useState<T | null>(null);
  const [problem, setProblem] = useState("");
  const [round, setRound] = useState(0);
  useEffect(() => {
    if (desk.phase !== "in") return undefined;
    let wanted = true;
    const ask = async (): Promise<void> => {
      try {
        const next = await read();
        if (!wanted) return;
        setAnswer(next);
        setProblem("");
      } catch (error) {
        if (wanted) setProblem(explain(error, words));
      }
    };
    // A search that is still being typed is not sent.
    const timer = setTimeout(() => void ask(), 200);
    return () => {
      wanted = false;
      clearTimeout(timer);
    };
  }, [key, round, desk.phase]);
  const said =
    problem === ""
      ? answer === null && html`<p class="quiet" role="status">${words.loading}</p>`
      : html`<p class="problem" role="alert">
          ${problem}${" "}
          <button type="button" onClick=${() => setRound(round + 1)}>${words.tryNow}</button>
        </p>`;
  return { answer, said };
}
