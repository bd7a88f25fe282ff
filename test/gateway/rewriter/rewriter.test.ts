import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createRewriter, instanceByName } from "../../../src/gateway/rewriter/rewriter.ts";
import type { RewriteContext } from "../../../src/gateway/rewriter/line-context.ts";
import type { Config } from "../../../src/config/config.ts";
import {
  channel,
  config,
  instance,
  line,
  phrase,
  tables,
  template,
} from "../../fixtures/config.ts";
import { runs } from "../../fixtures/runs.ts";

const texts = {
  en: {
    "no-results": [line("Nothing for {{query}}."), line("Nothing.")],
    welcome: "Hi!",
    "related-title": "See also",
  },
  fr: { "no-results": "Rien.", welcome: "Bonjour {{name}} !" },
  de: { "no-results": "Nichts." },
};

const shop = config(tables(texts));
const encode = (text: string): Uint8Array => new TextEncoder().encode(text);
const flagged = (flag: string): Uint8Array =>
  encode(`{"answers":[{"message":"Old","flags":["${flag}"]}]}`);

/** The text for a context, or null if the original stays. */
function textFor(
  context: RewriteContext,
  { flag = "no-results", from = shop }: { flag?: string; from?: Config } = {},
) {
  const { body, changed } = createRewriter({ config: from, now: () => 0 }).rewrite(
    flagged(flag),
    context,
  );
  let message: unknown = null;
  JSON.parse(new TextDecoder().decode(body), (name, value: unknown) => {
    if (name === "message") message = value;
    return value;
  });
  return changed ? message : null;
}

describe("a rewritten body", () => {
  it("is new, and the trace shows what was done, by which line, in which language", () => {
    const before = flagged("no-results");
    const copy = before.slice();
    const { body, changed, trace } = createRewriter({ config: shop }).rewrite(before, {
      locale: "fr-CA",
      detail: true,
    });
    expect(new TextDecoder().decode(body)).toBe(
      '{"answers":[{"message":"Rien.","flags":["no-results"]}]}',
    );
    expect(before).toEqual(copy);
    expect({ changed, trace }).toEqual({
      changed: true,
      trace: {
        gate: null,
        locale: "fr",
        localeReason: "header parent",
        instance: "shop",
        channel: "",
        steps: [
          {
            at: "/answers/0/message",
            flag: "no-results",
            reason: "rewritten",
            source: { locale: "fr", origin: "own", rule: "no-results" },
            before: '"Old"',
            after: '"Rien."',
          },
        ],
      },
    });
  });

  it.each([
    ["nothing in it can be edited", '{"answers":[{"message":"a","flags":[]}]}', "bytes"],
    ["it is no JSON", '{"flags":["welcome"]', "invalid-json"],
    ["it is no response", '[{"flags":["welcome"]}]', "unknown-shape"],
    ["nobody wrote a text", '{"answers":[{"message":"a","flags":["refinement"]}]}', null],
    ["it says our words already", '{"answers":[{"message":"Hi!","flags":["welcome"]}]}', null],
  ])("is the very same array when %s", (_why, text, gate) => {
    const before = encode(text);
    const { body, changed, trace } = createRewriter({ config: shop }).rewrite(before);
    expect(body).toBe(before);
    expect({ changed, gate: trace.gate }).toEqual({ changed: false, gate });
    expect(trace.localeReason).toBe("instance exact");
    if (gate === "bytes") expect(trace.steps).toEqual([]);
  });

  it("comes with a step for every answer when details are asked for, edited or not", () => {
    const body = encode('{"answers":[{"message":"a","flags":[]}]}');
    const { trace } = createRewriter({ config: shop }).rewrite(body, { detail: true });
    expect(trace).toMatchObject({ gate: null, steps: [{ at: "/answers/0", reason: "no-flag" }] });
  });

  it("is not searched again when the caller has done so", () => {
    const rewriter = createRewriter({ config: shop }).forInstance("shop");
    const body = encode('{"answers":[{"message":"a","flags":[]}]}');
    expect(rewriter?.rewrite(body).trace.gate).toBe("bytes");
    expect(rewriter?.rewrite(body, { isSearched: true }).trace.gate).toBeNull();
  });

  it("is not made of one that is larger than the limit", () => {
    const body = flagged("welcome");
    const limited = (transformBytes: number) =>
      createRewriter({ config: { ...shop, limits: { ...shop.limits, transformBytes } } }).rewrite(
        body,
      ).trace;
    expect(limited(body.length).gate).toBeNull();
    expect(limited(body.length - 1)).toMatchObject({ gate: "size", steps: [] });
  });
});

describe("the locale", () => {
  it("is taken from header, conversation, instance and then the default", () => {
    expect(textFor({ locale: "fr", lang: "de" })).toBe("Rien.");
    expect(textFor({ lang: "de" })).toBe("Nichts.");
    expect(textFor({ lang: "xx" })).toBe("Nothing.");
    const french = { ...shop, instances: [instance({ language: "fr" })] };
    expect(textFor({}, { from: french })).toBe("Rien.");
    expect(textFor({ lang: "de" }, { from: french })).toBe("Nichts.");
  });

  it("is taken from Accept-Language only when the configuration enables it", () => {
    const silent = { ...shop, instances: [instance({ language: "" })] };
    const { trace } = createRewriter({ config: silent }).rewrite(flagged("welcome"));
    expect([trace.locale, trace.localeReason]).toEqual(["en", "default"]);
    expect(textFor({ acceptLanguage: "xx, de;q=0.5" }, { from: silent })).toBe("Nothing.");
    expect(
      textFor({ acceptLanguage: "xx, de;q=0.5" }, { from: { ...silent, acceptLanguage: true } }),
    ).toBe("Nichts.");
  });
});

function asked(request: RewriteContext["request"]) {
  return textFor({ request });
}

function json(value: unknown): Uint8Array {
  return encode(JSON.stringify(value));
}

describe("the query", () => {
  it.each([
    [{ message: "tea" }],
    [{ message: "tea", option: null, directCall: "" }],
    [{ message: "tea", option: "", userMessage: "x" }],
  ])("is the message of %j, read or as bytes", (request) => {
    expect(asked(request)).toBe("Nothing for \u2068tea\u2069.");
    expect(asked(json(request))).toBe("Nothing for \u2068tea\u2069.");
  });

  it.each([
    [{ message: "tea", option: 1 }],
    [{ message: "tea", option: "no" }],
    [{ message: "tea", option: 0 }],
    [{ message: "tea", directCall: "escalationStart" }],
    [{ message: "", directCall: "" }],
    [{ message: " \n" }],
    [{ message: null }],
    [{}],
  ])("is not known from %j, read or as bytes", (request) => {
    expect(asked(request)).toBe("Nothing.");
    expect(asked(json(request))).toBe("Nothing.");
  });

  it("is read from a form too, and from nothing that is neither", () => {
    expect(asked(encode("message=green+tea&option="))).toBe("Nothing for \u2068green tea\u2069.");
    expect(asked(encode("message=tea&option=3"))).toBe("Nothing.");
    expect(asked(encode('{"message":"tea"'))).toBe("Nothing.");
    expect(asked(Uint8Array.of(0xff, 0xfe, 0x3d))).toBe("Nothing.");
    expect(asked(null)).toBe("Nothing.");
    expect(asked({ message: { toString: "x" } })).toBe("Nothing.");
  });

  it("stays text, whatever it contains", () => {
    expect(asked({ message: '{{date}} <b>"x"</b>' })).toBe(
      "Nothing for \u2068{{date}} &lt;b&gt;&quot;x&quot;&lt;/b&gt;\u2069.",
    );
  });

  it("in bytes with escapes is the text it stands for", () => {
    expect(asked(encode('{"message":"th\\u00e9 \\ud83c\\udf75"}'))).toBe(
      "Nothing for \u2068thé 🍵\u2069.",
    );
  });
});

describe("a variable", () => {
  const from: Config = { ...shop, instances: [instance({ variables: ["name"] })] };
  const hello = (variables: Record<string, string>, config = from) =>
    textFor({ locale: "fr", variables }, { flag: "welcome", from: config });

  it("fills its place when the instance lists it, in any case", () => {
    expect(hello({ Name: "Zoé" })).toBe("Bonjour \u2068Zoé\u2069 !");
  });

  it("is not used when the instance doesn't list it", () => {
    expect(hello({ name: "Zoé" }, shop)).toBeNull();
    expect(hello({ other: "Zoé" })).toBeNull();
    const other = { ...shop, instances: [instance({ variables: ["other"] })] };
    expect(hello({ name: "Zoé", other: "x" }, other)).toBeNull();
  });
});

describe("the channel", () => {
  const set = tables(texts, {
    channels: { "": channel(texts), voice: channel({ en: { welcome: "Hello there" } }) },
  });
  const from = {
    ...config(set),
    instances: [
      instance({
        channel: "web",
        channels: { "phone-bot": "voice" },
      }),
    ],
  };
  const hello = (context: RewriteContext) => textFor(context, { flag: "welcome", from });

  it("is the one asked for, else that of the source, else the instance's", () => {
    expect(hello({})).toBe("Hi!");
    expect(hello({ channel: "voice" })).toBe("Hello there");
    expect(hello({ source: "Phone-Bot" })).toBe("Hello there");
    expect(hello({ source: "Phone-Bot", channel: "web" })).toBe("Hi!");
    expect(hello({ source: "constructor" })).toBe("Hi!");
    expect(hello({ channel: "__proto__" })).toBe("Hi!");
  });
});

function picks(each: (i: number) => unknown): number {
  return new Set(Array.from({ length: 40 }, (_, i) => each(i))).size;
}

describe("conditions and variants", () => {
  it("see what the conversation's start said", () => {
    const when = [{ when: { env: "development", userType: "3" }, text: template("For testers") }];
    const from = config(tables({ en: { "no-results": { ...line("For all"), when } } }));
    expect(textFor({ env: "development", userType: "3" }, { from })).toBe("For testers");
    expect(textFor({ env: "development" }, { from })).toBe("For all");
  });

  it("are chosen by session and request, the same on a retry", () => {
    const options = ["A", "B", "C", "D"].map((text) => template(text));
    const from = config(tables({ en: { "no-results": phrase({ variants: options }) } }));
    const pick = (session: string, message: string) =>
      textFor({ session, request: encode(JSON.stringify({ message })) }, { from });
    expect(pick("s", "x")).toBe(pick("s", "x"));
    expect(picks((i) => pick(`s${i}`, "x"))).toBe(4);
    expect(picks((i) => pick("s", `x${i}`))).toBe(4);
    expect(picks((i) => textFor({ session: "s", request: { message: `x${i}` } }, { from }))).toBe(
      4,
    );
  });
});

describe("instances", () => {
  const from: Config = {
    ...config(tables(texts)),
    tableSets: [tables(texts), tables({ en: { welcome: "Other" } })],
    instances: [
      instance({ name: "first", match: { apiKey: "k" } }),
      instance({ name: "second", match: { host: "h" }, tableSet: 1 }),
    ],
  };
  const welcome = (name?: string) =>
    textFor(name === undefined ? {} : { instance: name }, { flag: "welcome", from });

  it("are known by name", () => {
    expect(instanceByName(from, "second")?.tableSet).toBe(1);
    expect(instanceByName(from, "third")).toBeNull();
    const twice = { ...from, instances: [...from.instances, instance({ name: "second" })] };
    expect(instanceByName(twice, "second")?.tableSet).toBe(1);
    expect(instanceByName(from, "__proto__")).toBeNull();
    expect(welcome("second")).toBe("Other");
  });

  it("that match everything speak when none is named, else the first", () => {
    expect(welcome()).toBe("Hi!");
    const all = { ...from, instances: [...from.instances, instance({ name: "all", tableSet: 1 })] };
    expect(textFor({}, { flag: "welcome", from: all })).toBe("Other");
  });

  it("are each rewritten by their own rules, and equal rules are prepared once", () => {
    const rules = from.instances[0]?.rules ?? instance().rules;
    const same = {
      ...from,
      instances: from.instances.map((one) => ({ ...one, rules: { ...rules }, tableSet: 0 })),
    };
    const sharing = createRewriter({ config: same });
    expect(sharing.forInstance("second")?.mayEdit).toBe(sharing.forInstance("first")?.mayEdit);
    const rewriter = createRewriter({ config: from });
    expect(rewriter.forInstance("second")?.instance.name).toBe("second");
    const [first = instance()] = from.instances;
    expect(rewriter.ofInstance(first)?.instance).toBe(first);
    expect(rewriter.ofInstance({ ...first, tableSet: 99 })).toBeNull();
    expect(rewriter.forInstance("third")).toBeNull();
    expect(rewriter.forInstance("first")?.mayEdit(flagged("welcome"))).toBe(true);
    expect(rewriter.forInstance("first")?.mayEdit(encode('{"flags":[]}'))).toBe(false);
  });

  it("that don't exist leave the body alone", () => {
    const body = flagged("welcome");
    const result = createRewriter({ config: from }).rewrite(body, { instance: "third" });
    expect(result).toMatchObject({
      changed: false,
      trace: { gate: "unknown-instance", instance: "third" },
    });
    expect(result.trace).toMatchObject({ locale: "", localeReason: "", channel: "", steps: [] });
    expect(result.body).toBe(body);
  });
});

describe("any response", () => {
  it("never throws and gives the original back", () => {
    const rewriter = createRewriter({ config: shop });
    const context = fc.record(
      {
        instance: fc.anything(),
        locale: fc.anything(),
        channel: fc.anything(),
        variables: fc.anything(),
        session: fc.anything(),
        request: fc.anything(),
        lang: fc.anything(),
        source: fc.anything(),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(
        fc.oneof(fc.anything(), fc.uint8Array()),
        fc.oneof(context, fc.anything()),
        (body, given) => {
          // Values that callers without types may pass.
          const result: { body: unknown; changed: boolean } = Reflect.apply(
            (...input: Parameters<typeof rewriter.rewrite>) => rewriter.rewrite(...input),
            undefined,
            [body, given],
          );
          expect(result.changed || Object.is(result.body, body)).toBe(true);
        },
      ),
      { numRuns: runs(2_000) },
    );
  });

  it.each<[string, Config]>([
    ["a missing table set", { ...shop, tableSets: [] }],
    ["no instance", { ...shop, instances: [] }],
    [
      "a broken table",
      {
        ...shop,
        tableSets: [
          JSON.parse(
            '{"channels":{"":{"en":{"locale":"en","lines":{"welcome":[{"say":{"text":null}}]}}}},"chains":{},"fallback":"en"}',
          ),
        ],
      },
    ],
    [
      "a broken template",
      {
        ...shop,
        tableSets: [
          JSON.parse(
            '{"channels":{"":{"en":{"locale":"en","lines":{"welcome":[{"say":{"text":{"format":"html","parts":[null]}}}]}}}},"chains":{},"fallback":"en"}',
          ),
        ],
      },
    ],
  ])("survives %s with the original, and says `error` in its log", (_what, broken) => {
    const body = flagged("welcome");
    const result = createRewriter({ config: broken }).rewrite(body);
    expect(result.body).toBe(body);
    expect(result.trace.gate).toBe("error");
  });
});
