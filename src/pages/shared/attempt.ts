import { useState } from "preact/hooks";

/** Something that a page does for a person, and that may fail. */
export interface Attempt {
  readonly busy: boolean;
  /** Why the last one failed, for people; empty where it did not. */
  readonly problem: string;
  /** Does it. Gives false where it failed. */
  readonly attempt: (work: () => Promise<unknown>) => Promise<boolean>;
}

/** A failure whose message is for people. */
export class ExplainedError extends Error {
  override readonly name = "ExplainedError";
}

/** @param explain says what went wrong; an empty text where the page shows it elsewhere */
export function useAttempt(explain: (error: unknown) => string): Attempt {
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
