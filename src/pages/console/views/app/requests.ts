import type { VNode } from "preact";
import { html } from "htm/preact";
import { useEffect, useState } from "preact/hooks";
import type { ListedExchange } from "../../../../api/console-health.ts";
import { Select, valueOf } from "../../../shared/fields.ts";
import { nameLanguage } from "../../../shared/words.ts";
import { findOrigin } from "../../api.ts";
import { explainOutcome, type Words } from "../../words.ts";
import { Pending, useAnswer, useView } from "../context.ts";
import { fold } from "../texts/sentences.ts";

/** The filters of the list; empty for everything. */
interface Narrowing {
  readonly outcome: string;
  readonly flag: string;
  readonly locale: string;
  readonly status: string;
}

const everything: Narrowing = { outcome: "", flag: "", locale: "", status: "" };

/** The latest messages and calls of the chosen bot, and what was decided about each. */
export function RequestsView(): VNode {
  const { words, language, bot } = useView();
  const [narrowing, narrow] = useState(everything);
  const [typed, type] = useState("");
  const [live, go] = useState(false);
  const query = new URLSearchParams({ instance: bot }).toString();
  const answer = useAnswer<{ readonly requests: readonly ListedExchange[] }>(`requests?${query}`);
  useEffect(() => {
    if (!live) return;
    const turn = setInterval(answer.again, 2000);
    return () => clearInterval(turn);
  }, [live, answer.again]);
  const all = answer.value?.requests ?? [];
  const shown = all.filter((one) => fits(one, narrowing, fold(typed), words));
  const select = (field: keyof Narrowing, word: string, name: (value: string) => string): VNode => {
    const values = [...new Set(all.flatMap((one) => valueIn(one, field) ?? []))].toSorted();
    return html`<label>
      <span>${word}</span>
      <${Select}
        value=${narrowing[field]}
        options=${[["", words.everything], ...values.map((one) => [one, name(one)])]}
        change=${(value: string) => narrow({ ...narrowing, [field]: value })}
      />
    </label>`;
  };
  return html`<section class="requests" aria-label=${words.requests}>
    <div class="tools">
      <h2>${words.requests}</h2>
      <p class="choices">
        <button type="button" onClick=${answer.again}>${words.refresh}</button>
        <button type="button" aria-pressed=${live} onClick=${() => go(!live)}>
          ${live ? words.pause : words.live}
        </button>
      </p>
    </div>
    <p class="quiet">${words.requestsAbout}</p>
    <div class="narrowing">
      <label class="search">
        <span>${words.searchReason}</span>
        <input type="search" value=${typed} onInput=${(event: Event) => type(valueOf(event))} />
      </label>
      ${select("outcome", words.outcome, (one) => explainOutcome(words, one))}
      ${select("flag", words.line, (one) => one)}
      ${select("locale", words.language, (one) => nameLanguage(one, language))}
      ${select("status", words.status, (one) => one)}
    </div>
    <${Pending} of=${answer} />
    ${
      answer.value !== null &&
      shown.length === 0 &&
      html`<p class="quiet">${all.length === 0 ? words.noRequests : words.noRequestFits}</p>`
    }
    ${shown.length > 0 && html`<${List} of=${shown} />`}
  </section>`;
}

function valueIn(one: ListedExchange, field: keyof Narrowing): string | null {
  return field === "status" ? String(one.status) : one[field];
}

/** @param search folded */
function fits(one: ListedExchange, narrowing: Narrowing, search: string, words: Words): boolean {
  const fields = ["outcome", "flag", "locale", "status"] as const;
  const hasFields = fields.every(
    (field) => narrowing[field] === "" || narrowing[field] === valueIn(one, field),
  );
  if (!hasFields || search === "") return hasFields;
  const reason = one.outcome === null ? "" : explainOutcome(words, one.outcome);
  const parts = [one.method, one.route, String(one.status), one.flag, one.locale, reason];
  return parts.some((part) => fold(part ?? "").includes(search));
}

function List({ of }: { readonly of: readonly ListedExchange[] }): VNode {
  const { words, language } = useView();
  const time = new Intl.DateTimeFormat(language, { timeStyle: "medium" });
  const heads = [
    words.when,
    words.route,
    words.status,
    words.language,
    words.line,
    words.outcome,
    words.took,
    words.upstream,
    words.details,
  ];
  return html`<div class="scroll" tabindex="0" role="group" aria-label=${words.requests}>
    <table class="list">
      <thead>
        <tr>
          ${heads.map((name) => html`<th scope="col">${name}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${of.map((one) => html`<${Row} of=${one} time=${time} heads=${heads} />`)}
      </tbody>
    </table>
  </div>`;
}

interface RowProps {
  readonly of: ListedExchange;
  readonly time: Intl.DateTimeFormat;
  /** The headings that a phone shows before each value. */
  readonly heads: readonly string[];
}

function Row({ of, time, heads }: RowProps): VNode {
  const { words, language } = useView();
  const { at, method, route, status, locale, flag, outcome, milliseconds, upstream } = of;
  const [copied, note] = useState(false);
  const command = writeCurl(of);
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(command ?? "");
    note(true);
  };
  const values = [
    time.format(new Date(at)),
    html`<code dir="ltr">${method} ${route}</code>`,
    status,
    locale !== null && nameLanguage(locale, language),
    flag !== null && html`<code>${flag}</code>`,
    outcome !== null && explainOutcome(words, outcome),
    milliseconds,
    upstream,
  ];
  return html`<tr>
    ${values.map(
      (value, index) =>
        html`<td data-head=${heads[index]} class=${classOf(value, index === 2 && status >= 400)}>
          ${value}
        </td>`,
    )}
    <td>
      ${
        command !== null &&
        html`<button type="button" onClick=${() => void copy()}>
          ${copied ? words.copied : words.copyCurl}
        </button>`
      }
      ${
        of.trace !== null &&
        html`<details>
          <summary>${words.show}</summary>
          <pre dir="ltr">${JSON.stringify(of.trace, null, 2)}</pre>
        </details>`
      }
    </td>
  </tr>`;
}

function classOf(value: unknown, isAlarm: boolean): string {
  if (value === false || value === null) return "empty";
  return isAlarm ? "alarm" : "";
}

/**
 * Writes the request as a command for a shell, which fills in key, tokens and secret itself. Texts
 * of readers are not kept. Null if only a part of the address is known.
 */
function writeCurl({ method, route, locale }: ListedExchange): string | null {
  if (route.includes("…")) return null;
  const isLogin = route === "/v1/auth";
  const isLater = route.startsWith("/conversation/");
  const parts = [
    method === "HEAD"
      ? `curl -I '${findOrigin()}${route}'`
      : `curl -X ${method} '${findOrigin()}${route}'`,
    '-H "x-inbenta-key: $KEY"',
    ...(isLogin ? [] : ['-H "Authorization: Bearer $TOKEN"']),
    ...(isLater ? ['-H "x-inbenta-session: Bearer $SESSION"'] : []),
    ...(locale === null ? [] : [`-H 'x-afterword-locale: ${locale}'`]),
    ...(["POST", "PUT", "PATCH"].includes(method)
      ? ["-H 'Content-Type: application/json'", `-d ${BODIES[route] ?? "'{}'"}`]
      : []),
  ];
  return parts.join(" \\\n  ");
}

/** The bodies of routes that need one. */
const BODIES: Readonly<Record<string, string>> = {
  "/v1/auth": `"{\\"secret\\":\\"$SECRET\\"}"`,
  "/conversation/message": `'{"message":"…"}'`,
};
