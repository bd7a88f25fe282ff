import type { VNode } from "preact";
import { html } from "htm/preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { ChatTicket } from "../../../api/chat/answers-tickets.ts";
import { fill, type Language } from "../../shared/words.ts";
import { useNow } from "./clock.ts";
import { useView } from "./context.ts";

/** Milliseconds after which an agent tells again that they look at a ticket, and that they write. */
const lookEvery = 10_000;
const writeEvery = 5_000;

/**
 * Tells the others that this agent looks at the ticket, and gives who else does.
 *
 * @returns the others, and what to call when an answer is being typed, and when it was sent
 */
export function usePresence({ id, present }: ChatTicket) {
  const { acts } = useView();
  const [others, setOthers] = useState(present);
  const now = useNow(lookEvery);
  const wrote = useRef(0);
  // A sign that gets lost is made good by the next one, or when the ticket is read again.
  const tell = (type: "looking" | "writing"): void =>
    void acts.tickets.tell(id, type).then(setOthers, () => undefined);
  useEffect(() => setOthers(present), [present]);
  useEffect(() => {
    if (Date.now() - wrote.current > writeEvery) tell("looking");
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
      if (text.trim() === "" || Date.now() - wrote.current < writeEvery) return;
      wrote.current = Date.now();
      tell("writing");
    },
    sent: (): void => {
      // The service knows that an answer ends the writing of it.
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
