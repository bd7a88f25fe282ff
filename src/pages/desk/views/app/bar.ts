import type { VNode } from "preact";
import { html } from "htm/preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type { ChatAgent } from "../../../../api/chat/answers.ts";
import { mayNotify, playSound } from "../../announce.ts";
import { useView, countText } from "../context.ts";
import type { Sheet } from "./sheets.ts";
import {
  loadOf,
  countChatsToDo,
  countTicketsToDo,
  findNextUnread,
  sectionsOf,
  STATUSES,
  statusOf,
} from "../../state/lists.ts";
import { addressOf, saveAlerts, readSavedAlerts } from "../../saved.ts";
import type { Alerts } from "../../saved.ts";
import { Select, valueOf } from "../../../shared/fields.ts";
import { fill, LANGUAGES } from "../../../shared/words.ts";
import type { Language } from "../../../shared/words.ts";

interface BarProps {
  readonly show: (sheet: Sheet) => void;
  /** The view that the desk shows. */
  readonly at: "chats" | "tickets" | "figures";
}

/** The bar at the top: the agent, whether online, and the state of the connection. */
export function Bar({ show, at }: BarProps): VNode {
  const { desk, acts, words } = useView();
  const { me } = desk;
  const next = findNextUnread(desk);
  const waiting = { chats: countChatsToDo(desk), tickets: countTicketsToDo(desk), figures: 0 };
  const elsewhere = Object.entries(waiting).reduce(
    (sum, [view, count]) => (view === at ? sum : sum + count),
    0,
  );
  const heading = useRef<HTMLHeadingElement>(null);
  const menu = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    // The login form that had the focus is gone.
    if (document.activeElement === document.body) heading.current?.focus();
  }, []);
  const views = [
    ["chats", "#", true],
    ["tickets", "#tickets", me?.rights.TICKET_VIEW === true],
    ["figures", "#figures", me?.rights.SUPERVISE === true],
  ] as const;
  const logOut = (): void => {
    if (sectionsOf(desk).mine.length === 0) {
      void acts.logout();
      return;
    }
    // The menu gives the focus to its opener, which gets it back after the dialog.
    menu.current?.hidePopover();
    show("logout");
  };
  return html`<section class="bar" aria-label=${words.desk}>
    <h1 class="unseen" tabindex="-1" ref=${heading}>${words.desk}</h1>
    <${Link} />
    ${next !== null && html`<a class="button next" href=${addressOf(next)}>${words.nextUnread}</a>`}
    <div class="bar-end">
      ${me !== null && html`<${StatusChoice} me=${me} />`}
      <span class="me" dir="auto">${me?.nickname || me?.name}</span>
      ${
        me !== null &&
        html`<span class="quiet load">
          <span class="in-words">${fill(words.load, { count: loadOf(desk), most: me.slots })}</span>
          <span class="in-short" aria-hidden="true">${loadOf(desk)}/${me.slots}</span>
        </span>`
      }
      <button type="button" class="bar-more" popovertarget="bar-menu">
        <span class="icon icon-dots" aria-hidden="true"></span>
        <span class="unseen">${words.more}</span>
        ${elsewhere > 0 && html` <span class="badge">${countText(elsewhere)}</span>`}
      </button>
      <div id="bar-menu" class="bar-menu" popover ref=${menu}>
        ${views
          .filter(([view, , may]) => view !== at && may)
          .map(
            ([view, address]) =>
              html`<a class="button" href=${address} onClick=${() => menu.current?.hidePopover()}>
                ${words[view]}
                ${waiting[view] > 0 && html` <span class="count">${countText(waiting[view])}</span>`}
              </a>`,
          )}
        <button type="button" onClick=${() => show("team")}>${words.team}</button>
        <${AlertChoice} />
        <button
          type="button"
          aria-label=${words.keys}
          title=${words.keys}
          onClick=${() => show("keys")}
        >
          <span class="in-bar" aria-hidden="true">?</span>
          <span class="in-menu">${words.keys}</span>
        </button>
        <${LanguageSwitch} />
        <button type="button" onClick=${logOut}>${words.signOut}</button>
      </div>
    </div>
  </section>`;
}

/** Online, busy or away. Offline cannot be chosen, but the app's server may have set it. */
function StatusChoice({ me }: { readonly me: ChatAgent }): VNode {
  const { acts, words } = useView();
  const status = statusOf(me);
  const change = (value: string): void => {
    const found = STATUSES.find((one) => one === value);
    if (found !== undefined) void acts.setStatus(found);
  };
  const offered = status === "offline" ? [status, ...STATUSES] : STATUSES;
  return html`<${Select}
    class=${`status ${status}`}
    aria-label=${words.status}
    title=${status === "online" ? words.onlineHelp : words.offlineHelp}
    value=${status}
    options=${offered.map((one) => [one, words[one]])}
    change=${change}
  />`;
}

/** Sound and notifications: both are off until the agent wants them. */
function AlertChoice(): VNode {
  const { words } = useView();
  const [alerts, setAlerts] = useState(readSavedAlerts());
  const [blocked, setBlocked] = useState(false);
  const change = (next: Partial<Alerts>): void => {
    setAlerts({ ...alerts, ...next });
    saveAlerts({ ...alerts, ...next });
  };
  const handleSystem = async ({ currentTarget }: Event): Promise<void> => {
    const isChecked = currentTarget instanceof HTMLInputElement && currentTarget.checked;
    const allowed = isChecked && (await mayNotify());
    setBlocked(isChecked && !allowed);
    change({ system: allowed });
  };
  const handleSound = (): void => {
    if (!alerts.sound) playSound();
    change({ sound: !alerts.sound });
  };
  return html`<button type="button" popovertarget="alerts">${words.alerts}</button>
    <div id="alerts" class="alerts" popover>
      <p class="quiet">${words.alertsAbout}</p>
      <label
        ><input type="checkbox" checked=${alerts.sound} onChange=${handleSound} />
        ${words.alertSound}</label
      >
      <label>
        <input
          type="checkbox"
          checked=${alerts.system}
          onChange=${(event: Event) => void handleSystem(event)}
        />
        ${" "}${words.alertSystem}
      </label>
      <p class="problem" role="alert">${blocked && words.alertBlocked}</p>
    </div>`;
}

/** The language of the desk itself; people's texts keep theirs. */
export function LanguageSwitch(): VNode {
  const { words, language, speak } = useView();
  const handleChoice = (event: Event): void => {
    const found = LANGUAGES.find((one) => one === valueOf(event));
    if (found !== undefined) speak(found);
  };
  return html`<select
    class="language"
    aria-label=${words.language}
    value=${language}
    onChange=${handleChoice}
  >
    ${LANGUAGES.map(
      (one) =>
        html`<option value=${one} lang=${one} selected=${one === language}>
          ${nameInOwnLanguage(one)}
        </option>`,
    )}
  </select>`;
}

function nameInOwnLanguage(language: Language): string {
  return new Intl.DisplayNames(language, { type: "language" }).of(language) ?? language;
}

function Link(): VNode {
  const { desk, acts, words } = useView();
  const { link } = desk;
  return html`<p class=${`link ${link}`} role="status">
    <span class="dot" aria-hidden="true"></span>
    <span>${words[link]}</span>
    ${
      link === "lost" &&
      html`<button type="button" onClick=${() => acts.hurry()}>${words.tryNow}</button>`
    }
  </p>`;
}
