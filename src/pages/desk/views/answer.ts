import { html } from "htm/preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { explain } from "../context.ts";
import { useView } from "./context.ts";

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
