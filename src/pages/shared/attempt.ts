import { useState } from "preact/hooks";

/** A failure whose message is for people. */
export class ExplainedError extends Error {
  override readonly name = "ExplainedError";
}

/**
 * Does something for a person that may fail: `attempt` resolves with false if it failed, and
 * `problem` says why the last one did.
 *
 * @param explain says what went wrong; an empty text where the page shows it elsewhere
 */
export function useAttempt(explain: (error: unknown) => string) {
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState("");
  const attempt = async (work: () => Promise<unknown>): Promise<boolean> => {
    setBusy(true);
    setProblem("");
    try {
      await work();
      return true;
    } catch (error) {
      setProblem(error instanceof ExplainedError ? error.message : explain(error));
      return false;
    } finally {
      setBusy(false);
    }
  };
  return { busy, problem, attempt };
}
