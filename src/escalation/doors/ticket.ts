import type { Answered, TicketDoor } from "../outside.ts";
import { ask, encoded, type Link, mapped, type Question, reading } from "./ask.ts";
import type { Outside } from "./call.ts";
import { createLogin } from "./login.ts";
import { base64 } from "../stores/base64.ts";
import { escaped } from "./escaped.ts";
import { nameOf } from "./person.ts";
import {
  creationIn,
  type Identifier,
  identifierIn,
  ticketsIn,
  userWith,
} from "./ticket-answers.ts";

export interface TicketDoorOptions {
  readonly outside: Outside;
  /** Base that serves /v1/auth and /v1/apis. */
  readonly auth: string;
  /** Base of case management, without `/v1`; null: the one that login names. */
  readonly ticketing: string | null;
  readonly apiKey: string;
  readonly secret: string;
  /** Name of the API key's header, such as `x-vendor-key`. */
  readonly keyHeader: string;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Milliseconds for one call. Default 5000. */
  readonly deadline?: number;
}

/**
 * Case management for escalation. Logs in by itself, once for all who ask at the same time, and
 * once more when a token is refused. One for each instance: it keeps the token.
 *
 * @example
 * const tickets = createTicketDoor({ outside, auth, ticketing: null, apiKey, secret, keyHeader:
 * "x-vendor-key", now: Date.now }); const found = await tickets.find(key);
 */
export function createTicketDoor(options: TicketDoorOptions): TicketDoor {
  const { outside, apiKey, keyHeader, deadline = 5000 } = options;
  const discovers = options.ticketing === null;
  const login = createLogin({ ...options, discovers, deadline });

  const door: TicketDoor = {
    async find(externalId) {
      const found = await listed(externalId);
      if (found.kind === "refused") {
        return cannotFilter.has(found.status) ? unable : found;
      }
      if (found.kind === "failed") return found;
      const tickets = found.value;
      if (tickets === null) return unable;
      const ours = tickets.find((ticket) => ticket.externalId === externalId);
      if (ours !== undefined) return { kind: "ok", value: { id: ours.id, number: ours.number } };
      const [first] = tickets;
      if (first === undefined) return { kind: "ok", value: null };
      // Tickets of other ids: the filter was not looked at, and ours may be on another page.
      if (first.externalId !== null) return unable;
      // The list does not tell ids. What nobody has must find nothing, or the filter is not looked
      // at.
      const nobodys = await listed(`${externalId}-${crypto.randomUUID()}`);
      if (nobodys.kind === "failed") return nobodys;
      if (nobodys.kind === "refused" || nobodys.value?.length !== 0) return unable;
      return { kind: "ok", value: { id: first.id, number: first.number } };
    },

    async create(ticket) {
      const { externalId, person, title, language, fields, transcript, idempotencyKey } = ticket;
      const creator = await creatorOf(externalId, person);
      if (creator.kind === "failed") return { ...creator, sent: false };
      if (creator.kind === "refused") return creator;
      const file = transcript.text === "" ? undefined : await uploaded(transcript);
      const json = {
        ...fields,
        title: title.slice(0, 1000),
        message: file === null ? withTranscript(ticket) : ticket.message,
        creator: creator.value,
        language,
        external_id: externalId,
        ...(file === null || file === undefined ? {} : { attachments: [file] }),
      };
      const question = { name: "ticketing.createTicket", path: "/tickets", ...creating };
      const headers = ["Idempotency-Key", idempotencyKey];
      const answer = await asked({ ...question, headers, json });
      // The key was used before, and for the file of that attempt: the ticket is there.
      if (answer.kind === "refused" && answer.status === 409) {
        const found = await door.find(externalId);
        if (found.kind === "failed") return { ...found, sent: true };
        if (found.kind === "ok" && found.value !== null && found.value !== "unable") {
          return { kind: "ok", value: found.value };
        }
        return answer;
      }
      return reading(answer, question, creationIn);
    },
  };
  return door;

  async function listed(externalId: string): Promise<Answered<ReturnType<typeof ticketsIn>>> {
    const path = `/tickets?external_id=${encoded(externalId)}`;
    return mapped(await asked({ name: "ticketing.tickets", path, ...looking }), ticketsIn);
  }

  /**
   * The user with this e-mail address, who is made where there is none. Nothing of one who is there
   * is changed.
   */
  async function creatorOf(
    externalId: string,
    person: Parameters<typeof nameOf>[0],
  ): Promise<Answered<Identifier>> {
    const told = person.email.trim();
    const address = told === "" ? invalidAddress(externalId) : told;
    const before = await userAt(address);
    if (before.kind === "failed") return before;
    if (before.kind === "ok" && before.value !== null) return { kind: "ok", value: before.value };
    const question = { name: "ticketing.createUser", path: "/users", ...creating };
    const json = { name: nameOf({ ...person, email: told }), address };
    const answer = await asked({ ...question, json });
    // Somebody was faster.
    if (answer.kind === "refused" && answer.status === 409) {
      const meanwhile = await userAt(address);
      if (meanwhile.kind === "failed") return meanwhile;
      if (meanwhile.kind === "refused" || meanwhile.value === null) return answer;
      return { kind: "ok", value: meanwhile.value };
    }
    return reading(answer, question, identifierIn);
  }

  async function userAt(address: string): Promise<Answered<Identifier | null>> {
    const path = `/users?address=${encoded(address)}`;
    const answer = await asked({ name: "ticketing.users", path, ...looking });
    return mapped(answer, (value) => userWith(value, address));
  }

  /**
   * The file's id, or null: a ticket without a file is better than none, and what it held then
   * stands in the message.
   */
  async function uploaded(file: {
    readonly name: string;
    readonly text: string;
  }): Promise<Identifier | null> {
    const question = { name: "ticketing.upload", path: "/media", ...creating };
    const content = base64(new TextEncoder().encode(file.text));
    const answer = await asked({ ...question, json: { name: file.name, content } });
    return answer.kind === "ok" ? identifierIn(answer.value) : null;
  }

  /**
   * One question with a token; a token that is refused is replaced once: it was turned away before
   * anything was done.
   */
  async function asked(question: Question): Promise<Answered<unknown>> {
    const first = await attempt(question);
    if (first.kind !== "refused" || !isTokenTrouble(first.status)) return first;
    return attempt(question);
  }

  async function attempt(question: Question): Promise<Answered<unknown>> {
    const access = await login.current();
    if (access.kind === "failed") return { ...access, sent: false };
    if (access.kind === "refused") return access;
    const { token, apis } = access.value;
    const base =
      options.ticketing ?? (Object.hasOwn(apis, "ticketing") ? apis["ticketing"] : undefined);
    if (base === undefined) {
      const problem = `${question.name}: login names no address of ticketing`;
      return { kind: "refused", status: 404, problem };
    }
    const credentials = [keyHeader, apiKey, "Authorization", `Bearer ${token}`];
    const headers = [...credentials, "Accept", "application/json"];
    const link: Link = { outside, base, headers, deadline };
    const answer = await ask(link, { ...question, path: `/v1${question.path}` });
    if (answer.kind === "refused" && isTokenTrouble(answer.status)) login.forget(token);
    return answer;
  }
}

const looking = { method: "GET", creates: false } as const;
const creating = { method: "POST", creates: true } as const;

const unable = { kind: "ok", value: "unable" } as const;

/** What a service answers that does not know the filter. */
const cannotFilter: ReadonlySet<number> = new Set([400, 404, 405, 406, 410, 422, 501]);

/** An expired token is answered 401 or 403, by service (chatbot.md 2.2). */
function isTokenTrouble(status: number): boolean {
  return status === 401 || status === 403;
}

/**
 * Always the same for one conversation, so that an attempt that is repeated finds its user;
 * nobody's (RFC 2606).
 */
function invalidAddress(externalId: string): string {
  const own = externalId
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, "")
    .slice(-40);
  return `${own === "" ? "reader" : own}@no-reply.invalid`;
}

/** Characters of a transcript that a message carries in place of the file. */
const mostInMessage = 100_000;

function withTranscript({ message, transcript }: Parameters<TicketDoor["create"]>[0]): string {
  return `${message}\n<pre>${escaped(transcript.text.slice(0, mostInMessage))}</pre>`;
}
