import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { answerIn, startConversation } from "../../clients/connectors/client.ts";
import { findPackageRoot } from "../../../src/config/load/package-root.ts";
import type { Later } from "../../fixtures/folder.ts";
import { ADMIN, EVA, PAUL, served, type Served, VERA } from "./console.ts";

const TOKENS = {
  AFTERWORD_ADMIN_TOKEN: ADMIN,
  AFTERWORD_ADMIN_TOKENS: [
    `eva:edit:fr:${EVA}`,
    `paul:publish:${PAUL}`,
    `vera:view:${VERA}`,
    "sam@other:publish:token-of-sam-1234567890",
  ].join(","),
};

export const EN = `# Our answers.
language: en
categories:
  - { id: 1, name: Orders }
  - { id: 2, name: Delivery, parent: 1 }
contents:
  # The question that everybody asks.
  - id: 1
    title: Where is my order?
    alternatives: [Track my parcel, When will my order arrive?] # their own words
    answer: "<p>Open the <b>tracking link</b> in your e-mail.</p>"
    categories: [1]
    related: [2]
  - id: 2
    title: Delivery times
    answer: "<p>Two to four working days.</p>" # since May
  - id: 3
    title: Help with a complaint
    answer: "<p>What is it about?</p>"
    options: [{ label: Where it is, content: 1 }]
`;

export const FR = `language: fr
contents:
  - id: 1
    title: Où est ma commande ?
    answer: "<p>Ouvrez le lien de suivi.</p>"
`;

/** A gateway with the embedded backend, whose contents are in the owner's files. */
export async function servedOwnBot(
  files: Readonly<Record<string, string>> = {},
  settings = "",
  later?: Later,
  env: Readonly<Record<string, string>> = {},
): Promise<Served & { readonly asked: (question: string, language?: string) => Promise<string> }> {
  const config = `version: 1
upstream: embedded
data: ./data
backend: { content: ./backend, database: ./data/backend.db }
instances:
  - { name: shop, match: { apiKey: demo-key }, language: en, created: 2018-06-01 }
${settings}`;
  const all = {
    "afterword.yaml": config,
    ...(await readEngineTexts()),
    "backend/shop.en.yaml": EN,
    "backend/shop.fr.yaml": FR,
    ...files,
  };
  const house = await served(
    all,
    { ...TOKENS, ...env },
    "{}",
    true,
    ...(later === undefined ? [] : [later]),
  );
  return {
    ...house,
    async asked(message, lang = "en") {
      const { say } = await startConversation(house.running.url, { lang });
      return answerIn(await say({ message })).message;
    },
  };
}

async function readEngineTexts(): Promise<Readonly<Record<string, string>>> {
  const folder = join(findPackageRoot(), "config", "backend", "texts");
  const names = await readdir(folder);
  const texts = names.map(async (name) => {
    return [`backend/texts/${name}`, await readFile(join(folder, name), "utf8")] as const;
  });
  return Object.fromEntries(await Promise.all(texts));
}
