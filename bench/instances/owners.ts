import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Whether every owner has the same words, in files of their own, or words that nobody else has. */
export type Words = "identical" | "distinct";

/** The key that requests of an owner's clients carry. */
export function keyOf(owner: number): string {
  return `client-key-of-owner-number-${owner}`;
}

/**
 * Writes a configuration in which each owner is an instance with a directory of messages in two
 * languages.
 *
 * @returns the configuration's file
 */
export function writeOwners(directory: string, count: number, words: Words): string {
  const instances: string[] = [];
  for (let owner = 0; owner < count; owner++) {
    const dir = join(directory, "messages", String(owner));
    mkdirSync(dir, { recursive: true });
    const own = words === "identical" ? "" : ` (${owner})`;
    writeFileSync(join(dir, "en.yaml"), textsOf(english, own));
    writeFileSync(join(dir, "fr.yaml"), textsOf(french, own));
    instances.push(
      `  - { name: owner-${owner}, match: { apiKey: ${keyOf(owner)} }, language: en, created: 2018-06-01, variables: [name], messages: { dir: ./messages/${owner} } }`,
    );
  }
  const file = join(directory, "afterword.yaml");
  writeFileSync(file, [...head, "instances:", ...instances, ""].join("\n"));
  return file;
}

const head = [
  "version: 1",
  "data: ./data",
  "upstream: { auth: 'http://127.0.0.1:9', apis: { chatbot: 'http://127.0.0.1:9' } }",
];

const english = {
  welcome: "Hello, and welcome to our shop. What are you looking for?",
  "no-results": "We have nothing about that. Shall we look for something else?",
  "end-form": "Thank you for your details. We will write to you tomorrow.",
  "related-title": "Other customers asked:",
};
const french = {
  welcome: "Bienvenue dans notre boutique. Que cherchez-vous\u202f?",
  "no-results": "Nous n’avons rien à ce sujet. Souhaitez-vous chercher autre chose\u202f?",
  "end-form": "Merci pour ces informations. Nous vous écrirons demain.",
  "related-title": "D’autres clients ont demandé\u00a0:",
};

function textsOf(texts: Readonly<Record<string, string>>, own: string): string {
  return Object.entries(texts)
    .map(([key, text]) => `${key}: ${JSON.stringify(text + own)}\n`)
    .join("");
}
