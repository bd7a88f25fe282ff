import { createBackend } from "../../../src/backend/create-backend.ts";
import { credentialsFrom, DEMO_CREDENTIALS } from "../../../src/backend/auth/credentials.ts";
import type {
  Content,
  ContentItem,
  Customized,
  EngineTexts,
} from "../../../src/backend/content/types.ts";
import type { FormDefinition } from "../../../src/backend/forms/types.ts";
import { DEMO_PROJECTS } from "../../../src/backend/chatbot/projects.ts";
import type { BackendOptions } from "../../../src/backend/options.ts";
import { openStorage } from "../../../src/backend/storage/open-storage.ts";
import { FLAG_FACTS } from "../../../src/direct-answers/flags.ts";
import type { Flag } from "../../../src/direct-answers/flags.ts";
import { RECOGNITION } from "../../fixtures/recognition.ts";
import { field } from "../forms/form-states.ts";
import { signingKey, talk } from "../client.ts";
import type { App, Json, Talk } from "../client.ts";

/** The engine's English words, as the specification quotes them. */
export const english: EngineTexts = {
  ...(Object.fromEntries(FLAG_FACTS.map(({ name, text }) => [name, text])) as Record<Flag, string>),
  "related-title": "You might also be interested in:",
};

/** A content with only the given parts. */
export function content(parts: Partial<ContentItem> & { id: number; title: string }): ContentItem {
  return {
    slug: `content-${parts.id}`,
    alternatives: [],
    answers: [`<p>${parts.title}!</p>`],
    sideBubble: "",
    attributes: {},
    categories: [],
    order: 0,
    related: [],
    checkQuestion: null,
    options: [],
    form: null,
    actions: [],
    directCall: null,
    hidden: false,
    published: true,
    publishFrom: null,
    expires: null,
    modified: null,
    userTypes: [],
    environments: [],
    ...parts,
  };
}

/** An option that leads to another content. */
export function option(
  label: string,
  to: number,
  more: Partial<ContentItem["options"][number]> = {},
): ContentItem["options"][number] {
  return { label, content: to, attributes: {}, revisitable: false, ...more };
}

/** These contents in one language, with the engine's words. */
export function contentOf(
  items: readonly ContentItem[],
  customized: Customized = {},
  language = "en",
): Content {
  return {
    languages: new Map([[language, { items, categories: [], customized, synonyms: [] }]]),
    appData: new Map(),
    texts: new Map([["en", english]]),
  };
}

// One database for all bots of a file, because conversations have different tokens.
const shared = openStorage(null);

/** A backend that knows these contents. */
export async function bot(
  items: readonly ContentItem[] | Content | BackendOptions["content"],
  options: Partial<BackendOptions> & { readonly customized?: Customized } = {},
): Promise<App> {
  const { customized, ...rest } = options;
  const storage = rest.storage ?? (await shared);
  return createBackend({
    content: Array.isArray(items) ? contentOf(items, customized) : (items as Content),
    credentials: credentialsFrom(DEMO_CREDENTIALS),
    projects: DEMO_PROJECTS,
    signingKeys: [signingKey],
    storage,
    recognition: () => RECOGNITION,
    now: Date.now,
    limits: null,
    random: (length) => crypto.getRandomValues(new Uint8Array(length)),
    report: (error) => {
      throw error;
    },
    ...rest,
  });
}

/** A conversation that gives all answers of a turn. */
export interface Chat extends Talk {
  readonly turn: (body: unknown) => Promise<Json[]>;
  readonly ask: (message: string) => Promise<Json[]>;
}

export async function chat(
  app: App | Promise<App>,
  start: Parameters<typeof talk>[1] = {},
): Promise<Chat> {
  const talking = await talk(await app, start);
  const turn = async (body: unknown): Promise<Json[]> => {
    const reply = await talking.send(body);
    if (reply.status !== 200) throw new Error(`${reply.status} ${JSON.stringify(reply.body)}`);
    return reply.body.answers;
  };
  return { ...talking, turn, ask: (message) => turn({ message }) };
}

/** The flags of each answer of a turn. */
export function flagsOf(answers: readonly Json[]): readonly string[][] {
  return answers.map(({ flags }) => flags);
}

/** A form with an e-mail field that is asked, and one to choose from a list. */
export function form(parts: Partial<FormDefinition> = {}): FormDefinition {
  return {
    name: "contact",
    fields: [
      field("email", { type: "email", question: "Your e-mail?", variable: "email" }),
      field("topic", {
        type: "list",
        question: "About what?",
        values: [
          { label: "Delivery", value: "d" },
          { label: "Payment", value: "p" },
        ],
      }),
    ],
    ticket: false,
    webhook: null,
    finished: null,
    actions: [],
    ...parts,
  };
}
