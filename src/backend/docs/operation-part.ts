import { html } from "hono/html";
import type { z } from "zod";
import type { Operation, WireCredentials } from "../../api/operation.ts";
import { shapeOf } from "../../api/json-schema.ts";
import { fieldsOf } from "./fields.ts";
import { prose } from "./prose.ts";
import type { Markup } from "./prose.ts";

/** What there is to know of one operation. Its id is the anchor. */
export function operationPart(operation: Operation): Markup {
  const { id, method, path, summary, credentials, query, body, bodyOptional, answer } = operation;
  const aliases = operation.aliases ?? [];
  return html`<article id="${id}">
    <h3><span class="method">${method}</span> <code>${path}</code></h3>
    <p>${prose(summary)}</p>
    <p class="dim">
      Needs ${prose(needs[credentials])}.
      ${operation.domainKey === true && credentials !== "key" ? "A token of a domain key will do." : ""}
      ${operation.persons === true ? prose(`For themselves, people need ${needs["app-token"]}.`) : ""}
    </p>
    ${
      aliases.length === 0
        ? ""
        : html`<p class="dim">
            Also at ${prose(aliases.map((alias) => `\`${alias}\``).join(", "))}.
          </p>`
    }
    ${query === undefined ? "" : fieldsTable("Query", query, "input")}
    ${
      body === undefined
        ? ""
        : fieldsTable(bodyOptional === true ? "Body (may be left out)" : "Body", body, "input")
    }
    ${
      answer === null
        ? html`<h4>Answer ${operation.status}</h4>
            <p>Not JSON.</p>`
        : fieldsTable(`Answer ${operation.status}`, answer, "output")
    }
    ${errorsTable(operation)}
  </article>`;
}

const withToken = "the API key in `x-vendor-key` and an access token in `Authorization`";

const needs: Readonly<Record<WireCredentials, string>> = {
  key: "the API key in `x-vendor-key`",
  token: withToken,
  session: `${withToken}, and the session's token in \`x-inbenta-session\``,
  app: "the app's id in `x-hyper-appId`",
  "app-secret": "the app's id in `x-hyper-appId` and its secret in `x-hyper-secret`",
  "app-token": "the app's id in `x-hyper-appId` and their own token in `x-hyper-token`",
};

function fieldsTable(title: string, schema: z.ZodType, io: "input" | "output"): Markup {
  const fields = fieldsOf(shapeOf(schema, io));
  if (fields.length === 0)
    return html`<h4>${title}</h4>
      <p>No members.</p>`;
  return html`<h4>${title}</h4>
    <div class="scroll" tabindex="0" role="region" aria-label="${title}">
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
            ({ name, type, required, note }) =>
              html`<tr>
                <th scope="row">
                  <code>${name}</code>${required ? "" : html` <span class="dim">optional</span>`}
                </th>
                <td>${type}</td>
                <td>${note}</td>
              </tr>`,
          )}
        </tbody>
      </table>
    </div>`;
}

function errorsTable({ errors }: Operation): Markup {
  return html`<details>
    <summary>Errors</summary>
    <div class="scroll" tabindex="0" role="region" aria-label="Errors">
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
                  <td>${prose(when)}</td>
                </tr>`,
            )}
        </tbody>
      </table>
    </div>
  </details>`;
}
