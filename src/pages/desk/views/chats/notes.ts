import type { VNode } from "preact";
import { html } from "htm/preact";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import type { DeskChat } from "../../state/state.ts";
import { LONGEST_TEXT } from "../../outbox.ts";
import { nameOf, formatTime, useView } from "../context.ts";

/** Shows the notes that agents keep about a chat, which its user does not see, and a field for more. */
export function Notes({ one }: { readonly one: DeskChat }): VNode {
  const view = useView();
  const { desk, acts, words, language } = view;
  const { id } = one.chat;
  const draft = `note ${id}`;
  const text = desk.drafts.get(draft) ?? "";
  const field = useRef<HTMLTextAreaElement>(null);
  // A controlled field would undo letters that are typed before it renders, as in the composer.
  useLayoutEffect(() => {
    if (field.current !== null && field.current.value !== text) field.current.value = text;
  }, [text]);
  useEffect(() => acts.readNotes(id), [one.chat.agent, desk.link]);
  const isAdding = useRef(false);
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    // The draft may lack the last letters, so the text is read from the field.
    const written = field.current?.value ?? "";
    if (isAdding.current || written.trim() === "") return;
    isAdding.current = true;
    // The button will be disabled, and would lose the focus.
    field.current?.focus();
    await acts.addNote(id, written);
    isAdding.current = false;
  };
  const handleInput = ({ target }: Event): void => {
    if (target instanceof HTMLTextAreaElement) acts.draft(draft, target.value);
  };
  return html`<section class="notes" aria-labelledby="notes-title">
    <h2 id="notes-title">${words.notes}</h2>
    <p class="quiet">${words.notesAbout}</p>
    <ol>
      ${one.notes.map(
        (note) =>
          html`<li key=${note.id}>
            <p class="who">
              <span dir="auto">${nameOf(view, note.author)}</span>
              ${" "}<time>${formatTime(note.created, language)}</time>
            </p>
            <p class="text" dir="auto">${note.text}</p>
          </li>`,
      )}
    </ol>
    <form onSubmit=${(event: Event) => void submit(event)}>
      <label for="note">${words.yourNote}</label>
      <textarea
        id="note"
        ref=${field}
        rows="2"
        dir="auto"
        maxlength=${LONGEST_TEXT}
        onInput=${handleInput}
      ></textarea>
      <div class="buttons"><button disabled=${text.trim() === ""}>${words.addNote}</button></div>
    </form>
  </section>`;
}
