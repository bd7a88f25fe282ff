import { z } from "zod";
import { DEFAULT_CONTENT_SETTINGS } from "../../direct-answers/default-content.ts";
import { FLAG_FACTS } from "../../direct-answers/flags.ts";
import { isAddressRange } from "./address.ts";
import { didYouMean } from "../../yaml/nearest.ts";
import { readMailAddress } from "../../locales/person.ts";
import { isRedisAddress, REDIS_ADDRESS_NEEDED } from "./redis-address.ts";
import { escalationSchema } from "./escalation.ts";
import { caller } from "./callers.ts";
import {
  boolean,
  channelName,
  day,
  duration,
  flagName,
  headerName,
  acceptInteger,
  languageTag,
  spokenLanguage,
  acceptMapping,
  size,
  text,
} from "./values.ts";
import { isUsableEntry, USABLE_ENTRIES } from "./media-types.ts";
import { readStateKeys } from "./state-keys.ts";

// All keys of `config/afterword.yaml`. compile/config.ts fills in the optional ones.

const hideable = FLAG_FACTS.filter((facts) => facts.defaultContent).map((facts) => facts.name);
const defaultContent = acceptMapping(
  Object.fromEntries(
    hideable.map((name) => [
      name,
      z
        .enum(DEFAULT_CONTENT_SETTINGS)
        .optional()
        .describe(
          "Whether default content hides the flag; replace: it does, and your text replaces it where its title or text is recognized",
        ),
    ]),
  ),
);

const format = z.enum(["html", "text"]);

const upstream = z
  .union(
    [
      z.literal("embedded"),
      acceptMapping({
        auth: text.optional(),
        chat: text.optional(),
        apis: z.record(z.string().regex(/^[a-z][a-z0-9_-]*$/), text).optional(),
        allow: z.array(text).optional(),
        keyHeader: headerName.optional(),
        timeouts: acceptMapping({
          connect: duration.optional(),
          headers: duration.optional(),
          total: duration.optional(),
          idle: duration.optional(),
        }).optional(),
      }),
    ],
    {
      error: (issue) =>
        `embedded, or a mapping such as { auth: https://api.example.com }, is needed here.${didYouMean(String(issue.input), ["embedded"])}`,
    },
  )
  .describe("Where the answers come from: embedded, or a vendor's addresses");

const messages = acceptMapping({
  dir: text.optional(),
  use: z
    .array(z.enum(["own", "shipped"]))
    .min(1, { error: "name at least one of own and shipped" })
    .optional(),
  fallback: acceptMapping({
    default: languageTag.optional(),
    chains: z.record(z.string(), z.array(languageTag)).optional(),
  }).optional(),
});

// Must agree with readAllowedHost in backend/webhooks/allowed.ts.
const HOST_ENTRY =
  /^(?:\.?[\p{L}\p{M}\p{N}_-]+(?:\.[\p{L}\p{M}\p{N}_-]+)*|\[[0-9a-f:.]+\])(?::\d{1,5})?$/iu;
const NO_HOST_ENTRY = "a host such as hooks.example.com, host:port or .suffix is needed here";

const match = acceptMapping({
  apiKey: text.optional(),
  host: z
    .string()
    .regex(/^(?:[^\s:/?#@[\]]+|\[[0-9a-fA-F:.]+\])(?::\d{1,5})?$/, {
      error: "a host such as bot.example.com is needed here, without scheme and path",
    })
    .optional(),
  pathPrefix: z
    .string()
    .regex(/^\/[^?#\s]*$/, { error: "a path that starts with / is needed here" })
    .optional(),
}).describe("All given fields must match; an empty match matches every request");

const credentials = acceptMapping({
  apiKey: text.optional().describe("Of the vendor's products"),
  secret: text.optional().describe("Of the vendor's products, as ${NAME}"),
  chatApp: text.optional().describe("Id of the live chat's app"),
  chatSecret: text.optional().describe("Its secret, as ${NAME}"),
  room: z.union([text, z.number()]).optional().describe("Takes handed-over conversations"),
});

const share = z
  .number()
  .min(0, { error: "a number from 0 to 1 is needed here, such as 0.5" })
  .max(1, { error: "a number from 0 to 1 is needed here, such as 0.5" });

const mail = acceptMapping({
  smtp: z
    .string()
    .regex(/^smtps?:\/\/[^\s/]+\/?$/, {
      error: "an address such as smtps://user:password@mail.example.com is needed here, as ${NAME}",
    })
    .refine((address) => !/^smtps?:/.test(address) || URL.canParse(address), {
      error: "this address can't be read: percent-encode special characters of the password",
    })
    .describe("The server that sends mail; smtp: is for STARTTLS"),
  from: z
    .string()
    .refine((sender) => readMailAddress(sender) !== null, {
      error: "a sender such as Shop <help@shop.example> is needed here",
    })
    .describe("The sender"),
  inbound: z
    .string()
    .regex(/^(?:webhook|imaps?:\/\/[^\s/]+(?:\/\S*)?)$/, {
      error: "webhook, or a mailbox such as imaps://user:password@mail.example.com is needed here",
    })
    .optional()
    .describe("Where answers come from; its folder is the path, default INBOX"),
  secret: text
    .min(16, { error: "16 characters or more are needed here" })
    .optional()
    .describe("Signs mails that come by the webhook"),
  acknowledge: text.optional().describe("The text that confirms a new ticket to its person"),
}).describe("E-mail of tickets; absent: mail is neither sent nor promised");

const insights = acceptMapping({
  store: z
    .string()
    .regex(/^(?:file|postgres(?:ql)?:\/\/\S+)$/i, {
      error: "file, or an address such as postgres://user@host:5432/database is needed here",
    })
    .optional()
    .describe("file (insights.db in the data folder, the default), or a PostgreSQL database"),
  questions: boolean
    .optional()
    .describe("Whether questions without an answer are kept, redacted and in groups"),
  retention: duration
    .refine((time) => time >= 86_400_000 && time <= 400 * 86_400_000, {
      error: "between 1d and 400d are needed here",
    })
    .optional()
    .describe("How long questions are kept; daily counts are kept for 400 days"),
  webhook: acceptMapping({
    url: z
      .string()
      .regex(/^https?:\/\/\S+$/i, {
        error: "an address such as https://hooks.example.com/insights is needed here",
      })
      .describe("Receives the sums of the last week every Monday"),
    secret: z
      .string()
      .regex(/^\S{16,}$/, { error: "must have at least 16 characters and no spaces" })
      .describe("Signs them, as ${NAME}"),
  }).optional(),
}).describe("Counts each line that readers get, and what they do next; absent: nothing is counted");

const matching = acceptMapping({
  threshold: share.optional().describe("The best content answers from this score on"),
  offer: share
    .optional()
    .describe(
      "Below the threshold it is offered from this score on; default: 0.25 with few phrases",
    ),
}).optional();

const instance = acceptMapping({
  name: text,
  match: match.optional(),
  language: spokenLanguage.optional(),
  created: day.optional(),
  defaultContent: defaultContent.optional(),
  recognize: z.record(flagName, z.array(text)).optional(),
  restoreFlags: boolean.optional(),
  channel: channelName.optional(),
  channels: z.record(text, channelName).optional(),
  format: z
    .union([format, z.record(channelName, format)], {
      error: "html, text, or a mapping from channels (and default) to these is needed here",
    })
    .optional(),
  variables: z
    .array(
      z.string().regex(/^[A-Za-z_][A-Za-z0-9_.-]*$/, {
        error: "a variable's name is letters, digits, dots, hyphens and underscores",
      }),
    )
    .optional(),
  history: z.enum(["engine", "shown"]).optional(),
  upstream: upstream.optional(),
  messages: messages.optional(),
  escalation: escalationSchema.optional(),
  credentials: credentials.optional(),
  backend: acceptMapping({ matching }).optional(),
});

/** The whole file. */
export const configSchema = acceptMapping({
  version: z
    .literal(1, { error: "this release reads version: 1" })
    .describe("Of this file's format"),
  listen: acceptMapping({
    host: text.optional(),
    port: acceptInteger(0, 65_535).optional(),
    trustProxies: z
      .array(
        z.string().refine(isAddressRange, {
          error: "an IP address or a range such as 10.0.0.0/8 is needed here",
        }),
      )
      .optional(),
    publicUrl: z
      .string()
      .refine((url) => URL.canParse(url) && /^https?:\/\/[^?#]+$/i.test(url), {
        error: "an address such as https://bot.example.com/afterword is needed here",
      })
      .optional(),
    tls: acceptMapping({ cert: text, key: text }).optional().describe("PEM files"),
  }).optional(),
  data: text.optional().describe("Folder for keys, demo credentials, state.db, console.db"),
  upstream,
  instances: z
    .array(instance)
    .min(1, { error: "at least one instance is needed" })
    .optional()
    .describe("First match wins; the last may match all"),
  messages: messages.extend({ acceptLanguage: boolean.optional() }).strict().optional(),
  backend: acceptMapping({
    content: text.optional(),
    database: text.optional(),
    wire: z.enum(["deployed", "seed"]).optional(),
    webhooks: z.array(z.string().regex(HOST_ENTRY, { error: NO_HOST_ENTRY })).optional(),
    knowledge: acceptMapping({
      emptySearch: z.literal([404, 200]).optional(),
      logIp: boolean.optional(),
      logUserAgent: boolean.optional(),
    }).optional(),
    matching: matching,
    ticketing: acceptMapping({
      mediaTypes: z
        .array(z.string().refine(isUsableEntry, { error: `${USABLE_ENTRIES}, is needed here` }))
        .optional(),
    }).optional(),
    mail: mail.optional(),
  }).optional(),
  state: acceptMapping({
    store: z
      .string()
      .regex(/^(?:memory|file|rediss?:\/\/\S+)$/, {
        error: "memory, file or an address such as redis://127.0.0.1:6379 is needed here",
      })
      .refine((store) => !/^rediss?:/.test(store) || isRedisAddress(store), {
        error: `${REDIS_ADDRESS_NEEDED} is needed here`,
      })
      .optional(),
    retention: duration.optional(),
    key: z
      .string()
      .refine((keys) => readStateKeys(keys) !== null, {
        error:
          "a key of 32 bytes as hex or base64 is needed here, such as ${AFTERWORD_STATE_KEY}; several are separated by commas",
      })
      .optional(),
  }).optional(),
  insights: insights.optional(),
  escalation: escalationSchema.optional(),
  console: acceptMapping({
    edit: boolean.optional().describe("false: the console is for reading"),
  }).optional(),
  callers: z.array(caller).optional().describe("Who may use an instance's credentials"),
  limits: acceptMapping({
    transformBytes: size.optional(),
    requestBytes: size.optional(),
    heldBytes: size.optional(),
    inFlight: acceptInteger(1, 1_000_000).optional(),
    inFlightPerClient: acceptInteger(1, 1_000_000).optional(),
    queue: acceptInteger(0, 1_000_000).optional(),
    streams: acceptInteger(1, 1_000_000).optional(),
  }).optional(),
});

/** The file with parsed values (milliseconds, bytes, canonical tags) and no defaults. */
export type WrittenConfig = z.output<typeof configSchema>;
export type WrittenInstance = z.output<typeof instance>;
export type WrittenUpstream = z.output<typeof upstream>;
export type WrittenMessages = z.output<typeof messages>;
export type WrittenCredentials = z.output<typeof credentials>;
