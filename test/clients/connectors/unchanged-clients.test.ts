// Suite: slow
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { valueAt } from "./client.ts";
import { type ClientKind, converse, MESSAGES, type Step } from "./clients.ts";
import { remembering } from "../../runtime/processes/nodes.ts";
import {
  createWorkspace,
  root,
  type Server,
  startServer,
  type Workspace,
} from "../../runtime/processes/processes.ts";
import { engineTexts, shippedTexts } from "./texts.ts";

const form = "application/x-www-form-urlencoded";
const jsonLogin = JSON.stringify({ secret: "demo-secret" });

/** Four public clients (chatbot.md, 1.1, 3.2 and 8), none of which knows Afterword. */
const kinds: readonly (ClientKind & { readonly locale: string })[] = [
  {
    name: "a connector that logs in with a raw form and then sends JSON with a comma in its type",
    locale: "fr",
    keyHeader: "x-inbenta-key",
    apiKey: "demo-key",
    headers: { Accept: "*/*" },
    type: "application/json,charset=UTF-8",
    login: { type: form, body: "secret=demo-secret" },
    getHeaders: { "Content-Length": "0", "Content-Type": form },
    slash: "",
    asksApis: false,
    start: { lang: "fr" },
    question: "Où est ma commande ?",
  },
  {
    name: "a test connector that sends JSON as text/plain, and a time zone that nobody asked for",
    locale: "en",
    keyHeader: "X-INBENTA-KEY",
    apiKey: "demo-key",
    headers: { timezone: "Europe/Madrid", "x-inbenta-env": "development" },
    type: "text/plain;charset=UTF-8",
    login: { type: "text/plain;charset=UTF-8", body: jsonLogin },
    getHeaders: {},
    slash: "",
    asksApis: false,
    start: { lang: "en" },
    question: "Where is my order?",
  },
  {
    name: "a client that asks for compression and says neither language nor type",
    locale: "en",
    keyHeader: "x-inbenta-key",
    apiKey: "demo-key",
    headers: { "Accept-Encoding": "gzip, deflate", "x-inbenta-source": "web" },
    type: null,
    login: { type: "application/json", body: jsonLogin },
    getHeaders: {},
    slash: "",
    asksApis: true,
    start: null,
    question: "Where is my order?",
  },
  {
    name: "a client with the specification's key header, and a slash behind every path",
    locale: "en",
    keyHeader: "x-vendor-key",
    apiKey: "demo-key",
    headers: { "User-Agent": "client/1.0" },
    type: "application/json",
    login: { type: "application/json", body: jsonLogin },
    getHeaders: { "Content-Type": "application/json", "Content-Length": "0" },
    slash: "/",
    asksApis: true,
    start: { lang: "en-GB" },
    question: "Where is my order?",
  },
];

let place: Workspace;
let gateway: Server;
let backend: Server;

beforeAll(async () => {
  place = await createWorkspace();
  const command = join(root, "src", "cli", "main.ts");
  const content = join(place.path, "config", "backend");
  const database = join(place.path, "alone", "backend.db");
  [gateway, backend] = await Promise.all([
    startServer([command, "serve", "--config", place.config, "--port", "0"], {}),
    startServer(
      [command, "backend", "--content", content, "--database", database, "--port", "0"],
      {},
    ),
  ]);
});

afterAll(async () => {
  await Promise.all([gateway, backend].map((server) => server.stop()));
  await rm(place.path, { recursive: true, force: true });
});

describe.each(kinds)("$name", (kind) => {
  it("gets Afterword's texts, and otherwise what the engine says, byte for byte", async () => {
    const [through, direct] = await Promise.all([
      throughGateway(kind),
      converse(backend.url, kind),
    ]);
    expect(through.map(({ name }) => name)).toEqual(direct.map(({ name }) => name));
    for (const { name, answer } of through) expect([name, answer.status]).toEqual([name, 200]);

    const texts = shippedTexts(kind.locale);
    const engine = engineTexts(kind.locale);
    for (const [name, flag] of MESSAGES) {
      const key = flag ?? "related-title";
      const original = text(direct, name);
      // No sentence is shared, so the following could not pass without the replacements.
      expect(texts[key]).not.toBe(engine[key]);
      expect(original).toContain(JSON.stringify(engine[key]));
      expect([name, text(through, name)]).toEqual([
        name,
        original.replaceAll(JSON.stringify(engine[key]), JSON.stringify(texts[key])),
      ]);
      expect(valueAt(body(through, name), "answers", 0, "flags")).toEqual(
        flag === null ? [] : [flag],
      );
    }
    expect(
      valueAt(body(through, "question"), "answers", 0, "parameters", "contents"),
    ).toMatchObject({
      related: {
        relatedTitle: texts["related-title"],
        relatedContents: [{ id: 2 }, { id: 3 }, { id: 4 }],
      },
    });
  });

  it("gets the engine's own history, variables, events and data", async () => {
    const [through, direct] = await Promise.all([
      throughGateway(kind),
      converse(backend.url, kind),
    ]);
    expect(withoutTimes(body(through, "history"))).toEqual(withoutTimes(body(direct, "history")));
    for (const name of ["set a variable", "variables", "tracking", "app data"]) {
      expect([name, text(through, name)]).toEqual([name, text(direct, name)]);
    }
    expect(body(through, "variables")).toMatchObject({ name: { value: "Ada" } });
  });

  it("is routed through the gateway by every answer that contains addresses, and by no other", async () => {
    const steps = await throughGateway(kind);
    for (const { name, answer } of steps) {
      const address = valueAt(answer.json(), "apis", "chatbot");
      if (name === "login" || name === "apis") {
        expect(String(address)).toMatch(new RegExp(`^${gateway.url}/r/[\\w-]+/chatbot$`, "u"));
      } else expect(address).toBeUndefined();
    }
  });
});

describe("a bot with active default content", () => {
  const modern: ClientKind = { ...kinds[1]!, apiKey: "demo-modern" };

  it("keeps the engine's words where the engine hides the flag, and speaks everywhere else", async () => {
    const [through, direct] = await Promise.all([
      throughGateway(modern),
      converse(backend.url, modern),
    ]);
    for (const name of ["first empty message", "gibberish", "256 characters"]) {
      expect([name, text(through, name)]).toEqual([name, text(direct, name)]);
      expect(valueAt(body(through, name), "answers", 0, "flags")).toEqual([]);
    }
    expect(valueAt(body(through, "gibberish"), "answers", 0)).toMatchObject({
      message: engineTexts("en")["no-results"],
      attributes: { inbMainTitle: "No Results" },
    });
    for (const name of ["second empty message", "257 characters", "unknown direct call"]) {
      const flag = String(valueAt(body(through, name), "answers", 0, "flags", 0));
      expect(valueAt(body(through, name), "answers", 0, "message")).toBe(shippedTexts("en")[flag]);
      expect(text(through, name)).not.toBe(text(direct, name));
    }
  });
});

/** A turn waits 50 ms for the conversation's language. A busy machine may need longer. */
function throughGateway(kind: ClientKind): Promise<readonly Step[]> {
  return remembering(gateway, () => converse(gateway.url, kind));
}

function text(steps: readonly Step[], name: string): string {
  return steps.find((step) => step.name === name)?.answer.text ?? "";
}

function body(steps: readonly Step[], name: string): unknown {
  return JSON.parse(text(steps, name));
}

function withoutTimes(history: unknown): unknown {
  return JSON.parse(JSON.stringify(history), (key, value: unknown) =>
    key === "datetime" ? typeof value : value,
  );
}
