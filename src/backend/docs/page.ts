import { html, raw } from "hono/html";
import type { Operation, WireProduct } from "../../api/operation.ts";
import { RULES } from "./document.ts";
import { operationPart } from "./operation-part.ts";
import { prose } from "./prose.ts";
import type { Markup } from "./prose.ts";
import type { DocumentedProduct } from "./products.ts";
import { STYLE } from "./style.ts";

/**
 * The page about these products. `json` is the address of the OpenAPI document, relative to the
 * page.
 */
export async function docsPage(
  products: readonly DocumentedProduct[],
  version: string,
  json: string,
): Promise<string> {
  const page = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>Interfaces of Afterword's backend</title>
        <link rel="icon" href="data:," />
        ${raw(`<style>${STYLE}</style>`)}
      </head>
      <body>
        <header>
          <h1>Interfaces of Afterword's backend</h1>
          <p>
            Version ${version}. The same as an
            <a href="${json}" type="application/json">OpenAPI 3.1 document</a>.
          </p>
          <ul>
            ${RULES.map((rule) => html`<li>${prose(rule)}</li>`)}
          </ul>
        </header>
        <nav aria-label="Contents">${products.map(contentsPart)}</nav>
        <main>${products.map(productPart)}</main>
      </body>
    </html>`;
  return String(await page);
}

function contentsPart({ key, title, operations }: DocumentedProduct): Markup {
  return html`<p><a href="#${key}">${title}</a></p>
    <details>
      <summary>${operations.length} operations</summary>
      <ul>
        ${operations.map(contentsLine)}
      </ul>
    </details>`;
}

function contentsLine({ id, method, path }: Operation): Markup {
  return html`<li>
    <a href="#${id}"><code>${method} ${path}</code></a>
  </li>`;
}

function productPart({ key, title, about, operations }: DocumentedProduct): Markup {
  return html`<section aria-labelledby="${key}">
    <h2 id="${key}">${title}</h2>
    <p>${prose(about)}</p>
    <p class="dim">An error is ${prose(errorSamples[key])}.</p>
    ${operations.map(operationPart)}
  </section>`;
}

const listed = '`{"errors":[{"code":404,"message":"…"}]}`';
const both =
  '`{"errors":[{"code":404,"message":"…"}],"error":{"code":404,"message":"…"},"message":"…"}`';

const errorSamples: Readonly<Record<WireProduct, string>> = {
  auth: listed,
  chatbot: listed,
  knowledge: both,
  ticketing: both,
  chat: '`{"error":{"code":404,"message":"…"}}`',
};
