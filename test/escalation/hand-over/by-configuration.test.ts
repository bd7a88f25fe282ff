// Suite: slow
import { SignJWT } from "jose";
import { describe, expect, test } from "vitest";
import type { CallerConfig, Config } from "../../../src/config/config.ts";
import { type Bed, type BedOptions, lineOf, openBed, sayYes, signIn, type Talk } from "./bed.ts";

async function open(options: BedOptions): Promise<{ here: Bed; config: Config }> {
  const seen: Config[] = [];
  const here = await openBed({
    ...options,
    change(config) {
      const changed = options.change?.(config) ?? config;
      seen.push(changed);
      return changed;
    },
  });
  const [config] = seen;
  if (config === undefined) throw new Error("no configuration");
  return { here, config };
}

async function yes(talk: Talk): Promise<readonly string[]> {
  return (await sayYes(talk)).map(({ message }) => message);
}

describe("a configuration that no longer hands over", () => {
  test("lets a conversation with a person go on to its end", async () => {
    const { here, config } = await open({ settings: { identity: { ask: [] } } });
    const { chat } = here.clients;
    const sam = chat.as(await signIn(chat));
    const talk = await here.talk();
    await yes(talk);
    let id = "";
    for await (const one of chat.chats()) id = one.id;
    await sam.accept(id);
    const instances = config.instances.map((instance) => ({
      ...instance,
      escalation: { ...instance.escalation, mode: "off" as const },
    }));
    here.running.swap({ ...config, instances });
    await sam.send(id, { message: "Sam here" });
    const texts = (await talk.say("hello?")).map(({ message }) => message);
    expect(texts).toEqual([lineOf("en", "joined"), "Sam here"]);
    const words = [];
    for await (const { message } of chat.messages(id)) words.push(message);
    expect(words).toContain("hello?");
    await sam.send(id, { message: "Bye" });
    await sam.close(id);
    const last = (await talk.say("What are your opening hours?")).map(({ message }) => message);
    expect(last).toContain("Bye");
    // Nothing begins again.
    const other = await here.talk();
    await other.say("qwxz zzyx");
    const [answer] = await other.say("vvkq jjxq plugh");
    expect(answer?.type).toBe("answer");
  });
});

describe("an owner's words", () => {
  const own = { language: "en", yes: ["make it so"], no: ["ok"], person: ["beam me up"] } as const;
  const change = (config: Config): Config => ({
    ...config,
    tableSets: config.tableSets.map((set) => ({ ...set, words: [own] })),
  });

  test("ask for a person and answer the offer; an ambiguous one is no answer", async () => {
    const here = await openBed({ settings: { identity: { ask: [] } }, change });
    await signIn(here.clients.chat);
    const send = async (talk: Talk, text: string): Promise<readonly string[]> =>
      (await talk.say(text)).map(({ message }) => message);
    const talk = await here.talk();
    expect(await send(talk, "Please beam me up!")).toContain(lineOf("en", "offer"));
    expect(await send(talk, "Make it so")).toEqual([lineOf("en", "connecting")]);
    const other = await here.talk();
    expect(await send(other, "beam me up")).toContain(lineOf("en", "offer"));
    expect(await send(other, "ok")).not.toContain(lineOf("en", "connecting"));
    const third = await here.talk("es");
    expect(await send(third, "beam me up")).not.toContain(lineOf("es", "offer"));
  });

  test("count from the moment in which the configuration does", async () => {
    const { here, config } = await open({});
    await signIn(here.clients.chat);
    const talk = await here.talk();
    const first = (await talk.say("beam me up")).map(({ message }) => message);
    expect(first).not.toContain(lineOf("en", "offer"));
    here.running.swap(change(config));
    const then = (await talk.say("please beam me up")).map(({ message }) => message);
    expect(then).toContain(lineOf("en", "offer"));
  });
});

describe("a caller's signed token", () => {
  const secret = "a secret of thirty-two characters";
  const jwt = { issuer: "shop.example", audience: "afterword", algorithms: ["HS256"] } as const;
  const caller = (config: Config): CallerConfig => ({
    name: "shop",
    instance: config.instances[0]?.name ?? "",
    keys: [],
    origins: [],
    jwt: { ...jwt, keys: { kind: "secret", secret } },
    operations: [],
    rate: { calls: 100, milliseconds: 1000 },
    perClient: null,
    media: { types: [], bytes: 0 },
  });

  async function token(key: string): Promise<string> {
    return new SignJWT({ name: "Grace", email: "grace@example.com", sub: "shop-7" })
      .setProtectedHeader({ alg: "HS256" })
      .setIssuer(jwt.issuer)
      .setAudience(jwt.audience)
      .setExpirationTime("5m")
      .sign(new TextEncoder().encode(key));
  }

  test("states who the reader is, so that nothing is asked", async () => {
    const { here } = await open({
      settings: { identity: { ask: ["name", "email"] }, ladder: ["ticket"] },
      change: (config) => ({ ...config, callers: [caller(config)] }),
    });
    const talk = await here.talk("en", { "x-afterword-caller": `Bearer ${await token(secret)}` });
    expect((await yes(talk))[0]).toContain("created ticket");
    const users = [];
    for await (const user of here.clients.ticketing.users()) users.push(user);
    expect(JSON.stringify(users)).toContain("grace@example.com");
  });

  test("gets its reader a user of their own, if a stranger had signed up with the id", async () => {
    const { here } = await open({
      settings: { identity: { ask: [] } },
      change: (config) => ({ ...config, callers: [caller(config)] }),
    });
    const { chat } = here.clients;
    await signIn(chat);
    const signedUp = await fetch(`${here.url}/v1/users`, {
      method: "POST",
      headers: { "content-type": "application/json", "x-hyper-appId": "demo-app" },
      body: JSON.stringify({ name: "Eve", externalId: "shop-7" }),
    });
    const { user } = (await signedUp.json()) as { readonly user: { readonly id: string } };
    expect((await chat.user(user.id)).externalId).toBe("shop-7");
    const talk = await here.talk("en", { "x-afterword-caller": `Bearer ${await token(secret)}` });
    await yes(talk);
    const creators = [];
    for await (const one of chat.chats()) creators.push(one.creator);
    expect(creators).toHaveLength(1);
    expect(creators).not.toContain(user.id);
    expect((await chat.user(creators[0] ?? "")).externalId).toBe("shop-7");
  });

  test("with another signature is ignored", async () => {
    const { here } = await open({
      settings: { identity: { ask: ["name"] }, ladder: ["ticket"] },
      change: (config) => ({ ...config, callers: [caller(config)] }),
    });
    const forged = await token("another secret of thirty-two chars");
    const talk = await here.talk("en", { "x-afterword-caller": `Bearer ${forged}` });
    expect(await yes(talk)).toEqual([lineOf("en", "ask-name")]);
  });
});

describe("an operator", () => {
  interface Listed {
    readonly conversation: string;
    readonly phase: string;
    readonly calls: readonly { kind: string; epoch: number; state: string }[];
  }
  const decide = (here: Bed, body: unknown, headers = here.asAdmin()) =>
    fetch(`${here.url}/_afterword/escalations`, {
      method: "POST",
      headers,
      body: JSON.stringify(body),
    });
  const list = async (here: Bed): Promise<readonly Listed[]> => {
    const response = await fetch(`${here.url}/_afterword/escalations`, { headers: here.asAdmin() });
    return ((await response.json()) as { escalations: Listed[] }).escalations;
  };

  test("gives up a waiting call, which no other role can", async () => {
    const { here } = await open({
      settings: { identity: { ask: [] }, ladder: ["ticket"] },
      ticketing: "http://127.0.0.1:9",
    });
    await yes(await here.talk());
    const [{ conversation } = { conversation: "" }] = await list(here);
    const order = { conversation, kind: "ticket", epoch: 1, settle: "drop" };
    expect((await decide(here, order, { authorization: "Bearer wrong" })).status).toBe(404);
    expect((await decide(here, { ...order, settle: "burn" })).status).toBe(422);
    expect((await decide(here, { ...order, epoch: 9 })).status).toBe(409);
    expect((await decide(here, { ...order, conversation: "0".repeat(64) })).status).toBe(404);
    const settled = (await (await decide(here, order)).json()) as Listed;
    expect(settled.calls.map(({ state }) => state)).toEqual(["refused"]);
    expect(await list(here)).toEqual([]);
    expect((await decide(here, order)).status).toBe(409);
  });

  test("takes a conversation back from a chat that does not end", async () => {
    const { here } = await open({ settings: { identity: { ask: [] } } });
    const { chat } = here.clients;
    const sam = chat.as(await signIn(chat));
    const talk = await here.talk();
    await yes(talk);
    let id = "";
    for await (const one of chat.chats()) id = one.id;
    await sam.accept(id);
    await talk.say("hello?");
    const [{ conversation } = { conversation: "" }] = await list(here);
    const order = { conversation, kind: "chat", epoch: 1, settle: "drop" };
    expect(((await (await decide(here, order)).json()) as Listed).phase).toBe("bot");
    expect((await chat.chat(id)).status).toBe("closed");
    const answers = await talk.say("What are your opening hours?");
    expect(answers.length).toBeGreaterThan(0);
  });
});
