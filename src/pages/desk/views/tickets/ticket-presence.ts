import type { VNode } from "preact";
import { html } from "htm/preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { ChatTicket } from "../../../../api/chat/answers-tickets.ts";
import { fill, type Language } from "../../../shared/words.ts";
import { useNow } from "../clock.ts";
import { useView } from "../context.ts";

/** Milliseconds between two notices that an agent looks at a ticket, or writes an answer. */
const LOOKING_INTERVAL = 10_000;
const WRITING_INTERVAL = 5_000;

/**
 * Shows the other agents that this one looks at the ticket.
 *
 * @returns the others who do, and functions to call when an answer is typed and when it was sent
 */
export function usePresence({ id, present }: ChatTicket) {
  const { acts } = useView();
  const [others, setOthers] = useState(present);
  const now = useNow(LOOKING_INTERVAL);
  const wrote = useRef(0);
  // A lost notice does no harm, since the next one follows soon.
  const tell = (type: "looking" | "writing"): void =>
    void acts.tickets.tell(id, type).then(setOthers, () => undefined);
  useEffect(() => setOthers(present), [present]);
  useEffect(() => {
    if (Date.now() - wrote.current > WRITING_INTERVAL) tell("looking");
  }, [id, now]);
  useEffect(
    () => () =>
      void acts.tickets.tell(id, "left").then(
        () => undefined,
        () => undefined,
      ),
    [id],
  );
  return {
    others,
    typed: (text: string): void => {
      if (text.trim() === "" || Date.now() - wrote.current < WRITING_INTERVAL) return;
      wrote.current = Date.now();
      tell("writing");
    },
    sent: (): void => {
      // The service takes an answer as the end of its writing.
      wrote.current = 0;
    },
  };
}

interface OthersProps {
  readonly others: ChatTicket["present"];
}

/** Says who else is writing an answer or looking at the ticket. */
export function Others({ others }: OthersProps): VNode {
  const { words, language } = useView();
  const isWriting = others.flatMap(({ name, writing }) =>
    writing ? fill(words.isWriting, { name }) : [],
  );
  const looking = others.flatMap(({ name, writing }) => (writing ? [] : name));
  const looks = fill(words.looksAtTicket, { name: listNames(looking, language) });
  const lines = looking.length === 0 ? isWriting : [...isWriting, looks];
  return html`<p class="others notice" role="status" dir="auto">${lines.join(" ")}</p>`;
}

export function listNames(names: readonly string[], language: Language): string {
  return new Intl.ListFormat(language, { type: "conjunction" }).format(names);
}
