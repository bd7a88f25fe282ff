/** Who a ticket is from, or who works on it. */
export interface User {
  readonly id: number;
  /** Not guessable: what to show where strangers may see it. */
  readonly hash_uuid: string;
  readonly name: string;
  /** E-mail address. */
  readonly address: string;
  readonly extra: readonly ExtraField[];
  /** Unix seconds. */
  readonly created: number;
  readonly last_update: number;
}

/** A further field of a user, by the number that the project gave it. */
export interface ExtraField {
  readonly id: number;
  readonly content: string;
}

export interface NewUser {
  readonly name: string;
  readonly address: string;
  readonly extra?: readonly ExtraField[] | undefined;
}

/** What of a user can be changed. `extra` replaces the fields that it names. */
export interface UserChange {
  readonly name?: string | undefined;
  readonly address?: string | undefined;
  readonly extra?: readonly ExtraField[] | undefined;
}

/** Numbers of a ticket's states; `TICKET_TRANSITIONS` says which may follow which. */
export type TicketStatus = 1 | 2 | 3 | 4 | 5;

export interface Ticket {
  readonly id: number;
  readonly hash_uuid: string;
  /** What people are told, such as `2H7-418`. */
  readonly full_uuid: string;
  readonly title: string;
  /** HTML; an image whose `src` is `att:<media>` shows an attachment. */
  readonly message: string;
  /** Ids of users. */
  readonly creator: number;
  readonly solver: number | null;
  /** Number of the channel it came through; 3 is chat. */
  readonly source: number;
  readonly queue: number;
  readonly status: TicketStatus;
  readonly classification: number | null;
  /** The id that the ticket has elsewhere, such as that of the chat it was made from. */
  readonly external_id: string | null;
  /** Id of the ticket that this one is a part of. */
  readonly parent: number | null;
  readonly attachments: readonly MediaReference[];
  /** What was said before the ticket was made. */
  readonly history: { readonly messages: readonly PriorMessage[] };
  /** Unix seconds. */
  readonly created: number;
  readonly last_update: number;
}

export interface PriorMessage {
  /** `assistant` for the bot, else `user`. */
  readonly user: string;
  /** HTML. */
  readonly message: string;
}

export interface NewTicket {
  readonly message: string;
  /** Id of the user: a number, the same as text, or a UUID. */
  readonly creator: string;
  readonly title?: string | undefined;
  readonly solver?: string | undefined;
  readonly source?: number | undefined;
  readonly queue?: number | undefined;
  readonly classification?: number | undefined;
  readonly autoclassify?: boolean | undefined;
  readonly external_id?: string | undefined;
  readonly attachments?: readonly string[] | undefined;
  readonly history?: { readonly messages: readonly PriorMessage[] } | undefined;
}

/** What of a ticket can be changed. */
export interface TicketChange {
  readonly title?: string | undefined;
  readonly status?: TicketStatus | undefined;
  readonly queue?: number | undefined;
  readonly classification?: number | undefined;
  readonly solver?: string | undefined;
  readonly external_id?: string | undefined;
  /** Who makes the change; the history names them. */
  readonly actor?: string | undefined;
}

export interface NewReply {
  readonly creator: string;
  readonly message: string;
  readonly attachments?: readonly string[] | undefined;
}

export interface Reply {
  readonly id: number;
  readonly hash_uuid: string;
  readonly ticket: number;
  readonly creator: number;
  readonly message: string;
  /** `reply` from the ticket's creator, `answer` from anybody else. */
  readonly type: "answer" | "reply";
  readonly attachments: readonly MediaReference[];
  readonly created: number;
}

export interface MediaReference {
  readonly id: number;
  readonly hash_uuid: string;
  readonly name: string;
}

export interface Media extends MediaReference {
  readonly type: string;
  /** Bytes. */
  readonly size: number;
  readonly created: number;
  /** False: deleted one hour after `created`. */
  readonly attached: boolean;
}

export interface NewMedia {
  /** With its extension. */
  readonly name: string;
  /** Base64. */
  readonly content: string;
}

/** What happened to a ticket, oldest first. */
export interface TicketEvent {
  readonly id: number;
  readonly action: string;
  readonly field: string | null;
  readonly from: string | null;
  readonly to: string | null;
  readonly actor: number | null;
  /** Unix seconds. */
  readonly timestamp: number;
}

/** What a creating call answers: the number, the UUID, and for a ticket the printable one. */
export interface Created {
  readonly uuid: number | string;
  readonly hash_uuid: string;
  readonly full_uuid?: string | undefined;
}

/** Which records of a list: 50 from the first, unless it says otherwise. */
export interface PageRequest {
  readonly length?: number | undefined;
  readonly offset?: number | undefined;
}

/** Users whose fields have exactly these values. */
export interface UserListing extends PageRequest {
  readonly id?: string | undefined;
  readonly hash_uuid?: string | undefined;
  readonly name?: string | undefined;
  readonly address?: string | undefined;
}

/** How tickets are sorted; `-` turns the order round. */
export type TicketSort = "id" | "-id" | "created" | "-created" | "last_update" | "-last_update";

/** Tickets by `iql`, or by exact values. */
export interface TicketListing extends PageRequest {
  readonly iql?: string | undefined;
  readonly sort?: TicketSort | undefined;
  readonly external_id?: string | undefined;
  readonly creator?: string | undefined;
  readonly solver?: string | undefined;
  readonly parent?: string | undefined;
  readonly queue?: number | undefined;
  readonly status?: number | undefined;
  readonly source?: number | undefined;
  readonly classification?: number | undefined;
}

/** One page of a list, in the order of ids unless it was sorted otherwise. */
export interface Page<T> {
  readonly data: readonly T[];
  readonly hasMore: boolean;
}

/** Which things a registered webhook is told about. */
export type WebhookItem =
  | "alert"
  | "ticket"
  | "reply"
  | "user"
  | "media"
  | "classification"
  | "queue";

export interface NewWebhook {
  readonly item: WebhookItem;
  /** https only. */
  readonly url: string;
  readonly secret: string;
}

export interface Webhook {
  readonly id: number;
  readonly hash_uuid: string;
  readonly item: WebhookItem;
  readonly url: string;
  readonly created: number;
}

/** One element of a delivery, which is always a list. */
export interface WebhookEvent {
  readonly id: number;
  readonly item: WebhookItem;
  readonly action: "add" | "update" | "remove";
  readonly timestamp: number;
  readonly actor: number;
  readonly parent: number | null;
}

/** Hours in which people work, per queue. Times as HH:MM, dates as YYYY-MM-DD. */
export interface WorkTimetable {
  readonly weeks: readonly WorkWeek[];
  readonly holidays: readonly { readonly queueId: number; readonly days: readonly string[] }[];
}

export type WorkWeek = { readonly queueId: number } & {
  readonly [day in Weekday]: readonly { readonly from: string; readonly to: string }[];
};

export type Weekday =
  | "Monday"
  | "Tuesday"
  | "Wednesday"
  | "Thursday"
  | "Friday"
  | "Saturday"
  | "Sunday";

export interface Queue {
  readonly id: number;
  readonly name: string;
}

export interface SurveyItem {
  readonly id: number;
  readonly type: string;
  /** `header` is not a question. */
  readonly subtype: string;
  readonly settings: Readonly<Record<string, unknown>>;
}

export interface SurveyDefinition {
  readonly name: string;
  readonly pages: readonly { readonly id: number; readonly items: readonly SurveyItem[] }[];
  readonly settings: readonly { readonly subtype: string; readonly value: unknown }[];
}

/** A survey that somebody has begun: `token` hands it in. */
export interface StartedSurvey extends Omit<SurveyDefinition, "name"> {
  readonly id: number;
  readonly token: string;
}
