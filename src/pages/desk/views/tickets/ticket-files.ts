import type { VNode } from "preact";
import { html } from "htm/preact";
import { useState } from "preact/hooks";
import type { ChatTicketFile } from "../../../../api/chat/answers-tickets.ts";
import { explain } from "../../context.ts";
import { readChosenFiles } from "../../ticket-acts.ts";
import { fill } from "../../../shared/words.ts";
import { useView } from "../context.ts";

/** Files that were uploaded for the next answer of a ticket, or for a new one. */
export function useFiles(id: number) {
  const { desk, acts, words } = useView();
  const chosen = readChosenFiles(desk, id);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState("");
  const add = async (list: readonly File[]): Promise<void> => {
    setBusy(true);
    setProblem("");
    for (const file of list) {
      try {
        const kept = await acts.tickets.upload(file);
        acts.tickets.keepFiles(id, (files) => [...files, kept]);
      } catch (error) {
        setProblem(`${fill(words.labelled, { label: file.name })} ${explain(error, words)}`);
      }
    }
    setBusy(false);
  };
  const discard = (file: ChatTicketFile): void =>
    acts.tickets.keepFiles(id, (files) => files.filter((one) => one.id !== file.id));
  return { chosen, busy, problem, add, discard };
}

interface ChosenFilesProps {
  readonly files: ReturnType<typeof useFiles>;
}

/** Lists the files, each with a button that removes it. */
export function ChosenFiles({ files }: ChosenFilesProps): VNode | null {
  const { words } = useView();
  if (files.chosen.length === 0 && !files.busy) return null;
  return html`<ul class="chosen">
    ${files.chosen.map(
      (file) =>
        html`<li key=${file.id}>
          <bdi>${file.name}</bdi>
          <button
            type="button"
            aria-label=${`${words.discard}: ${file.name}`}
            onClick=${() => files.discard(file)}
          >
            ${words.discard}
          </button>
        </li>`,
    )}
    ${files.busy && html`<li role="status">${words.sending}</li>`}
  </ul>`;
}
