import { z } from "zod";
import { FLAG_FACTS, FLAGS, toFlag } from "../../direct-answers/flags.ts";
import { isAddressRange } from "./address.ts";
import { didYouMean } from "./nearest.ts";
import { isRedisAddress, REDIS_ADDRESS_NEEDED } from "./redis-address.ts";
import { escalationSchema } from "./escalation.ts";
import { caller } from "./callers.ts";
import {
  boolean,
  channelName,
  day,
  duration,
  headerName,
  integer,
  languageTag,
  mapping,
  size,
  text,
} from "./values.ts";
import { isUsableEntry, USABLE_ENTRIES } from "./media-types.ts";
import { readStateKeys } from "./state-keys.ts";

// `config/afterword.yaml`, every key of it. What is optional gets its value in compile-config.ts.

const flagName = z.string().refine((name) => toFlag(name) !== null, {
  error: (issue) =>
    `unknown flag "${String(issue.input)}".${didYouMean(String(issue.input), FLAGS)}`,
});

const hideable = FLAG_FACTS.filter((facts) => facts.defaultContent).map((facts) => facts.name);
const defaultContent = mapping(
  Object.fromEntries(hideable.map((name) => [name, z.enum(["active", "inactive"]).optional()])),
);

const format = z.enum(["html", "text"]);

const upstream = z
  .union(
    [
      z.literal("embedded"),
      mapping({
        auth: text.optional().describe("Base that serves /v1/auth, /v1/refreshToken and /v1/apis"),
        chat: text.optional().describe("Base of the live chat"),
        apis: z
          .record(z.string().regex(/^[a-z][a-z0-9_-]*$/), text)
          .optional()
          .describe("Fixed bases by product, instead of discovery"),
        allow: z
          .array(text)
          .optional()
          .describe(
            "Hosts that discovery may name: exact, or .suffix for public addresses below it",
          ),
        keyHeader: headerName.optional().describe("API-key header of Afterword's own calls"),
        timeouts: mapping({
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

const messages = mapping({
  dir: text.optional().describe("Directory of the owner's <locale>.yaml files"),
  use: z
    .array(z.enum(["own", "shipped"]))
    .min(1, { error: "name at least one of own and shipped" })
    .optional()
    .describe("Whose texts speak, the preferred first"),
  fallback: mapping({
    default: languageTag.optional().describe("The locale when nothing else fits"),
    chains: z.record(z.string(), z.array(languageTag)).optional(),
  }).optional(),
});

// As allowEntryProblem in backend/webhooks/allowed.ts reads it.
const HOST_ENTRY =
  /^(?:\.?[\p{L}\p{M}\p{N}_-]+(?:\.[\p{L}\p{M}\p{N}_-]+)*|\[[0-9a-f:.]+\])(?::\d{1,5})?$/iu;
const NO_HOST_ENTRY = "a host such as hooks.example.com, host:port or .suffix is needed here";

const match = mapping({
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
}).describe("All given fields must match; an empty match takes every request");

const credentials = mapping({
  apiKey: text.optional(),
  secret: text.optional(),
  chatApp: text.optional(),
  chatSecret: text.optional(),
  room: z.union([text, z.number()]).optional(),
});

const share = z
  .number()
  .min(0, { error: "a number from 0 to 1 is needed here, such as 0.5" })
  .max(1, { error: "a number from 0 to 1 is needed here, such as 0.5" });

const matching = mapping({
  threshold: share.optional().describe("The best content answers from this score on"),
  offer: share.optional().describe("Below the threshold it is offered from this score on"),
}).optional();

const instance = mapping({
  name: text,
  match: match.optional(),
  language: languageTag.optional().describe("The language when the conversation does not say"),
  created: day
    .optional()
    .describe("When the engine's instance was created; from 2018-10-01 default content is active"),
  defaultContent: defaultContent.optional().describe("Overrides the date, per flag"),
  recognize: z
    .record(flagName, z.array(text))
    .optional()
    .describe("Titles by which active default content is known"),
  restoreFlags: boolean.optional(),
  channel: channelName.optional(),
  channels: z.record(text, channelName).optional().describe("From x-inbenta-source to a channel"),
  format: z
    .union([format, z.record(channelName, format)], {
      error: "html, text, or a mapping from channels (and default) to these is needed here",
    })
    .optional()
    .describe("html escapes inserted values, text does not"),
  variables: z
    .array(
      z.string().regex(/^[A-Za-z_][A-Za-z0-9_.-]*$/, {
        error: "a variable's name is letters, digits, dots, hyphens and underscores",
      }),
    )
    .optional()
    .describe("Conversation variables that texts may use"),
  history: z.enum(["engine", "shown"]).optional(),
  upstream: upstream.optional(),
  messages: messages.optional(),
  escalation: escalationSchema.optional(),
  credentials: credentials.optional(),
  backend: mapping({ matching }).optional(),
});

/** The whole file. */
export const configSchema = mapping({
  version: z.literal(1, { error: "this release reads version: 1" }),
  listen: mapping({
    host: text.optional(),
    port: integer(0, 65_535).optional(),
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
    tls: mapping({ cert: text, key: text }).optional().describe("PEM files"),
  }).optional(),
  data: text.optional().describe("Directory for route keys, embedded database, snapshot cache"),
  upstream,
  instances: z
    .array(instance)
    .min(1, { error: "at least one instance is needed" })
    .optional()
    .describe("First match wins; the last may match all"),
  messages: messages.extend({ acceptLanguage: boolean.optional() }).strict().optional(),
  backend: mapping({
    content: text.optional(),
    database: text.optional().describe("A file, or postgres://…"),
    wire: z.enum(["deployed", "seed"]).optional(),
    webhooks: z
      .array(z.string().regex(HOST_ENTRY, { error: NO_HOST_ENTRY }))
      .optional()
      .describe("Hosts that the webhooks of forms may be on: host, host:port or .suffix"),
    knowledge: mapping({
      emptySearch: z
        .literal([404, 200])
        .optional()
        .describe("Status of a knowledge search that finds nothing"),
      logIp: boolean.optional().describe("Knowledge events carry the reader's address"),
      logUserAgent: boolean.optional().describe("Knowledge events carry the reader's browser"),
    }).optional(),
    matching: matching.describe("When the bot answers, offers, or says that it has no answer"),
    ticketing: mapping({
      mediaTypes: z
        .array(z.string().refine(isUsableEntry, { error: `${USABLE_ENTRIES}, is needed here` }))
        .optional()
        .describe("Files that may be uploaded: extensions such as .md, types such as image/*"),
    }).optional(),
  }).optional(),
  state: mapping({
    store: z
      .string()
      .regex(/^(?:memory|file|rediss?:\/\/\S+)$/, {
        error: "memory, file or an address such as redis://127.0.0.1:6379 is needed here",
      })
      .refine((store) => !/^rediss?:/.test(store) || isRedisAddress(store), {
        error: `${REDIS_ADDRESS_NEEDED} is needed here`,
      })
      .optional(),
    retention: duration
      .optional()
      .describe("How long settled and idle escalations are kept after they were last written"),
    key: z
      .string()
      .refine((keys) => readStateKeys(keys) !== null, {
        error:
          "a key of 32 bytes as hex or base64 is needed here, such as ${AFTERWORD_STATE_KEY}; several are separated by commas",
      })
      .optional()
      .describe("Encrypts what file and Redis keep: the first key encrypts, all decrypt"),
  }).optional(),
  escalation: escalationSchema.optional(),
  callers: z.array(caller).optional(),
  limits: mapping({
    transformBytes: size.optional(),
    requestBytes: size.optional(),
    heldBytes: size.optional().describe("Of request bodies in memory, in one process"),
    inFlight: integer(1, 1_000_000).optional(),
    inFlightPerClient: integer(1, 1_000_000)
      .optional()
      .describe("Of inFlight, for one address; not for loopback and trustProxies"),
    queue: integer(0, 1_000_000).optional(),
    streams: integer(1, 1_000_000).optional(),
  }).optional(),
});

/** The file with parsed values (milliseconds, bytes, canonical tags) and no defaults. */
export type WrittenConfig = z.output<typeof configSchema>;
export type WrittenInstance = z.output<typeof instance>;
export type WrittenUpstream = z.output<typeof upstream>;
export type WrittenMessages = z.output<typeof messages>;
export type WrittenCredentials = z.output<typeof credentials>;
