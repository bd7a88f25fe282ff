import type { VNode } from "preact";
import { html } from "htm/preact";
import { useEffect, useState } from "preact/hooks";
import type { Chat, ChatUser } from "../../../../api/chat/answers.ts";
import { explain } from "../../context.ts";
import { addressOf } from "../../saved.ts";
import type { DeskChat } from "../../state/state.ts";
import type { Words } from "../../words.ts";
import { nameReason, nameRoom, formatTime, useView } from "../context.ts";
import { useAttempt } from "../../../shared/attempt.ts";
import { nameLanguage } from "../../../shared/words.ts";
import {
  changeOf,
  editsIn,
  type ExtraField,
  isKeyed,
  listExtraFields,
  readForm,
} from "./user-form.ts";

interface UserPanelProps {
  readonly one: DeskChat;
  /** True if this agent may change it, now. */
  readonly editable: boolean;
}

/** Shows the person of the chat. */
export function UserPanel({ one, editable }: UserPanelProps): VNode {
  const { desk, words, language } = useView();
  const { chat } = one;
  const user = desk.people.get(chat.creator);
  return html`<h2 id="details-title">${words.details}</h2>
    ${user === undefined && html`<p class="quiet">${words.loading}</p>`}
    ${
      user !== undefined &&
      (editable
        ? html`<${UserFields} key=${user.id} ...${{ user, chat }} />`
        : html`<${UserFacts} ...${{ user, chat }} />`)
    }
    <dl>
      <dt>${words.opened}</dt>
      <dd>${formatTime(chat.created, language)}</dd>
      ${
        chat.lang !== "" &&
        html`<dt>${words.chatLanguage}</dt>
          <dd>${nameLanguage(chat.lang, language)}</dd>`
      }
    </dl>
    ${
      one.mine &&
      !chat.closed &&
      desk.me?.rights.CHAT_EDIT_USER_INFO === false &&
      html`<p class="quiet">${words.mayNotEdit}</p>`
    }
    <p><a href=${`#people/${chat.creator}`}>${words.personHistory}</a></p>
    <${OtherChats} one=${one} />`;
}

/** Lists the other chats of the same user, as far as this agent may see them. */
function OtherChats({ one }: { readonly one: DeskChat }): VNode | null {
  const view = useView();
  const { acts, words, language } = view;
  const { id, creator } = one.chat;
  const [chats, setChats] = useState<readonly Chat[]>([]);
  useEffect(() => {
    // The desk works without them as well.
    const read = acts.chatsOf(creator).catch(() => []);
    void read.then((all) => setChats(all.filter((other) => other.id !== id).slice(0, 20)));
  }, [id, creator]);
  if (chats.length === 0) return null;
  return html`<section class="other-chats" aria-labelledby="other-chats">
    <h2 id="other-chats">${words.otherChats}</h2>
    <ul>
      ${chats.map(
        ({ id: other, created, room, closeReason = "" }) =>
          html`<li key=${other}>
            <a href=${addressOf(other)}>${formatTime(created, language)}</a>${" "}
            <span class="quiet" dir="auto">
              ${[nameRoom(view, room), nameReason(closeReason, words)].filter(Boolean).join(" · ")}
            </span>
          </li>`,
      )}
    </ul>
  </section>`;
}

interface UserProps {
  readonly user: ChatUser;
  readonly chat: Chat;
}

/** A user's further data without what the page shows already. */
function listShownFields(user: ChatUser, chat: Chat): readonly ExtraField[] {
  return listExtraFields(user).filter(
    ({ name, text }) =>
      !(name === "conversation" && user.externalId.endsWith(text)) &&
      !(name === "language" && text === chat.lang),
  );
}

/** Translates names that a gateway gives; other names stay as they are. */
function labelOf(name: string, words: Words): string {
  if (name === "conversation") return words.fieldConversation;
  return name === "language" ? words.chatLanguage : name;
}

function UserFacts({ user, chat }: UserProps): VNode {
  const { words } = useView();
  const facts = [
    [words.name, user.name],
    [words.contact, user.contact],
    [words.externalId, user.externalId],
    ...listShownFields(user, chat).map(({ name, text }) => [labelOf(name, words), text]),
  ];
  return html`<dl>
    ${facts
      .filter(([, text]) => text !== "")
      .map(
        ([name, text]) =>
          html`<dt dir="auto">${name}</dt>
            <dd dir="auto">${text}</dd>`,
      )}
  </dl>`;
}

function UserFields({ user, chat }: UserProps): VNode {
  const { desk, acts, words } = useView();
  const { busy, problem, attempt } = useAttempt((error) => explain(error, words));
  const [isSaved, setSaved] = useState(false);
  // Grows with each save: the new field is empty, and text typed elsewhere is the server's.
  const [round, setRound] = useState(0);
  const save = async (form: HTMLFormElement): Promise<void> => {
    const change = changeOf(user, readForm(new FormData(form)));
    if (change !== null) {
      await acts.changeUser(user.id, change);
      acts.draft(draftName, "");
      setRound(round + 1);
    }
    setSaved(true);
  };
  const submit = (event: Event): void => {
    event.preventDefault();
    const { target } = event;
    if (target instanceof HTMLFormElement) void attempt(() => save(target));
  };
  const draftName = `user ${user.id}`;
  const edits = editsIn(desk.drafts.get(draftName));
  // Another chat may be opened before they are saved: they are kept as drafts are.
  const handleInput = ({ currentTarget }: Event): void => {
    setSaved(false);
    if (!(currentTarget instanceof HTMLFormElement)) return;
    const inputs = [...currentTarget.querySelectorAll("input")];
    const changed = inputs.filter(({ value, dataset }) => value !== (dataset["stored"] ?? ""));
    const text = JSON.stringify(
      Object.fromEntries(changed.map(({ name, value }) => [name, value])),
    );
    acts.draft(draftName, changed.length === 0 ? "" : text);
  };
  const createField = (
    name: string,
    label: string,
    stored: string,
    more: object = {},
    key = name,
  ) => fieldOf(name, label, { stored, value: edits.get(name) ?? stored }, more, key);
  const fields = listShownFields(user, chat);
  const keyed = isKeyed(user);
  return html`<form key=${round} class="user" onSubmit=${submit} onInput=${handleInput}>
    ${createField("name", words.name, user.name, { required: true, maxlength: 500 })}
    ${createField("contact", words.contact, user.contact, { inputmode: "email", maxlength: 254 })}
    ${createField("externalId", words.externalId, user.externalId, { maxlength: 255, readonly: keyed })}
    ${fields.map(({ name, text, plain }, index) =>
      plain
        ? createField(
            `extra:${name}`,
            labelOf(name, words),
            text,
            { readonly: keyed && name === "conversation" },
            `extra-${index}`,
          )
        : html`<div>
            <span class="label" dir="auto">${labelOf(name, words)}</span>
            <pre dir="auto">${text}</pre>
          </div>`,
    )}
    <div class="pair">
      ${createField("newName", words.fieldName, "", { maxlength: 100 })}
      ${createField("newValue", words.fieldValue, "")}
    </div>
    <p class="problem" role="alert">${problem}</p>
    <div class="buttons">
      <button class=${edits.size > 0 ? "primary" : ""} disabled=${busy}>${words.save}</button>
      <span role="status">${isSaved && words.saved}</span>
    </div>
  </form>`;
}

function fieldOf(
  name: string,
  label: string,
  { stored, value }: { readonly stored: string; readonly value: string },
  more: object,
  key: string,
): VNode {
  const id = `user-${key}`;
  // The placeholder lets the style see that a field is empty.
  return html`<div>
    <label for=${id} dir="auto">${label}</label>
    <input
      id=${id}
      name=${name}
      autocomplete="off"
      dir="auto"
      placeholder=" "
      data-stored=${stored}
      defaultValue=${value}
      ...${more}
    />
  </div>`;
}
