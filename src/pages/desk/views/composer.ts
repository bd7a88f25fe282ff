import type { VNode } from "preact";
import { html } from "htm/preact";
import { useEffect, useRef } from "preact/hooks";
import { LONGEST_TEXT } from "../outbox.ts";
import type { DeskChat } from "../state.ts";
import { useView } from "./context.ts";
import { fill } from "../../shared/words.ts";

/** Where the agent writes, and drops files. A draft belongs to its chat. */
export function Composer({ one }: { readonly one: DeskChat }): VNode {
  const { desk, acts, words } = useView();
  const { id } = one.chat;
  const draft = desk.drafts.get(id) ?? "";
  const field = useRef<HTMLTextAreaElement>(null);
  const picker = useRef<HTMLInputElement>(null);
  const tooLong = draft.length > LONGEST_TEXT;
  useEffect(() => {
    field.current?.focus();
  }, []);
  const send = (): void => {
    // What stands in the field: Enter may come before the last letter was drawn.
    acts.outbox.text(id, field.current?.value ?? "");
    field.current?.focus();
  };
  const files = (list: FileList | null | undefined): void => {
    for (const file of list ?? []) acts.outbox.file(id, file);
  };
  const typed = ({ target }: Event): void => {
    if (target instanceof HTMLTextAreaElement) acts.outbox.typed(id, target.value);
  };
  const key = (event: KeyboardEvent): void => {
    // Enter also ends what an input method is composing.
    if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    send();
  };
  const submit = (event: Event): void => {
    event.preventDefault();
    send();
  };
  const pasted = (event: ClipboardEvent): void => {
    if ((event.clipboardData?.files.length ?? 0) === 0) return;
    event.preventDefault();
    files(event.clipboardData?.files);
  };
  const dropped = (event: DragEvent): void => {
    if ((event.dataTransfer?.files.length ?? 0) === 0) return;
    event.preventDefault();
    files(event.dataTransfer?.files);
  };
  const picked = (): void => {
    files(picker.current?.files);
    if (picker.current !== null) picker.current.value = "";
    field.current?.focus();
  };
  return html`<form
    class="composer"
    onSubmit=${submit}
    onDragOver=${(event: DragEvent) => event.preventDefault()}
    onDrop=${dropped}
  >
    <label class="unseen" for="message">${words.yourMessage}</label>
    <textarea
      id="message"
      ref=${field}
      rows="2"
      dir="auto"
      placeholder=${words.yourMessage}
      aria-describedby="message-help"
      aria-invalid=${tooLong}
      value=${draft}
      onInput=${typed}
      onKeyDown=${key}
      onPaste=${pasted}
    ></textarea>
    <p
      id="message-help"
      class=${tooLong ? "problem" : "unseen"}
      role=${tooLong ? "alert" : undefined}
    >
      ${tooLong ? fill(words.tooLong, { count: draft.length, most: LONGEST_TEXT }) : words.sendHelp}
    </p>
    <div class="buttons">
      <input
        ref=${picker}
        id="file"
        class="unseen"
        type="file"
        multiple
        accept=${acceptOf(desk.fileTypes)}
        tabindex="-1"
        aria-hidden="true"
        onChange=${picked}
      />
      <button type="button" onClick=${() => picker.current?.click()}>${words.attach}</button>
      <button class="primary" disabled=${draft.trim() === "" || tooLong}>${words.send}</button>
    </div>
  </form>`;
}

/** For the browser's own choice of files: types as they are, extensions with their dot. */
function acceptOf(types: readonly string[] | null): string | undefined {
  return types?.map((one) => (one.includes("/") ? one : `.${one.replace(/^\./, "")}`)).join(",");
}
