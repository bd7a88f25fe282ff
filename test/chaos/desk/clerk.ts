import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { isObject } from "../../../src/json/values.ts";
import type { Presence } from "./agent.ts";

/** A text that was written in a chat or ticket, and the service's answer. */
export interface Written {
  readonly kind: "message" | "answer" | "reply" | "note";
  readonly text: string;
  /** `stored`: acknowledged. `refused`: must not be stored. `open`: unknown. */
  state: "open" | "stored" | "refused";
}

export interface ClerkOptions {
  readonly url: string;
  readonly id: string;
  readonly login: string;
  readonly password: string;
  readonly random: () => number;
  /** Milliseconds between two events of a tab, approximately. */
  readonly between: number;
  readonly over: () => boolean;
  /** Notes the clerk's events, to investigate a fault. */
  readonly note: (what: string) => void;
  /** Another clerk, to answer one ticket concurrently, or to take a chat over. */
  readonly colleague: () => Clerk;
  /** Writes in a ticket as its person, while it is merged. */
  readonly replyTo: (ticket: string) => Promise<void>;
  /** Takes the clerk's right to change tickets away, or restores it. */
  readonly permit: (id: string, may: boolean) => Promise<void>;
}

interface Answer {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
  /** An earlier attempt of the same call got no answer. */
  readonly cut: boolean;
}

/**
 * An agent at the desk, with the calls of its page: an event stream while the tab lives, and every
 * message with a key, repeated until the service has answered.
 */
export class Clerk {
  readonly presences: Presence[] = [];
  readonly written: Written[] = [];
  /** The service's violations. */
  readonly problems: string[] = [];
  readonly id: string;
  readonly #options: ClerkOptions;
  readonly #neglected = new Set<string>();
  #token = "";
  #stream: AbortController | null = null;
  #listening: Promise<void> = Promise.resolve();
  #next = 0;
  #counted = 0;

  constructor(options: ClerkOptions) {
    this.#options = options;
    this.id = options.id;
  }

  async work(): Promise<void> {
    const { over, random } = this.#options;
    await this.#come();
    this.#plan();
    while (!over()) {
      await sleep(400 + random() * 800);
      if (Date.now() >= this.#next) await this.#suffer();
      else await this.#act();
    }
  }

  /** Stays until all waiting readers are answered. @param done when the day is over */
  async finish(done: () => boolean): Promise<void> {
    this.#neglected.clear();
    while (!done()) {
      await this.#chats();
      await sleep(500);
    }
  }

  async end(): Promise<void> {
    await this.#leave();
  }

  /** Answers a ticket as it was seen; false if another agent was faster. */
  async answer(ticket: string, seen: unknown): Promise<boolean> {
    // The agent has not come yet.
    if (this.#token === "") return false;
    const one = this.#write("answer");
    const status = this.#options.random() < 0.3 ? 4 : 3;
    const sent = { message: one.text, seen, status };
    const answer = await this.#until("POST", `tickets/${ticket}/replies`, sent);
    one.state = stateAfter(answer);
    // The agent was logged out meanwhile, so a colleague answers.
    if (![200, 401, 403, 404, 409].includes(answer.status)) {
      this.#complain("answers a ticket", answer);
    }
    return answer.status === 200;
  }

  #write(kind: Written["kind"]): Written {
    this.#counted += 1;
    const one: Written = {
      kind,
      text: `${kind} ${this.#counted} of ${this.#options.login}`,
      state: "open",
    };
    this.written.push(one);
    return one;
  }

  #complain(what: string, { status, body }: Answer): void {
    this.problems.push(`${this.#options.login} ${what}: ${status} ${JSON.stringify(body)}`);
  }

  #plan(): void {
    const { random, between } = this.#options;
    this.#next = Date.now() + between * (0.4 + random() * 1.2);
  }

  async #come(): Promise<void> {
    const { login, password } = this.#options;
    const answer = await this.#until("POST", "agents/login", { login, password });
    const { session } = answer.body;
    if (!isObject(session)) return this.#complain("logs in", answer);
    this.#token = String(session["token"]);
    this.#open();
  }

  #open(): void {
    this.presences.push({ from: Date.now(), until: Infinity });
    const stop = new AbortController();
    this.#stream = stop;
    this.#listening = this.#listen(stop.signal);
  }

  /** The tab's stream. Each one shows that the tab lives, and ends after some seconds. */
  async #listen(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        const headers = { "x-hyper-appId": "demo-app", "x-hyper-token": this.#token };
        const response = await fetch(`${this.#options.url}/v1/events`, { headers, signal });
        for await (const _ of response.body ?? []) if (signal.aborted) return;
      } catch {
        await sleep(300);
      }
    }
  }

  async #leave(): Promise<void> {
    const last = this.presences.at(-1);
    if (last?.until === Infinity) last.until = Date.now();
    this.#stream?.abort();
    await this.#listening;
  }

  async #suffer(): Promise<void> {
    const { random, note, over, permit } = this.#options;
    const chance = random();
    const away = 1_000 + random() ** 2 * 70_000;
    const seconds = Math.round(away / 1000);
    if (chance < 0.3) {
      note("reloads the tab");
      await this.#leave();
      await sleep(300);
      this.#open();
    } else if (chance < 0.7) {
      note(`the tab dies, back in ${seconds} s`);
      await this.#leave();
      await this.#wait(away);
      await this.#come();
      note("is back");
    } else if (chance < 0.85) {
      note(`logs out, back in ${seconds} s`);
      await this.#leave();
      await this.#until("POST", "agents/logout", {});
      // The service refuses every call with the token of a session that has ended.
      this.#token = "";
      await this.#wait(away);
      await this.#come();
      note("is back");
    } else {
      note("may not change tickets for a while");
      await permit(this.id, false);
      const until = Date.now() + 8_000;
      while (Date.now() < until && !over()) {
        await this.#act();
        await sleep(500);
      }
      await permit(this.id, true);
      note("may change tickets again");
    }
    this.#plan();
  }

  async #wait(milliseconds: number): Promise<void> {
    const until = Date.now() + milliseconds;
    while (Date.now() < until && !this.#options.over()) await sleep(200);
  }

  async #act(): Promise<void> {
    if (this.#options.random() < 0.7) await this.#chats();
    else await this.#tickets();
  }

  /** Accepts offered and waiting chats, and answers, hands over or closes the clerk's own. */
  async #chats(): Promise<void> {
    const { random } = this.#options;
    const waiting = await this.#list("waiting");
    const open = [...waiting, ...(await this.#list("active"))];
    for (const chat of open) {
      const id = String(chat["id"]);
      const invitation = isObject(chat["invitation"]) ? chat["invitation"] : {};
      if (invitation["userId"] === this.id) await this.#invited(id);
      else if (chat["agent"] === this.id) await this.#answerChat(chat);
      else if (chat["agent"] === null && chat["invitation"] === undefined && random() < 0.15) {
        await this.#until("POST", `chats/${id}/join`, {});
      }
    }
  }

  async #list(status: string): Promise<readonly Readonly<Record<string, unknown>>[]> {
    const { body } = await this.#until("GET", `chats?status=${status}&length=200`);
    const chats = Array.isArray(body["chats"]) ? body["chats"] : [];
    return chats.filter(isObject);
  }

  async #invited(chat: string): Promise<void> {
    const chance = this.#options.random();
    if (chance < 0.15) return;
    const verb = chance < 0.25 ? "reject" : "accept";
    await this.#until("POST", `invitations/${verb}`, { chatId: chat });
    // Some accept, and never write a word.
    if (verb === "accept" && chance > 0.85) this.#neglected.add(chat);
  }

  async #answerChat(chat: Readonly<Record<string, unknown>>): Promise<void> {
    const { random, colleague } = this.#options;
    const id = String(chat["id"]);
    if (this.#neglected.has(id)) return;
    const chance = random();
    if (chat["waitingSince"] !== undefined && chance < 0.5) {
      const one = this.#write("message");
      const answer = await this.#until("POST", `chats/${id}/messages`, {
        sender: this.id,
        message: one.text,
      });
      one.state = stateAfter(answer);
      if (![200, 403, 404, 409].includes(answer.status)) this.#complain("says", answer);
    } else if (chance > 0.99) {
      await this.#until("DELETE", `chats/${id}`, random() < 0.5 ? { reason: "spam" } : {});
    } else if (chance > 0.97 && chat["waitingSince"] === undefined) {
      await this.#until("DELETE", `chats/${id}`, {});
    } else if (chance > 0.955) {
      await this.#until("POST", `chats/${id}/notes`, { text: `note of ${this.#options.login}` });
      await this.#until("POST", `chats/${id}/transfer`, { userId: colleague().id });
    } else if (chance > 0.945) {
      await this.#until("POST", `chats/${id}/toinbox`, {});
    } else if (chance > 0.94) {
      await this.#until("PUT", `chats/${id}/leave`, {});
    }
  }

  /**
   * Answers a ticket, alone or concurrently with a colleague, or merges it while its person writes.
   */
  async #tickets(): Promise<void> {
    const { random, colleague, replyTo } = this.#options;
    const { status, body } = await this.#until(
      "GET",
      `tickets?view=${random() < 0.6 ? "new" : "open"}`,
    );
    if (status !== 200) return;
    const lines = Array.isArray(body["tickets"]) ? body["tickets"].filter(isObject) : [];
    const pick = lines[Math.floor(random() * lines.length)];
    if (pick === undefined) return;
    const id = String(pick["id"]);
    const ticket = (await this.#until("GET", `tickets/${id}`)).body["ticket"];
    const seen = isObject(ticket) ? ticket["seen"] : undefined;
    const chance = random();
    if (chance < 0.35) await this.answer(id, seen);
    else if (chance < 0.65) {
      const both = await Promise.all([this.answer(id, seen), colleague().answer(id, seen)]);
      if (both.every(Boolean)) this.problems.push(`ticket ${id} was answered twice at once`);
    } else if (chance < 0.8) {
      const one = this.#write("note");
      const noted = await this.#until("POST", `tickets/${id}/notes`, { message: one.text });
      one.state = stateAfter(noted);
    } else {
      const into = lines.find((line) => line["user"] === pick["user"] && line["id"] !== pick["id"]);
      const other = into ?? (random() < 0.2 ? lines[0] : undefined);
      if (other === undefined || other["id"] === pick["id"]) return;
      await Promise.all([
        this.#until("POST", `tickets/${id}/merge`, { into: String(other["id"]) }),
        replyTo(id),
        random() < 0.5 ? this.answer(id, seen) : Promise.resolve(false),
      ]);
    }
  }

  /** Repeats one call, with its key, until the service has answered it. */
  async #until(method: string, path: string, body?: object): Promise<Answer> {
    const key = randomUUID();
    for (let cut = false; ; cut = true) {
      try {
        const response = await fetch(`${this.#options.url}/v1/${path}`, {
          method,
          headers: {
            "x-hyper-appId": "demo-app",
            ...(this.#token !== "" && { "x-hyper-token": this.#token }),
            "content-type": "application/json",
            ...(method === "POST" && { "idempotency-key": key }),
          },
          ...(body !== undefined && { body: JSON.stringify(body) }),
        });
        const parsed: unknown = await response.json();
        if (response.status < 500) {
          return { status: response.status, body: isObject(parsed) ? parsed : {}, cut };
        }
        this.problems.push(`${method} ${path}: ${response.status} ${JSON.stringify(parsed)}`);
      } catch {
        // The machine is down.
      }
      await sleep(300);
    }
  }
}

function stateAfter({ status, cut }: Answer): Written["state"] {
  if (status === 200) return "stored";
  return cut ? "open" : "refused";
}
