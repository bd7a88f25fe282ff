import type { CallInput, Caller } from "../caller.ts";
import { unusableAnswer } from "../call-error.ts";
import { walkPages } from "../pages.ts";
import type { PageOptions } from "../pages.ts";
import { documented, listMember, memberOf, textMember } from "../read.ts";
import type {
  Media,
  NewMedia,
  NewReply,
  NewUser,
  NewWebhook,
  Queue,
  Reply,
  StartedSurvey,
  Ticket,
  TicketChange,
  TicketEvent,
  User,
  UserChange,
  Webhook,
  WorkTimetable,
} from "./types.ts";
import type { NewTicket as WireTicket } from "./types.ts";
import { uploadBody } from "./upload-body.ts";

/** An identifier: the number that a service gave out, or a UUID. */
export type Id = number | string;

/**
 * What a creating call gave out. `uuid` is whatever the service calls so; any of the two will do
 * wherever an id is asked for.
 */
export interface CreatedId {
  readonly uuid: Id;
  /** Null where the service has none. */
  readonly hashUuid: string | null;
}

export interface CreatedTicket extends CreatedId {
  /** What people are told, or null. */
  readonly fullUuid: string | null;
  /** The ticket as the service answered it: older services answer less. */
  readonly ticket: Partial<Ticket>;
}

export type NewTicket = Omit<WireTicket, "creator" | "solver" | "attachments"> & {
  readonly creator: Id;
  readonly solver?: Id | undefined;
  readonly attachments?: readonly Id[] | undefined;
};

export interface ListOptions extends CallOptions, PageOptions {}

export interface CallOptions {
  readonly signal?: AbortSignal;
}

export interface CreateOptions extends CallOptions {
  /**
   * The service creates once for one key, so that a call may be made again when its answer was
   * lost.
   */
  readonly idempotencyKey?: string;
}

export type TicketFilter =
  | { readonly iql: string; readonly sort?: string }
  | (Partial<Readonly<Record<"external_id" | "creator" | "solver" | "parent", Id>>> &
      Partial<Readonly<Record<"queue" | "status" | "source" | "classification", number>>> & {
        readonly sort?: string;
      });

export type UserFilter = Partial<Readonly<Record<"id" | "hash_uuid" | "name" | "address", Id>>>;

/** Case management. Lists are walked page by page as they are read. */
export interface TicketingClient {
  createUser(user: NewUser, options?: CallOptions): Promise<CreatedId>;
  users(filter?: UserFilter, options?: ListOptions): AsyncIterable<User>;
  /** The user with this e-mail address, or null. */
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
  replies(ticket: Id, options?: ListOptions): AsyncIterable<Reply>;
  history(ticket: Id, options?: ListOptions): AsyncIterable<TicketEvent>;
  /** Uploads a file. Bytes are encoded on the way, piece by piece: they are never held twice. */
  upload(
    file: NewMedia | { readonly name: string; readonly bytes: Uint8Array },
    options?: CallOptions,
  ): Promise<CreatedId>;
  media(id: Id, options?: CallOptions): Promise<Media>;
  /** The file itself, to be read as it comes. */
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

type Method = "GET" | "POST" | "PUT" | "DELETE";

/** The client of `apis.ticketing`. */
export function ticketingClient(caller: Caller): TicketingClient {
  const call = async (
    name: string,
    method: Method,
    path: string,
    input: CallInput = {},
  ): Promise<unknown> => {
    const operation = { id: `ticketing.${name}`, method, path: `/v1${path}` } as const;
    return (await caller.call(operation, input)).value;
  };
  const record = async <T>(
    name: string,
    method: Method,
    path: string,
    input: CallInput,
  ): Promise<T> => documented<T>(await call(name, method, path, input));
  const pages = <T>(name: string, path: string, input: CallInput, options: ListOptions = {}) =>
    walkPages<T>(
      (query) =>
        call(name, "GET", path, {
          ...input,
          signal: options.signal,
          query: { ...input.query, ...query },
        }),
      "data",
      options,
    );

  return {
    createUser: async (user, options) =>
      createdId(
        await call("createUser", "POST", "/users", { body: user, ...options }),
        "createUser",
      ),
    users: (filter = {}, options) => pages("users", "/users", { query: filter }, options),
    async findUser(address, options) {
      const found = await call("users", "GET", "/users", { query: { address }, ...options });
      return documented<User | undefined>(listMember(found, "data")[0]) ?? null;
    },
    user: (id, options) => record("user", "GET", "/users/{id}", { path: { id }, ...options }),
    changeUser: (id, change, options) =>
      record("changeUser", "PUT", "/users/{id}", { path: { id }, body: change, ...options }),
    async createTicket(ticket, options) {
      const made = await call("createTicket", "POST", "/tickets", { body: ticket, ...options });
      return {
        ...createdId(made, "createTicket"),
        fullUuid: textMember(made, "full_uuid"),
        ticket: documented<Partial<Ticket>>(made),
      };
    },
    tickets: (filter = {}, options) =>
      pages("tickets", "/tickets", { query: { ...filter } }, options),
    ticket: (id, options) => record("ticket", "GET", "/tickets/{id}", { path: { id }, ...options }),
    changeTicket: (id, change, options) =>
      record("changeTicket", "PUT", "/tickets/{id}", { path: { id }, body: change, ...options }),
    createReply: async (ticket, reply, options) => {
      const input = { path: { id: ticket }, body: reply, ...options };
      return createdId(
        await call("createReply", "POST", "/tickets/{id}/replies", input),
        "createReply",
      );
    },
    replies: (ticket, options) =>
      pages("replies", "/tickets/{id}/replies", { path: { id: ticket } }, options),
    history: (ticket, options) =>
      pages("history", "/tickets/{id}/history", { path: { id: ticket } }, options),
    async upload(file, options) {
      const body = "bytes" in file ? () => uploadBody(file.name, file.bytes) : file;
      return createdId(await call("upload", "POST", "/media", { body, ...options }), "upload");
    },
    media: (id, options) => record("media", "GET", "/media/{id}", { path: { id }, ...options }),
    async download(id, options) {
      const operation = {
        id: "ticketing.download",
        method: "GET",
        path: "/v1/media/{id}/content",
      } as const;
      return (await caller.call(operation, { path: { id }, answer: "bytes", ...options })).response;
    },
    queues: async (options) =>
      documented<readonly Queue[]>(
        listMember(await call("queues", "GET", "/queues", options), "data"),
      ),
    workTimetable: (options) =>
      record("workTimetable", "GET", "/settings/work-timetable", options ?? {}),
    async startSurvey(survey, ticket, options) {
      const body = { sourceType: "ticket", sourceId: String(ticket) };
      const input = { path: { id: survey }, body, ...options };
      const started = await call("startSurvey", "POST", "/surveys/{id}/start", input);
      // Both names of the wrapper are in use.
      return documented<StartedSurvey>(memberOf(started, "response") ?? memberOf(started, "data"));
    },
    async submitSurvey(survey, token, answers, options) {
      const body = { token, field_answers: answers };
      await call("submitSurvey", "POST", "/surveys/{id}/submit", {
        path: { id: survey },
        body,
        ...options,
      });
    },
    createWebhook: async (webhook, options) =>
      createdId(
        await call("createWebhook", "POST", "/webhooks", { body: webhook, ...options }),
        "createWebhook",
      ),
    webhooks: (options) => pages("webhooks", "/webhooks", {}, options),
    async removeWebhook(id, options) {
      await call("removeWebhook", "DELETE", "/webhooks/{id}", {
        path: { id },
        answer: "none",
        ...options,
      });
    },
  };
}

function createdId(value: unknown, name: string): CreatedId {
  const uuid = memberOf(value, "uuid") ?? memberOf(value, "id");
  if (typeof uuid === "number" || (typeof uuid === "string" && uuid !== "")) {
    return { uuid, hashUuid: textMember(value, "hash_uuid") };
  }
  throw unusableAnswer(`ticketing.${name}`, "has no uuid.", { status: null });
}
