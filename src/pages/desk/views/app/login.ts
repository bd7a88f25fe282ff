import type { VNode } from "preact";
import { html } from "htm/preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { readField } from "../../../shared/fields.ts";
import { fill } from "../../../shared/words.ts";
import { readSavedAlerts, saveAlerts } from "../../saved.ts";
import { LanguageSwitch } from "./bar.ts";
import { useView } from "../context.ts";

/** The page before login. */
export function LoginPage({ ended }: { readonly ended: boolean }): VNode {
  const { words } = useView();
  return html`<main class="login-page">
    <div class="login">
      <h1>${words.desk}</h1>
      <p class="quiet">${words.signInAbout}</p>
      ${ended && html`<p class="notice" role="status">${words.sessionEnded}</p>`}
      <${LoginForm} />
      <div class="login-foot"><${LanguageSwitch} /></div>
    </div>
  </main>`;
}

/** Covers a desk whose session has ended; the desk behind it stays as it is. */
export function LoginAgain(): VNode {
  const { words } = useView();
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    dialog.current?.showModal();
  }, []);
  return html`<dialog
    ref=${dialog}
    class="login"
    aria-labelledby="again-title"
    aria-describedby="again-about"
    onCancel=${(event: Event) => event.preventDefault()}
  >
    <h2 id="again-title">${words.signIn}</h2>
    <p id="again-about">${words.sessionEnded} ${words.nothingLost}</p>
    <${LoginForm} />
  </dialog>`;
}

function LoginForm(): VNode {
  const { desk, acts, words, demoApp } = useView();
  const [problem, setProblem] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const first = useRef<HTMLInputElement>(null);
  const password = useRef<HTMLInputElement>(null);
  const known = desk.me?.login ?? "";
  // Before anyone can type: a focus that moves later would split what is typed.
  useLayoutEffect(() => (known === "" ? first.current : password.current)?.focus(), []);
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    if (!(event.target instanceof HTMLFormElement)) return;
    const form = new FormData(event.target);
    setBusy(true);
    setProblem(null);
    saveAlerts({ ...readSavedAlerts(), sound: form.has("sound") });
    const [appId, login] = [readField(form, "app").trim(), readField(form, "login").trim()];
    const wrong = await acts.login({ appId, login, password: readField(form, "password") });
    setBusy(false);
    setProblem(wrong);
    if (wrong !== null) password.current?.select();
  };
  const app = desk.app || readAppInAddress() || demoApp;
  return html`<form onSubmit=${submit} aria-busy=${busy}>
    ${label(
      "app",
      words.appId,
      html`<input
        id="login-app"
        name="app"
        required
        autocomplete="off"
        spellcheck=${false}
        dir="auto"
        defaultValue=${app}
      />`,
    )}
    ${label(
      "login",
      words.login,
      html`<input
        id="login-login"
        name="login"
        required
        autofocus=${known === ""}
        autocomplete="username"
        spellcheck=${false}
        dir="auto"
        defaultValue=${known}
        ref=${first}
      />`,
    )}
    ${label(
      "password",
      words.password,
      html`<input
        id="login-password"
        name="password"
        type="password"
        required
        autocomplete="current-password"
        aria-describedby="login-problem"
        autofocus=${known !== ""}
        ref=${password}
      />`,
    )}
    <${SoundChoice} />
    <p id="login-problem" class="problem" role="alert">${problem}</p>
    <button class="primary" disabled=${busy}>${busy ? words.signingIn : words.signIn}</button>
    ${demoApp !== "" && app === demoApp && html`<${DemoHint} />`}
  </form>`;
}

function DemoHint(): VNode {
  const { words } = useView();
  return html`<p class="quiet">
    ${fill(words.demoHint, { login: "demo-agent", password: "demo-agent" })}
  </p>`;
}

/** Invitations end soon: agents choose a sound for them before the first one comes. */
function SoundChoice(): readonly VNode[] {
  const { words } = useView();
  return [
    html`<label class="choice">
      <input
        type="checkbox"
        name="sound"
        aria-describedby="login-sound"
        defaultChecked=${readSavedAlerts().sound}
      />
      ${words.alertSound}
    </label>`,
    html`<p id="login-sound" class="quiet">${words.alertsAbout}</p>`,
  ];
}

function label(name: string, text: string, input: VNode): VNode {
  return html`<label for=${`login-${name}`}>${text}</label>${input}`;
}

/** An address such as `/desk?app=shop` fills in the field; the id is no secret. */
function readAppInAddress(): string {
  return new URLSearchParams(location.search).get("app") ?? "";
}
