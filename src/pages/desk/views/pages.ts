import type { VNode } from "preact";
import { html } from "htm/preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { explain } from "../context.ts";
import { useView } from "./context.ts";
import { useAnswer } from "./answer.ts";

/** A page of a list. Rows with the same id are the same row. */
interface Page {
  readonly rows: readonly { readonly id: string | number }[];
  /** The position at which the next page begins; null on the last one. */
  readonly next: string | null;
}

/**
 * Reads a list page by page. A new `round` reads the first page again, because new rows come first,
 * and keeps the later pages. A new `key` begins another list.
 */
export function usePages<Listed extends Page>(
  read: (after: string) => Promise<Listed>,
  key: string,
  round: unknown,
) {
  const { words } = useView();
  const { answer, notice } = useAnswer(
    () => read("").then((page) => ({ page, key })),
    JSON.stringify([key, round]),
  );
  type Rows = readonly Listed["rows"][number][];
  const [later, setLater] = useState<(Page & { key: string; rows: Rows }) | null>(null);
  const [problem, setProblem] = useState("");
  useEffect(() => setProblem(""), [key]);
  // A page that arrives or fails after the key has changed is ignored.
  const present = useRef(key);
  present.current = key;
  const first = answer?.page ?? null;
  const rest = later?.key === answer?.key ? later : null;
  const known = new Set(first?.rows.map(({ id }) => id));
  const rows: Rows = [
    ...(first?.rows ?? []),
    ...(rest?.rows.filter(({ id }) => !known.has(id)) ?? []),
  ];
  const next = rest === null ? (first?.next ?? null) : rest.next;
  const readMore = async (): Promise<void> => {
    try {
      const page = await read(next ?? "");
      if (present.current !== key) return;
      setLater({ key: answer?.key ?? "", rows: [...rows, ...page.rows], next: page.next });
      setProblem("");
    } catch (error) {
      if (present.current === key) setProblem(explain(error, words));
    }
  };
  const end: VNode = html`${problem !== "" && html`<p class="problem" role="alert">${problem}</p>`}
  ${
    next !== null &&
    html`<button type="button" onClick=${() => void readMore()}>${words.more}</button>`
  }`;
  return { first, rows, notice, end };
}
