import { toComparable } from "../../locales/person.ts";
import { toBase64, encodeUtf8 } from "../../json/bytes.ts";
import { createAuthCalls } from "../../api/auth/client.ts";
import { type CallInput, createApiCaller } from "../../api/call/caller.ts";
import { type OperationName, routeOf } from "../../api/call/routes.ts";
import { createTokenSource } from "../../api/call/token-source.ts";
import { readListMember, memberOf, readTextMember } from "../../api/call/read.ts";
import type { TicketTranscript } from "../../api/ticketing/schema.ts";
import { escapeMarkup } from "../../locales/markup.ts";
import type { Person } from "../stores/record.ts";
import {
  settleCall,
  type CallResult,
  mapResult,
  readOrThrow,
  type SendCall,
} from "./call-result.ts";
import { choosePersonName } from "./person-name.ts";

/** The calls of case management that escalation needs, with the instance's credentials. */
export interface TicketService {
  /**
   * Finds the ticket with this external id; null if there is none. `unable`: the service cannot
   * search by it, so that a ticket may exist.
   */
  find(externalId: string): Promise<CallResult<{ id: string; number: string } | null | "unable">>;
  create(ticket: TicketRequest): Promise<CallResult<{ id: string; number: string }>>;
}

export interface TicketRequest {
  readonly externalId: string;
  readonly person: Person;
  readonly title: string;
  readonly message: string;
  readonly language: string;
  readonly transcript: { readonly name: string; readonly text: string };
  /** The transcript in parts, for Afterword's own case management. */
  readonly conversation: TicketTranscript;
  readonly fields: { readonly [name: string]: string | number | boolean };
  readonly idempotencyKey: string;
}

export interface TicketServiceOptions {
  readonly send: SendCall;
  /** The base that serves /v1/auth and /v1/apis. */
  readonly auth: string;
  /** The base of case management, without `/v1`; null for the one that discovery names. */
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

type Name = OperationName<"ticketing">;

/** Milliseconds for which a refused login is not tried again. */
const loginPause = 10_000;

/**
 * Creates the calls of one instance. They log in when they need a token, once for all concurrent
 * calls, and once more if the token is refused.
 *
 * @example
 * const tickets = createTicketService(options);
 * const found = await tickets.find(key);
 */
export function createTicketService(options: TicketServiceOptions): TicketService {
  const { auth, ticketing, apiKey, secret, keyHeader, now, deadline = 5000 } = options;
  const send: Parameters<typeof createAuthCalls>[1] = (one) => options.send(one, deadline);
  const login = createAuthCalls({ url: auth, apiKey, secret, keyHeader }, send);
  const discover = ticketing === null ? login.discover : () => Promise.resolve({ ticketing });
  const tokens = createTokenSource({ ...login, discover }, now, loginPause);
  const caller = createApiCaller({ tokens, send, headers: { [keyHeader]: apiKey } });

  const call = async (name: Name, input: CallInput): Promise<unknown> =>
    (await caller.call(routeOf("ticketing", name), input)).value;
  const create = <Value>(
    reader: (value: unknown) => Value | null,
    name: Name,
    input: CallInput,
  ): Promise<CallResult<Value>> =>
    settleCall(true, async () => readOrThrow(`ticketing.${name}`, await call(name, input), reader));

  const service: TicketService = {
    find: (externalId) => findTicket(listTickets, externalId),

    async create(ticket) {
      const { externalId, person, transcript, idempotencyKey } = ticket;
      const creator = await findOrCreateUser(externalId, person);
      if (creator.kind === "failed") return { ...creator, sent: false };
      if (creator.kind === "refused") return creator;
      const file = transcript.text === "" ? undefined : await uploadFile(transcript);
      const body = bodyOf(ticket, creator.value, file);
      const made = await create(ticketIn, "createTicket", { body, idempotencyKey });
      if (made.kind !== "refused" || made.status !== 409) return made;
      // An earlier attempt used this key with its own file, so the ticket exists.
      const found = await service.find(externalId);
      if (found.kind === "failed") return { ...found, sent: true };
      const isFound = found.kind === "ok" && found.value !== null && found.value !== "unable";
      return isFound ? { kind: "ok", value: found.value } : made;
    },
  };
  return service;

  async function listTickets(externalId: string): Promise<CallResult<TicketList>> {
    const query = { external_id: externalId };
    return mapResult(await settleCall(false, () => call("tickets", { query })), ticketsIn);
  }

  /** Finds the user with this address, or creates one. An existing user stays unchanged. */
  async function findOrCreateUser(
    externalId: string,
    person: Person,
  ): Promise<CallResult<Identifier>> {
    const email = person.email.trim();
    const address = email === "" ? createInvalidAddress(externalId) : email;
    const before = await findUserAt(address);
    if (before.kind === "failed") return before;
    if (before.kind === "ok" && before.value !== null) return { kind: "ok", value: before.value };
    const body = { name: choosePersonName({ ...person, email }), address };
    const made = await create(identifierIn, "createUser", { body });
    if (made.kind !== "refused" || made.status !== 409) return made;
    // A concurrent attempt has created the user.
    const meanwhile = await findUserAt(address);
    if (meanwhile.kind === "failed") return meanwhile;
    if (meanwhile.kind === "refused" || meanwhile.value === null) return made;
    return { kind: "ok", value: meanwhile.value };
  }

  async function findUserAt(address: string): Promise<CallResult<Identifier | null>> {
    const answer = await settleCall(false, () => call("users", { query: { address } }));
    return mapResult(answer, (value) => findUserIn(value, address));
  }

  /** Uploads the transcript. Null when that fails: the ticket's message then has its text. */
  async function uploadFile(file: {
    readonly name: string;
    readonly text: string;
  }): Promise<Identifier | null> {
    const content = toBase64(encodeUtf8(file.text));
    const body = { name: file.name, content };
    const answer = await create(identifierIn, "upload", { body });
    return answer.kind === "ok" ? answer.value : null;
  }
}

type TicketList = ReturnType<typeof ticketsIn>;

/** Finds the ticket with an external id, and detects a service that ignores the filter. */
async function findTicket(
  list: (externalId: string) => Promise<CallResult<TicketList>>,
  externalId: string,
): ReturnType<TicketService["find"]> {
  const found = await list(externalId);
  if (found.kind === "refused") return cannotFilter.has(found.status) ? unable : found;
  if (found.kind === "failed") return found;
  const tickets = found.value;
  if (tickets === null) return unable;
  const ours = tickets.find((ticket) => ticket.externalId === externalId);
  if (ours !== undefined) return { kind: "ok", value: { id: ours.id, number: ours.number } };
  const [first] = tickets;
  if (first === undefined) return { kind: "ok", value: null };
  // The service listed tickets with other ids, so it ignores the filter, and ours may be on another page.
  if (first.externalId !== null) return unable;
  // The list has no external ids. If an unknown id finds something, the service ignores the filter.
  const unknown = await list(`${externalId}-${crypto.randomUUID()}`);
  if (unknown.kind === "failed") return unknown;
  if (unknown.kind === "refused" || unknown.value?.length !== 0) return unable;
  return { kind: "ok", value: { id: first.id, number: first.number } };
}

/** Creates the body of a new ticket. `file` is null after a failed upload, undefined without a file. */
function bodyOf(
  ticket: TicketRequest,
  creator: Identifier,
  file: Identifier | null | undefined,
): { readonly [name: string]: unknown } {
  return {
    ...ticket.fields,
    title: ticket.title.slice(0, 1000),
    message: file === null ? appendTranscript(ticket) : ticket.message,
    creator,
    language: ticket.language,
    transcript: ticket.conversation,
    external_id: ticket.externalId,
    ...(file === null || file === undefined ? {} : { attachments: [file] }),
  };
}

const unable = { kind: "ok", value: "unable" } as const;

/** Statuses with which a service answers that does not know the filter. */
const cannotFilter: ReadonlySet<number> = new Set([400, 404, 405, 406, 410, 422, 501]);

/** Creates an address of the reserved domain .invalid (RFC 2606). Retries get the same one. */
function createInvalidAddress(externalId: string): string {
  const own = externalId
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, "")
    .slice(-40);
  return `${own === "" ? "reader" : own}@no-reply.invalid`;
}

/** How many characters of the transcript go into the message if the upload failed. */
const maxInMessage = 100_000;

function appendTranscript({ message, transcript }: TicketRequest): string {
  return `${message}\n<pre>${escapeMarkup(transcript.text.slice(0, maxInMessage))}</pre>`;
}

// These functions read answers of case management. They return null for an unknown shape.

/** An id in the type that the service returned (row 20 of the spellings). */
type Identifier = number | string;

interface ListedTicket {
  readonly id: string;
  /** The number that people see. */
  readonly number: string;
  /** Null if the list does not contain external ids. */
  readonly externalId: string | null;
}

/** Reads a list of tickets; null for a value that is no list. */
function ticketsIn(value: unknown): readonly ListedTicket[] | null {
  if (!Array.isArray(memberOf(value, "data"))) return null;
  return readListMember(value, "data").flatMap((one) => {
    const made = ticketIn(one);
    if (made === null) return [];
    const isNamed = typeof one === "object" && one !== null && Object.hasOwn(one, "external_id");
    const externalId = isNamed ? (readTextMember(one, "external_id") ?? "") : null;
    return [{ ...made, externalId }];
  });
}

/** Reads the id and the printable number of a ticket. */
function ticketIn(value: unknown): { readonly id: string; readonly number: string } | null {
  const id = identifierIn(value);
  if (id === null) return null;
  return { id: String(id), number: readTextMember(value, "full_uuid") ?? String(id) };
}

/** Reads an id, which is named `uuid` in answers to creations, and `id` in lists (row 21). */
function identifierIn(value: unknown): Identifier | null {
  for (const name of ["uuid", "id", "hash_uuid"]) {
    const id = memberOf(value, name);
    if (typeof id === "number" && Number.isFinite(id)) return id;
    if (typeof id === "string" && id !== "") return id;
  }
  return null;
}

/**
 * Finds the user with this address in a list. A service that ignores the filter lists strangers too,
 * who must not get the ticket.
 */
function findUserIn(value: unknown, address: string): Identifier | null {
  const user = readListMember(value, "data").find(
    (one) => toComparable(readTextMember(one, "address") ?? "") === toComparable(address),
  );
  return identifierIn(user);
}
