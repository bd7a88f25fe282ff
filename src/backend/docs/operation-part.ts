import { html } from "hono/html";
import type { Operation, CredentialKind } from "../../api/call/operation.ts";
import { notForUsers } from "../../api/chat/operations-chats.ts";
import { describeOperation } from "../../api/describe-operation.ts";
import type { DescribedOperation, JsonSchema } from "../../api/openapi.ts";
import { isObject } from "../../json/values.ts";
import { fieldsOf, listOf, sampleOf } from "./schema-fields.ts";

/** Escaped HTML. */
export type Markup = ReturnType<typeof html>;

/** A text in which backticks stand around code. */
export function renderProse(text: string): readonly (Markup | string)[] {
  return text
    .split("`")
    .map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : part));
}

/** Renders one operation. Its id is the anchor. */
export function renderOperation(operation: Operation): Markup {
  const { credentials, aliases } = operation;
  const described = describeOperation(operation);
  const curl = curlOf(described, headersOf[credentials]);
  const { id, method, path, summary, query, body, bodyOptional, answer } = described;
  return html`<article id="${id}" data-browser="${browserOf(operation)}">
    <h3>
      <span class="method">${method}</span>
      <a href="#${id}"><code>${path}</code></a>
    </h3>
    <p>${renderProse(summary)}</p>
    <p class="dim">
      Needs ${renderProse(needs[credentials])}.
      ${operation.domainKey === true && credentials !== "key" ? "A token that was issued for a domain key is accepted too." : ""}
      ${credentials === "app-secret" && operation.persons === true ? renderProse(`${isForAgents(operation) ? "Agents" : "Users and agents"} send their own token in \`x-hyper-token\` instead of the secret.`) : ""}
    </p>
    ${
      aliases.length === 0
        ? ""
        : html`<p class="dim">
            Also at ${renderProse(aliases.map((alias) => `\`${alias}\``).join(", "))}.
          </p>`
    }
    ${query === undefined ? "" : renderFields("Query", query)}
    ${
      body === undefined
        ? ""
        : renderFields(bodyOptional === true ? "Body (may be left out)" : "Body", body)
    }
    ${
      answer === null
        ? html`<h4>Answer 200</h4>
            <p>Not JSON.</p>`
        : renderFields("Answer 200", answer)
    }
    ${renderErrors(described)}
    <details>
      <summary>curl</summary>
      <pre tabindex="0" role="group" aria-label="curl"><code>${curl}</code></pre>
    </details>
  </article>`;
}

/**
 * Lists the credentials that a browser may send it with: those of its curl call, the token of a
 * user or of an agent, or nothing.
 */
function browserOf(operation: Operation): "as-is" | "user" | "agent" | "never" {
  const { credentials, domainKey, persons } = operation;
  if (isForAgents(operation)) return "agent";
  if (credentials === "app-secret") return persons === true ? "user" : "never";
  const isServers = ["token", "session"].includes(credentials) && domainKey !== true;
  return isServers ? "never" : "as-is";
}

/** True if a user's token is refused. */
function isForAgents({ credentials, errors }: Operation): boolean {
  return credentials === "app-token" || errors.includes(notForUsers);
}

const withToken = "the API key in `x-vendor-key` and an access token in `Authorization`";

const needs: Readonly<Record<CredentialKind, string>> = {
  key: "the API key in `x-vendor-key`",
  token: withToken,
  session: `${withToken}, and the session token in \`x-inbenta-session\``,
  app: "the app's id in `x-hyper-appId`",
  "app-secret": "the app's id in `x-hyper-appId` and its secret in `x-hyper-secret`",
  "app-token": "the app's id in `x-hyper-appId` and an agent's token in `x-hyper-token`",
};

const headersOf: Readonly<Record<CredentialKind, readonly string[]>> = {
  key: ["x-vendor-key: $KEY"],
  token: ["x-vendor-key: $KEY", "Authorization: Bearer $TOKEN"],
  session: [
    "x-vendor-key: $KEY",
    "Authorization: Bearer $TOKEN",
    "x-inbenta-session: Bearer $SESSION",
  ],
  app: ["x-hyper-appId: $APP"],
  "app-secret": ["x-hyper-appId: $APP", "x-hyper-secret: $SECRET"],
  "app-token": ["x-hyper-appId: $APP", "x-hyper-token: $AGENT"],
};

/** Renders a curl call with the required parameters, and a sample of its body. */
function curlOf(
  { method, path, query, body }: DescribedOperation,
  credentials: readonly string[],
): string {
  const headers = credentials.map((header) => ` \\\n  -H "${header}"`);
  const address = path.replaceAll(/\{(\w+)\}|:(\w+)/g, (_, one, other) => `$${one ?? other}`);
  const parameters = query === undefined ? "" : queryOf(query);
  const call = `curl${method === "GET" ? "" : ` -X ${method}`} "$BASE${address}${parameters}"${headers.join("")}`;
  if (body === undefined) return call;
  const sample = JSON.stringify(sampleOf(body) ?? {});
  return `${call} \\\n  -H "Content-Type: application/json" \\\n  -d '${sample.replaceAll("'", String.raw`'\\''`)}'`;
}

/** Writes the required parameters, such as `?ids=1`, or nothing. */
function queryOf({ properties, required }: JsonSchema): string {
  const needed = required === undefined ? [] : listOf(required);
  const pairs = Object.entries(isObject(properties) ? properties : {})
    .filter(([name]) => needed.includes(name))
    .map(([name, schema]) => `${name}=${encodeURIComponent(listOf(sampleOf(schema)).join(","))}`);
  return pairs.length === 0 ? "" : `?${pairs.join("&")}`;
}

function renderFields(title: string, schema: JsonSchema): Markup {
  const fields = fieldsOf(schema);
  if (fields.length === 0)
    return html`<h4>${title}</h4>
      <p>No members.</p>`;
  return html`<h4>${title}</h4>
    <div class="scroll" tabindex="0" role="group" aria-label="${title}">
      <table>
        <thead>
          <tr>
            <th scope="col">Field</th>
            <th scope="col">Type</th>
            <th scope="col">Values</th>
          </tr>
        </thead>
        <tbody>
          ${fields.map(
            ({ name, type, required, note, about }) =>
              html`<tr>
                <th scope="row">
                  <code>${name}</code>${required ? "" : html` <span class="dim">optional</span>`}
                </th>
                <td>${type}</td>
                <td>${renderProse([about, note].filter((text) => text !== "").join("; "))}</td>
              </tr>`,
          )}
        </tbody>
      </table>
    </div>`;
}

function renderErrors({ errors }: DescribedOperation): Markup {
  return html`<details>
    <summary>Errors</summary>
    <div class="scroll" tabindex="0" role="group" aria-label="Errors">
      <table>
        <thead>
          <tr>
            <th scope="col">Status</th>
            <th scope="col">When</th>
          </tr>
        </thead>
        <tbody>
          ${errors
            .toSorted((one, other) => one.status - other.status)
            .map(
              ({ status, when }) =>
                html`<tr>
                  <th scope="row">${status}</th>
                  <td>${renderProse(when)}</td>
                </tr>`,
            )}
        </tbody>
      </table>
    </div>
  </details>`;
}
