import { html } from "htm/preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { explain } from "../context.ts";
import { useView } from "./context.ts";

/** Holds the answer of a call, or its failure; calls again with each key, and after a new login. */
export function useAnswer<T>(read: () => Promise<T>, key: string) {
  const { desk, words } = useView();
  const [answer, setAnswer] = useState<T | null>(null);
  const [problem, setProblem] = useState("");
  const [attempt, setAttempt] = useState(0);
  // Counts shown answers: an answer is stale if another was shown after its request was sent.
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
        if (isCurrent && before === shown.current) setProblem(explain(error, words));
      }
    };
    // The delay keeps a search from being sent while it is still being typed.
    const timer = setTimeout(() => void ask(), 200);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [key, attempt, desk.phase]);
  const notice =
    problem === ""
      ? answer === null && html`<p class="quiet" role="status">${words.loading}</p>`
      : html`<p class="problem" role="alert">
          ${problem}${" "}
          <button type="button" onClick=${() => setAttempt(attempt + 1)}>${words.tryNow}</button>
        </p>`;
  return { answer, notice, show };
}
