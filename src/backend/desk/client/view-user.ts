import type { VNode } from "preact";
import { html } from "htm/preact";
import { useState } from "preact/hooks";
import type { ChatUser } from "../../../api/chat/types.ts";
import { explain } from "./context.ts";
import type { DeskChat } from "./state.ts";
import { changeOf, extraFields, isKeyed } from "./user-form.ts";
import type { UserForm } from "./user-form.ts";
import { languageName, timeText, useView } from "./view-context.ts";

interface UserPanelProps {
  readonly one: DeskChat;
  /** True: this agent may change it, now. */
  readonly editable: boolean;
}

/** Who the chat is with. */
export function UserPanel({ one, editable }: UserPanelProps): VNode {
  const { desk, words, language } = useView();
  const { chat } = one;
  const user = desk.people.get(chat.creator);
  return html`<h2 id="details-title">${words.details}</h2>
    ${user === undefined && html`<p class="quiet">${words.loading}</p>`}
    ${
      user !== undefined &&
      (editable
        ? html`<${UserFields} key=${user.id} user=${user} />`
        : html`<${UserFacts} user=${user} />`)
    }
    <dl>
      <dt>${words.opened}</dt>
      <dd>${timeText(chat.created, language)}</dd>
      ${
        chat.lang !== "" &&
        html`<dt>${words.chatLanguage}</dt>
          <dd>${languageName(chat.lang, language)}</dd>`
      }
    </dl>
    ${
      one.mine &&
      !chat.closed &&
      desk.me?.rights.CHAT_EDIT_USER_INFO === false &&
      html`<p class="quiet">${words.mayNotEdit}</p>`
    }`;
}

function UserFacts({ user }: { readonly user: ChatUser }): VNode {
  const { words } = useView();
  const facts = [
    [words.name, user.name],
    [words.contact, user.contact],
    [words.externalId, user.externalId],
    ...extraFields(user).map(({ name, text }) => [name, text]),
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

function UserFields({ user }: { readonly user: ChatUser }): VNode {
  const { acts, words } = useView();
  const [state, setState] = useState<"" | "busy" | "saved">("");
  const [problem, setProblem] = useState("");
  // Grows with each save: the new field is empty again then, and what was typed elsewhere meanwhile
  // is the server's.
  const [round, setRound] = useState(0);
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    if (!(event.target instanceof HTMLFormElement)) return;
    const change = changeOf(user, read(new FormData(event.target)));
    setProblem("");
    if (change === null) return setState("saved");
    setState("busy");
    try {
      await acts.changeUser(user.id, change);
      setState("saved");
      setRound(round + 1);
    } catch (error) {
      setState("");
      setProblem(explain(error, words));
    }
  };
  const fields = extraFields(user);
  const keyed = isKeyed(user);
  return html`<form key=${round} class="user" onSubmit=${submit} onInput=${() => setState("")}>
    ${field("name", words.name, user.name, { required: true, maxlength: 500 })}
    ${field("contact", words.contact, user.contact, { type: "email", maxlength: 254 })}
    ${field("externalId", words.externalId, user.externalId, { maxlength: 255, readonly: keyed })}
    ${fields.map(({ name, text, plain }, index) =>
      plain
        ? field(
            `extra:${name}`,
            name,
            text,
            { readonly: keyed && name === "conversation" },
            `extra-${index}`,
          )
        : html`<div>
            <span class="label" dir="auto">${name}</span>
            <pre dir="auto">${text}</pre>
          </div>`,
    )}
    <div class="pair">
      ${field("newName", words.fieldName, "", { maxlength: 100 })}
      ${field("newValue", words.fieldValue, "")}
    </div>
    <p class="problem" role="alert">${problem}</p>
    <div class="buttons">
      <button disabled=${state === "busy"}>${words.save}</button>
      <span role="status">${state === "saved" && words.saved}</span>
    </div>
  </form>`;
}

function field(name: string, label: string, value: string, more: object = {}, key = name): VNode {
  const id = `user-${key}`;
  return html`<div>
    <label for=${id} dir="auto">${label}</label>
    <input id=${id} name=${name} autocomplete="off" dir="auto" defaultValue=${value} ...${more} />
  </div>`;
}

function read(data: FormData): UserForm {
  const texts = [...data].map(([name, value]) => [name, typeof value === "string" ? value : ""]);
  const fields = new Map<string, string>(texts.map(([name = "", text = ""]) => [name, text]));
  const of = (name: string): string => fields.get(name) ?? "";
  const extra = [...fields].flatMap(([name, text]) =>
    name.startsWith("extra:") ? [[name.slice("extra:".length), text]] : [],
  );
  return {
    name: of("name"),
    contact: of("contact"),
    externalId: of("externalId"),
    extra: Object.fromEntries(extra),
    newName: of("newName"),
    newValue: of("newValue"),
  };
}
