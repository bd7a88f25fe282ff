import { setTimeout as sleep } from "node:timers/promises";
import { readEvents } from "../../../src/api/call/server-sent.ts";
import { isObject } from "../../../src/json/values.ts";
import type { Lines } from "./lines.ts";

/** One act of a reader, or one message to them. */
export interface Moment {
  readonly at: number;
  readonly kind: "asked" | "line" | "agent" | "bot" | "holder" | "did" | "failed";
  readonly text: string;
  /** Of a line: its key, such as `escalation.joined`. */
  readonly key?: string;
  /** The id of an event. */
  readonly id?: string;
}

/** A reader's question, when it was answered, and whether Afterword said that it was lost. */
export interface Asked {
  readonly words: string;
  readonly at: number;
  answered: number | null;
  lost: boolean;
  /** The machine died meanwhile, so the question was sent again so late that it may count twice. */
  late: boolean;
}

export interface ReaderOptions {
  readonly number: number;
  readonly lang: string;
  /** Listens to the event stream, as the chat page does. */
  readonly listens: boolean;
  readonly random: () => number;
  readonly lines: Lines;
  readonly url: string;
}

/** A reader over HTTP, with an unmodified client's requests through the gateway. */
export class Reader {
  readonly timeline: Moment[] = [];
  readonly asked: Asked[] = [];
  readonly name: string;
  /** When the reader left silently, or null. */
  left: number | null = null;
  session = "";
  readonly #options: ReaderOptions;
  #headers: Record<string, string> = {};
  #choices: readonly { readonly label: string; readonly value: unknown }[] = [];
  #events = "";
  #last = "";
  #stream: AbortController | null = null;
  #listening: Promise<void> = Promise.resolve();
  #counted = 0;

  constructor(options: ReaderOptions) {
    this.#options = options;
    this.name = `Reader ${options.number}`;
  }

  get address(): string {
    return `reader-${this.#options.number}@reader.example`;
  }
  get lang(): string {
    return this.#options.lang;
  }
  get listens(): boolean {
    return this.#options.listens;
  }

  /** The reader's whole day; ends when `over()` says so. */
  async live(over: () => boolean): Promise<void> {
    const { random, number } = this.#options;
    await this.#start();
    if (random() < 0.3) await this.say(known[Math.floor(random() * known.length)] ?? "");
    // Some never ask for a person.
    if (number % 10 === 3) return;
    for (let round = 0; round < 3 && !over() && this.left === null; round++) {
      const isOffered = round === 0 ? await this.#untilOffer() : await this.#askForPerson();
      if (!isOffered) return;
      if (number % 10 === 7 && round === 0) {
        await this.choose(1);
        await this.say(known[0] ?? "");
        continue;
      }
      await this.choose(0);
      if (this.phase() === "escalation.ask-name") await this.say(this.name);
      if (this.phase() === "escalation.ask-email") await this.say(this.address);
      await this.#talk(over);
      if (random() < 0.5) return;
      await this.#pause(2_000, 6_000);
    }
  }

  /** Stops listening. */
  async end(): Promise<void> {
    this.#stream?.abort();
    await this.#listening;
  }

  /** The key of the last line about the conversation's phase. */
  phase(): string {
    return this.timeline.findLast(({ key }) => key !== undefined)?.key ?? "";
  }

  async say(words: string): Promise<void> {
    await this.#send({ message: words }, words);
  }

  async choose(index: number): Promise<void> {
    const chosen = this.#choices[index];
    if (chosen !== undefined) await this.#send({ message: "", option: chosen.value }, chosen.label);
  }

  #question(): string {
    const { number } = this.#options;
    this.#counted += 1;
    return `qwxz zzyx ${number}-${this.#counted}`;
  }

  async #untilOffer(): Promise<boolean> {
    for (let question = 0; question < 3 && !offers.has(this.phase()); question++) {
      await this.say(this.#question());
    }
    return offers.has(this.phase());
  }

  async #askForPerson(): Promise<boolean> {
    await this.say(this.#options.lines.ask(this.lang));
    return offers.has(this.phase());
  }

  /** Talks until the bot has the conversation again. */
  async #talk(over: () => boolean): Promise<void> {
    const { random, number } = this.#options;
    while (!over() && !ends.has(this.phase())) {
      await this.#pause(3_000, 15_000, () => over() || ends.has(this.phase()));
      if (over() || ends.has(this.phase())) return;
      const chance = random();
      if (number % 10 === 9 && chance < 0.15) {
        this.left = Date.now();
        this.#note("did", "leaves the page");
        await this.end();
        return;
      }
      if (this.listens && chance < 0.25) await this.#reload();
      await this.say(this.#question());
    }
  }

  async #reload(): Promise<void> {
    this.#note("did", "reloads the page");
    await this.end();
    await this.#pause(100, 2_000);
    this.#listen();
  }

  async #pause(from: number, to: number, done: () => boolean = () => false): Promise<void> {
    const until = Date.now() + from + this.#options.random() * (to - from);
    while (Date.now() < until && !done()) await sleep(100);
  }

  async #start(): Promise<void> {
    const key = { "x-inbenta-key": "demo-key", "content-type": "application/json" };
    const login = await this.#post("/v1/auth", key, { secret: "demo-secret" });
    const authorized = { ...key, authorization: `Bearer ${String(login["accessToken"])}` };
    const started = await this.#post("/v1/conversation", authorized, { lang: this.lang });
    this.session = String(started["sessionToken"]);
    this.#headers = { ...authorized, "x-inbenta-session": `Bearer ${this.session}` };
  }

  async #send(body: Record<string, unknown>, words: string): Promise<void> {
    this.#note("asked", words);
    const asked: Asked = { words, at: Date.now(), answered: null, lost: false, late: false };
    this.asked.push(asked);
    try {
      const { answers } = await this.#post("/v1/conversation/message", this.#headers, body);
      asked.answered = Date.now();
      asked.late = asked.answered - asked.at > repeatable;
      for (const answer of Array.isArray(answers) ? answers : []) this.#take(answer, undefined);
    } catch (error) {
      this.#note("failed", String(error));
    }
    if (this.#events !== "" && this.#stream === null && this.listens) this.#listen();
  }

  #take(answer: unknown, id: string | undefined): void {
    if (!isObject(answer)) return;
    const text = plain(String(answer["message"]));
    const { options, attributes } = answer;
    const about = isObject(attributes) ? attributes : {};
    if (typeof about["AFTERWORD_EVENTS"] === "string") this.#events = about["AFTERWORD_EVENTS"];
    if (Array.isArray(options) && options.length > 0) this.#choices = options;
    const key = this.#options.lines.keyOf(this.lang, text);
    const agent = typeof about["AFTERWORD_AGENT"] === "string";
    const kind = agent ? "agent" : key === undefined ? "bot" : "line";
    this.#note(kind, text, { ...(key !== undefined && !agent && { key }), ...(id && { id }) });
    const last = this.asked.at(-1);
    if (key === "escalation.not-delivered" && last !== undefined) last.lost = true;
  }

  #listen(): void {
    const stop = new AbortController();
    this.#stream = stop;
    this.#listening = this.#read(stop.signal);
  }

  async #read(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        const session = this.#headers["x-inbenta-session"] ?? "";
        const last = this.#last === "" ? {} : { "last-event-id": this.#last };
        const headers = { "x-inbenta-session": session, ...last };
        const response = await fetch(this.#options.url + this.#events, { headers, signal });
        // A late store is asked again, as clients do.
        if (response.status >= 500) throw new TypeError(`${response.status}`);
        if (!response.ok || response.body === null) throw new Error(`${response.status}`);
        for await (const { event, data, id } of readEvents(response.body)) {
          this.#last = id;
          if (data === "") continue;
          if (event === "answer") this.#take(JSON.parse(data), id);
          if (event === "holder") this.#note("holder", data);
        }
      } catch (error) {
        // A dying machine ends the stream.
        if (!signal.aborted && !(error instanceof TypeError)) {
          this.#note("failed", `the event stream: ${String(error)}`);
        }
      }
      if (!signal.aborted) await sleep(500);
    }
  }

  #note(kind: Moment["kind"], text: string, more: Pick<Moment, "key" | "id"> = {}): void {
    this.timeline.push({ at: Date.now(), kind, text, ...more });
  }

  async #post(
    path: string,
    headers: Record<string, string>,
    body: Record<string, unknown>,
  ): Promise<Record<string, unknown>> {
    const sent = { method: "POST", headers, body: JSON.stringify(body) };
    for (;;) {
      try {
        const response = await fetch(this.#options.url + path, sent);
        const text = await response.text();
        if (!response.ok) throw new Error(`${path}: ${response.status} ${text}`);
        return JSON.parse(text) as Record<string, unknown>;
      } catch (error) {
        // A machine that is down does not answer, so clients send the same bytes again.
        if (!(error instanceof TypeError)) throw error;
        await sleep(200);
      }
    }
  }
}

/** Lines after which the bot has the conversation. */
export const ends: ReadonlySet<string> = new Set(
  ["closed", "ticket", "ticket-number", "ticket-pending", "unknown", "not-now", "declined"].map(
    (name) => `escalation.${name}`,
  ),
);

/** Lines that offer a person, or to take a message. */
const offers: ReadonlySet<string> = new Set(["escalation.offer", "escalation.offer-message"]);

/** Milliseconds within which the same bytes count as one message (docs/escalation.md). */
const repeatable = 4_500;

/** Questions that the demo bot can answer. */
const known = ["Where is my order?", "What are your opening hours?", "How do I return an item?"];

/** A text as the page shows it. */
export function plain(html: string): string {
  return html
    .replaceAll(/<[^>]*>/gu, "")
    .replaceAll(/&(amp|lt|gt|quot|#39);/gu, (_, name: string) => entities[name] ?? "")
    .trim();
}

const entities: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  "#39": "'",
};
