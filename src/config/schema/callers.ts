import { z } from "zod";
import { acceptInteger, acceptMapping, size, text } from "./values.ts";

// A caller's keys in `config/afterword.yaml`; compile/callers.ts fills in optional ones.

const NO_RATE = "a rate is needed here, such as 60/min, 10/s, 1000/h or 60 (per minute)";

const WINDOWS: ReadonlyMap<string, number> = new Map([
  ["s", 1000],
  ["m", 60_000],
  ["min", 60_000],
  ["h", 3_600_000],
]);

const rate = z
  .union(
    [
      acceptInteger(1, 1_000_000),
      z.string().regex(/^[1-9]\d{0,5} ?\/ ?(?:s|m|min|h)$/, { error: NO_RATE }),
    ],
    { error: NO_RATE },
  )
  .transform((value) => {
    const [calls = "", window = "min"] = String(value).split(/ ?\/ ?/);
    return { calls: Number(calls), milliseconds: WINDOWS.get(window) ?? 60_000 };
  });

const rates = z.union(
  [
    rate.transform((calls) => ({ calls, perClient: undefined })),
    acceptMapping({
      calls: rate.optional().describe("What the caller may do altogether"),
      perClient: rate
        .optional()
        .describe("What one token subject or client address may have of it"),
    }),
  ],
  { error: NO_RATE },
);

const origin = z.string().refine(isOrigin, {
  error: "an origin as browsers write it is needed here, such as https://www.example.com",
});

const jwt = acceptMapping({
  issuer: text.describe("The `iss` of the tokens"),
  audience: text.describe("What stands in their `aud`"),
  algorithms: z
    .array(z.enum(["HS256", "RS256", "ES256", "EdDSA"]))
    .min(1, { error: "name at least one algorithm" })
    .optional()
    .describe("Those that tokens may be signed with"),
  key: text.optional().describe("A public key (PEM), or a shared secret as ${NAME}"),
  jwks: z
    .union(
      [
        text,
        acceptMapping({
          keys: z.array(z.record(z.string(), z.unknown())).min(1).describe("JSON Web Keys"),
        }),
      ],
      {
        error: "the address of a key set, or a mapping with keys, is needed here",
      },
    )
    .optional()
    .describe("A key set: its https address, or the set itself"),
});

const mediaType = z.string().regex(/^[a-z]+\/(?:\*|[a-z0-9][a-z0-9.+-]*)$/, {
  error: "a media type such as image/png or image/* is needed here",
});

/** One entry of `callers`. */
export const caller = acceptMapping({
  name: text.regex(/^[\w.-]{1,64}$/, {
    error: "a caller's name is letters, digits, dots, hyphens and underscores",
  }),
  instance: text.optional(),
  origins: z.array(origin).min(1, { error: "name at least one origin" }).optional(),
  jwt: jwt.optional(),
  key: z
    .union([text, z.array(text).min(1)], { error: "a key, or a list of keys, is needed here" })
    .optional(),
  operations: z.array(text).optional(),
  rate: rates.optional(),
  media: acceptMapping({
    bytes: size.optional(),
    types: z.array(mediaType).optional(),
  }).optional(),
});

export type WrittenCaller = z.output<typeof caller>;
export type WrittenCallerJwt = z.output<typeof jwt>;

/** True for an origin as browsers spell it, without `*`, `null` or a path: it is compared as text. */
function isOrigin(written: string): boolean {
  if (!/^https?:\/\//.test(written) || !URL.canParse(written)) return false;
  return new URL(written).origin === written;
}
