import type { Scene, Utterance } from "../../locales/types.ts";

/**
 * Lines, and how readers say what we listen for, in languages that a runtime does not have from the
 * start: it fetches them when a conversation first needs them.
 */
export interface LateLines {
  /**
   * Resolves when this language is there, or cannot be had for now; never rejects. Null: there is
   * nothing to wait for.
   *
   * @param urgent a reader's words would be misunderstood without it: what failed a moment ago is
   *   tried again
   */
  ready(locale: string, urgent?: boolean): Promise<unknown> | null;
  /** Whether what readers of this language type can be understood now. */
  understands(locale: string): boolean;
  /**
   * An instance's line in the scene's language. Null: the language is not there, or has no such
   * line.
   */
  say(instance: string, key: string, scene: Scene, count: number | null): Utterance | null;
}
