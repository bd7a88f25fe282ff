import { setTimeout as sleep } from "node:timers/promises";
import { readLines } from "../desk/lines.ts";

/** A reader with an unmodified client, which repeats an unanswered request once, byte for byte. */
export class Reader {
  readonly lang: string;
  /** The questions and answers, to investigate a fault. */
  readonly transcript: string[] = [];
  /** The keys of Afterword's own lines to this reader. */
  readonly #lines = new Set<string>();
  #session = "";
  #headers: Record<string, string> = {};
  readonly #url: () => string;
  #options: readonly { readonly value: unknown }[] = [];

  constructor(url: () => string, lang: string) {
    this.#url = url;
    this.lang = lang;
  }

  /** The session token. */
  get session(): string {
    return this.#session;
  }

  async toTheOffer(): Promise<void> {
    const key = { "x-inbenta-key": "demo-key", "content-type": "application/json" };
    const login = await this.#read("/v1/auth", key, { secret: "demo-secret" });
    const authorized = { ...key, authorization: `Bearer ${String(login["accessToken"])}` };
    const started = await this.#read("/v1/conversation", authorized, { lang: this.lang });
    this.#session = String(started["sessionToken"]);
    this.#headers = { ...authorized, "x-inbenta-session": `Bearer ${this.#session}` };
    await this.#send({ message: "qwxz zzyx" });
    await this.#send({ message: "vvkq jjxq plugh" });
  }

  /** Says yes, gives a name, and keeps asking until the outcome is known. */
  async beHandedOver(): Promise<void> {
    await this.#send({ message: "", option: this.#options[0]?.value });
    await this.#send({ message: "Ada Lovelace" });
    for (let question = 1; question <= maxQuestions && !this.wasSaid(endings); question++) {
      await sleep(pause);
      await this.#send({ message: `qwxz ${question}` });
    }
  }

  /** Whether the reader got one of these lines. */
  wasSaid(keys: readonly string[]): boolean {
    return keys.some((key) => this.#lines.has(key));
  }

  async #send(body: Record<string, unknown>): Promise<void> {
    const { answers } = await this.#read("/v1/conversation/message", this.#headers, body);
    const all = Array.isArray(answers) ? answers : [];
    const texts = all.map((answer) => String(answer.message));
    for (const text of texts) this.#lines.add(known.keyOf(this.lang, text) ?? "");
    this.transcript.push(`> ${JSON.stringify(body)}`, ...texts.map((text) => `< ${text}`));
    const offered = all.findLast(({ options }) => Array.isArray(options));
    if (offered !== undefined) this.#options = offered.options;
  }

  async #read(
    path: string,
    headers: Record<string, string>,
    body: Record<string, unknown>,
  ): Promise<Record<string, unknown>> {
    const text = JSON.stringify(body);
    for (let attempt = 0; attempt < maxAttempts; attempt++) {
      try {
        const response = await fetch(this.#url() + path, { method: "POST", headers, body: text });
        if (response.ok) return (await response.json()) as Record<string, unknown>;
        this.transcript.push(`! ${response.status} ${await response.text()}`);
      } catch {
        this.transcript.push("! no answer");
      }
      await sleep(pause);
    }
    throw new Error(`nobody answered ${path}`);
  }
}

const known = readLines(["en", "es"]);

/** The lines that promise a chat or a ticket. */
export const promised = {
  chat: ["escalation.connecting"],
  ticket: ["escalation.ticket", "escalation.ticket-number"],
} as const;
/** A promise, or a line that says that there is none. */
const endings: readonly string[] = [
  ...promised.chat,
  ...promised.ticket,
  "escalation.unknown",
  "escalation.not-now",
];
const pause = 100;
const maxAttempts = 200;
const maxQuestions = 200;
