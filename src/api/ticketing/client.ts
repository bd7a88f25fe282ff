import { toBase64 } from "../../json/bytes.ts";
import { toComparable } from "../../locales/person.ts";
import { walkPages } from "../call/caller.ts";
import type {
  ApiCaller,
  CallInput,
  CallOptions,
  CreateOptions,
  Id,
  ListOptions,
} from "../call/caller.ts";
import { createUnusableAnswerError } from "../call/call-error.ts";
import { type OperationName, routeOf } from "../call/routes.ts";
import { trustAnswer, readListMember, memberOf, readTextMember } from "../call/read.ts";
import type { Media, Queue, TicketReply, Ticket, TicketEvent, User, Webhook } from "./answers.ts";
import type {
  NewMedia,
  NewReply,
  NewUser,
  NewWebhook,
  StartedSurvey,
  TicketChange,
  UserChange,
  WorkTimetable,
  TicketBody,
} from "./schema.ts";

/** The ids of a created record. Calls accept either. `uuid` is as the service returned it. */
export interface CreatedId {
  readonly uuid: Id;
  /** Null if the service has none. */
  readonly hashUuid: string | null;
}

export interface CreatedTicket extends CreatedId {
  /** The number that people see, or null. */
  readonly fullUuid: string | null;
  /** The ticket as the service returned it. Older services return fewer members. */
  readonly ticket: Partial<Ticket>;
}

export type NewTicket = Omit<TicketBody, "creator" | "solver" | "attachments"> & {
  readonly creator: Id;
  readonly solver?: Id | undefined;
  readonly attachments?: readonly Id[] | undefined;
};

export type TicketFilter =
  | { readonly iql: string; readonly sort?: string }
  | (Partial<Readonly<Record<"external_id" | "creator" | "solver" | "parent", Id>>> &
      Partial<Readonly<Record<"queue" | "status" | "source" | "classification", number>>> & {
        readonly sort?: string;
      });

export type UserFilter = Partial<Readonly<Record<"id" | "hash_uuid" | "name" | "address", Id>>>;

/** Case management. Lists request their pages as they are read. */
export interface TicketingClient {
  createUser(user: NewUser, options?: CallOptions): Promise<CreatedId>;
  users(filter?: UserFilter, options?: ListOptions): AsyncIterable<User>;
  /** Finds the user with this e-mail address; null if there is none. */
  findUser(address: string, options?: CallOptions): Promise<User | null>;
  user(id: Id, options?: CallOptions): Promise<User>;
  changeUser(id: Id, change: UserChange, options?: CallOptions): Promise<User>;
  createTicket(ticket: NewTicket, options?: CreateOptions): Promise<CreatedTicket>;
  tickets(filter?: TicketFilter, options?: ListOptions): AsyncIterable<Ticket>;
  ticket(id: Id, options?: CallOptions): Promise<Ticket>;
  changeTicket(id: Id, change: TicketChange, options?: CallOptions): Promise<Ticket>;
  createReply(
    ticket: Id,
    reply: Omit<NewReply, "creator" | "attachments"> & {
      readonly creator: Id;
      readonly attachments?: readonly Id[];
    },
    options?: CreateOptions,
  ): Promise<CreatedId>;
  replies(ticket: Id, options?: ListOptions): AsyncIterable<TicketReply>;
  history(ticket: Id, options?: ListOptions): AsyncIterable<TicketEvent>;
  /** Uploads a file. Its bytes are encoded while they are sent, so that memory holds them once. */
  upload(
    file: NewMedia | { readonly name: string; readonly bytes: Uint8Array },
    options?: CallOptions,
  ): Promise<CreatedId>;
  media(id: Id, options?: CallOptions): Promise<Media>;
  /** Downloads a file as a stream. */
  download(id: Id, options?: CallOptions): Promise<Response>;
  queues(options?: CallOptions): Promise<readonly Queue[]>;
  workTimetable(options?: CallOptions): Promise<WorkTimetable>;
  startSurvey(survey: Id, ticket: Id, options?: CallOptions): Promise<StartedSurvey>;
  submitSurvey(
    survey: Id,
    token: string,
    answers: Readonly<Record<string, string>>,
    options?: CallOptions,
  ): Promise<void>;
  createWebhook(webhook: NewWebhook, options?: CallOptions): Promise<CreatedId>;
  webhooks(options?: ListOptions): AsyncIterable<Webhook>;
  removeWebhook(id: Id, options?: CallOptions): Promise<void>;
}

type Name = OperationName<"ticketing">;

/** Creates the client of case management, which discovery names `ticketing`. */
export function createTicketingClient(caller: ApiCaller): TicketingClient {
  const call = async (name: Name, input: CallInput = {}): Promise<unknown> =>
    (await caller.call(routeOf("ticketing", name), input)).value;
  const record = async <T>(name: Name, input: CallInput): Promise<T> =>
    trustAnswer<T>(await call(name, input));
  const create = async (name: Name, input: CallInput): Promise<CreatedId> =>
    readCreatedId(await call(name, input), name);
  const listPages = <T>(name: Name, input: CallInput, options: ListOptions = {}) =>
    walkPages<T>(
      (page) =>
        call(name, { ...input, signal: options.signal, query: { ...input.query, ...page } }),
      "data",
      options,
    );

  return {
    createUser: (user, options) => create("createUser", { body: user, ...options }),
    users: (filter = {}, options) => listPages("users", { query: filter }, options),
    async findUser(address, options) {
      const answer = await call("users", { query: { address }, ...options });
      // A service that ignores the filter lists strangers, who must not get this user's tickets.
      const found = readListMember(answer, "data").find(
        (one) => toComparable(readTextMember(one, "address") ?? address) === toComparable(address),
      );
      return trustAnswer<User | undefined>(found) ?? null;
    },
    user: (id, options) => record("user", { id, ...options }),
    changeUser: (id, body, options) => record("changeUser", { id, body, ...options }),
    async createTicket(ticket, options) {
      const made = await call("createTicket", { body: ticket, ...options });
      return {
        ...readCreatedId(made, "createTicket"),
        fullUuid: readTextMember(made, "full_uuid"),
        ticket: trustAnswer<Partial<Ticket>>(made),
      };
    },
    tickets: (filter = {}, options) => listPages("tickets", { query: { ...filter } }, options),
    ticket: (id, options) => record("ticket", { id, ...options }),
    changeTicket: (id, body, options) => record("changeTicket", { id, body, ...options }),
    createReply: (id, body, options) => create("createReply", { id, body, ...options }),
    replies: (id, options) => listPages("replies", { id }, options),
    history: (id, options) => listPages("history", { id }, options),
    upload(file, options) {
      const body = "bytes" in file ? () => createUploadBody(file.name, file.bytes) : file;
      return create("upload", { body, ...options });
    },
    media: (id, options) => record("media", { id, ...options }),
    async download(id, options) {
      const input = { id, answer: "bytes", ...options } as const;
      return (await caller.call(routeOf("ticketing", "download"), input)).response;
    },
    queues: async (options) =>
      trustAnswer<readonly Queue[]>(readListMember(await call("queues", options), "data")),
    workTimetable: (options) => record("workTimetable", options ?? {}),
    async startSurvey(id, ticket, options) {
      const body = { sourceType: "ticket", sourceId: String(ticket) };
      const started = await call("startSurvey", { id, body, ...options });
      // Both names of the wrapper are in use.
      return trustAnswer<StartedSurvey>(memberOf(started, "response") ?? memberOf(started, "data"));
    },
    async submitSurvey(id, token, answers, options) {
      const body = { token, field_answers: answers };
      await call("submitSurvey", { id, body, ...options });
    },
    createWebhook: (body, options) => create("createWebhook", { body, ...options }),
    webhooks: (options) => listPages("webhooks", {}, options),
    async removeWebhook(id, options) {
      await call("removeWebhook", { id, answer: "none", ...options });
    },
  };
}

function readCreatedId(value: unknown, name: string): CreatedId {
  const uuid = memberOf(value, "uuid") ?? memberOf(value, "id");
  if (typeof uuid === "number" || (typeof uuid === "string" && uuid !== "")) {
    return { uuid, hashUuid: readTextMember(value, "hash_uuid") };
  }
  throw createUnusableAnswerError(`ticketing.${name}`, "has no uuid.", { status: null });
}

/** In bytes. Three become four characters, so every piece but the last is encoded without padding. */
const pieceLength = 3 * 16_384;

/** Streams `{"name":…,"content":<base64>}`, and encodes the file's bytes piece by piece. */
function createUploadBody(name: string, bytes: Uint8Array): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let at = 0;
  return new ReadableStream({
    start(controller) {
      controller.enqueue(encoder.encode(`{"name":${JSON.stringify(name)},"content":"`));
    },
    pull(controller) {
      if (at < bytes.byteLength) {
        controller.enqueue(encoder.encode(toBase64(bytes.subarray(at, at + pieceLength))));
        at += pieceLength;
        return;
      }
      controller.enqueue(encoder.encode('"}'));
      controller.close();
    },
  });
}
