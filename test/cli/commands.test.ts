// Suite: slow
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { LINE_KEYS } from "../../src/config/schema/messages.ts";
import { LOCALES } from "../../src/locales/shipped.ts";
import { startScriptedUpstream, type RecordedRequest } from "../../src/testing/index.ts";
import { valueAt } from "../clients/connectors/client.ts";
import { root, workspace } from "../runtime/processes/processes.ts";
import { engineTexts, shippedTexts } from "../clients/connectors/texts.ts";
import { afterword } from "./terminal.ts";

const shipped = join(root, "config", "afterword.yaml");
const commands = {
  serve: ["--config", "--host", "--port"],
  backend: ["--content", "--database", "--host", "--port"],
  check: ["--config", "--format"],
  coverage: ["--config", "--format"],
  explain: ["--config", "--instance", "--locale", "--channel", "--var", "--format"],
  doctor: ["--config", "--instance"],
};
const json = ["Content-Type", "application/json"];

describe("help", () => {
  it("names every command, and its version", async () => {
    const { version } = JSON.parse(await readFile(join(root, "package.json"), "utf8")) as {
      version: string;
    };
    const { out } = await afterword(["--help"]);
    for (const name of Object.keys(commands)) expect(out).toMatch(new RegExp(`^ +${name} `, "mu"));
    for (const args of [["help"], ["-h"], []]) {
      expect(await afterword(args)).toEqual({ code: 0, out, error: "" });
    }
    expect(await afterword(["--version"])).toEqual({ code: 0, out: `${version}\n`, error: "" });
  });

  it.concurrent.each(Object.entries(commands))("of %s shows its options", async (name, options) => {
    const { code, out, error } = await afterword([name, "--help"]);
    expect([code, error]).toEqual([0, ""]);
    expect(out).toMatch(new RegExp(`^afterword ${name} `, "u"));
    for (const option of [...options, "--help"])
      expect(out).toMatch(new RegExp(`^ +${option}\\b`, "mu"));
    expect(await afterword([name, "--nonsense", "-h"])).toMatchObject({ code: 0, out });
  });
});

describe("unusable arguments", () => {
  it.concurrent.each([
    [["nonsense"], /no command "nonsense" \(serve, /u],
    [["__proto__"], /no command "__proto__"/u],
    [["--nonsense"], /no command "--nonsense"/u],
    [["serve", "--prot", "1"], /--prot.*afterword serve --help/u],
    [["serve", "--port"], /--port.*afterword serve --help/u],
    [["serve", "--port", "x"], /"x" is not a port/u],
    [["serve", "--port", "65536"], /"65536" is not a port/u],
    [["serve", "--port", "-1"], /--port/u],
    [["serve", "extra"], /unexpected argument "extra"/u],
    [["backend", "--port", "8e3"], /"8e3" is not a port/u],
    [["backend", "--trust-proxies", "10.0.0.0/8,proxy"], /not "proxy"/u],
    [["check", "--format", "xml"], /--format is text, json or github, not "xml"/u],
    [["coverage", "--format", "github"], /--format is text or json, not "github"/u],
    [["explain"], /name a file/u],
    [
      ["explain", "--config", shipped, "no-such-file"],
      /no-such-file: there is no such file; name a file/u,
    ],
    [["explain", "--var", "x", "-"], /--var is name=value, not "x"/u],
    [
      ["explain", "--config", shipped, "--instance", "no", "-"],
      /no instance "no" \(shop, modern\)/u,
    ],
    [["explain", "-", "-"], /unexpected argument/u],
    [["doctor", "--config", shipped, "--instance", "no"], /no instance "no" \(shop, modern\)/u],
  ])("%j end in one line and exit code 2", async (args, expected) => {
    const { code, out, error } = await afterword(args);
    expect([code, out, error]).toEqual([2, "", expect.stringMatching(expected)]);
    expect(error).toMatch(/^afterword\b[^\n]*\n$/u);
  });

  it("in the environment end in one line too", async () => {
    const place = await workspace();
    for (const env of [
      { PORT: "http" },
      { AFTERWORD_LOG: "loud" },
      { AFTERWORD_ROUTE_KEYS: "short" },
      { AFTERWORD_DEMO_CREDENTIALS: "yes" },
      { AFTERWORD_DISABLE: "treu" },
      { AFTERWORD_ADMIN_TOKEN: "x" },
    ]) {
      const end = await afterword(["serve", "--config", place.config], {
        env: { PORT: "0", ...env },
      });
      expect(end).toEqual({ code: 2, out: "", error: expect.stringMatching(/^[^\n]+\n$/u) });
    }
  });
});

describe("explain", () => {
  const body = `{"answers": [ {"flags":["no-results"],"message":"Sorry"} ], "n":1.0}`;
  const french = shippedTexts("fr")["no-results"] ?? "";

  it("reads standard input, and shows the rule, the words before and after, and the body", async () => {
    const args = ["explain", "--config", shipped, "--locale", "fr-BE", "-"];
    const { code, out, error } = await afterword(args, { input: body });
    expect([code, error]).toEqual([0, ""]);
    expect(out).toContain("instance shop, locale fr");
    expect(out).toContain("/answers/0/message no-results: rewritten, from shipped fr");
    expect(out).toContain('- "Sorry"');
    expect(out).toContain(`+ ${JSON.stringify(french)}`);
    expect(out.trimEnd().split("\n").at(-1)).toBe(body.replace('"Sorry"', JSON.stringify(french)));
  });

  it("reads a file, and tells the same as JSON", async () => {
    const place = await workspace();
    const file = await place.write("body.json", body);
    const args = ["explain", "--config", place.config, "--instance", "modern", "--locale", "fr"];
    const { code, out } = await afterword([...args, "--format", "json", file]);
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({
      changed: true,
      body: body.replace('"Sorry"', JSON.stringify(french)),
      trace: {
        gate: null,
        instance: "modern",
        locale: "fr",
        steps: [
          { at: "/answers/0/message", flag: "no-results", reason: "rewritten", unexpected: true },
        ],
      },
    });
  });

  it("fills in variables, and goes by channel", async () => {
    const place = await workspace();
    await place.write(
      join("messages", "en.yaml"),
      'no-results: { text: "Nothing, {{name}}.", channels: { voice: "Silence." } }\n',
    );
    const explain = async (...args: string[]): Promise<unknown> => {
      const all = ["explain", "--config", place.config, "--format", "json", ...args, "-"];
      const { out } = await afterword(all, { input: body });
      return valueAt(JSON.parse(String(valueAt(JSON.parse(out), "body"))), "answers", 0, "message");
    };
    expect(String(await explain("--var", "name=Ada"))).toMatch(/^Nothing, \W*Ada\W*\.$/u);
    expect(await explain("--channel", "voice")).toBe("Silence.");
    // Without its variable the text is not used, and Afterword's own is.
    expect(await explain()).toBe(shippedTexts("en")["no-results"]);
  });

  it.concurrent.each([
    ["no JSON", "<html>", "bytes"],
    ["a cut body", '{"answers":[{"flags":["no-results"', "invalid-json"],
    ["an error", '{"errors":[{"code":400,"message":"Session expired"}],"flags":1}', null],
    ["nothing", "", "bytes"],
  ])("leaves %s as it is, and exits 0", async (_what, input, gate) => {
    const args = ["explain", "--config", shipped, "--format", "json", "-"];
    const { code, out } = await afterword(args, { input });
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ changed: false, body: input });
    if (gate !== null)
      expect(JSON.parse(out)).toMatchObject({ trace: { gate: expect.any(String) } });
  });
});

describe("check", () => {
  it("finds nothing wrong with the configuration that npm start runs, and exits 0", async () => {
    expect(await afterword(["check", "--config", shipped])).toEqual({
      code: 0,
      out: `${shipped}, 2 files of texts, 4 of contents: 0 errors, 0 warnings\n`,
      error: "",
    });
    const asJson = await afterword(["check", "--format", "json"], {
      env: { AFTERWORD_CONFIG: shipped },
    });
    expect([asJson.code, JSON.parse(asJson.out)]).toEqual([0, []]);
  });

  it("exits 0 with warnings and 1 with errors, in each format with file, line and column", async () => {
    const place = await workspace();
    await place.write(join("messages", "en.yaml"), 'conversation-link: "What else?"\n');
    const warned = await afterword(["check", "--config", place.config]);
    expect(warned).toMatchObject({
      code: 0,
      out: expect.stringMatching(
        /messages\/en\.yaml:1:1: warning: .*follow-up-question.*\n[^\n]*: 0 errors, 1 warning\n$/su,
      ),
    });
    const file = await place.write(
      join("messages", "en.yaml"),
      'welcome: "Hi"\nno-result: "Nope"\n',
    );
    const run = (format: string) =>
      afterword(["check", "--config", place.config, "--format", format]);
    const [text, asJson, github] = await Promise.all(["text", "json", "github"].map(run));
    expect(text).toMatchObject({
      code: 1,
      out: expect.stringMatching(
        /messages\/en\.yaml:2:1: error: .*no-results.*: 1 error, 0 warnings\n$/su,
      ),
    });
    expect([asJson?.code, JSON.parse(asJson?.out ?? "")]).toMatchObject([
      1,
      [{ severity: "error", file, line: 2, column: 1 }],
    ]);
    expect(github).toMatchObject({
      code: 1,
      out: expect.stringMatching(/^::error file=[^,]+,line=2,col=1,title=[^\n]+\n$/u),
    });
  });

  it("exits 1 when there is no such file", async () => {
    const end = await afterword(["check", "--config", "no-such.yaml"]);
    expect(end).toMatchObject({
      code: 1,
      out: expect.stringContaining("there is no such file"),
    });
  });
});

describe("coverage", () => {
  it("shows every key in every shipped locale, all of them with Afterword's own texts", async () => {
    const { code, out } = await afterword(["coverage", "--config", shipped, "--format", "json"]);
    expect(code).toBe(0);
    const [shop, modern] = JSON.parse(out) as {
      instance: string;
      keys: string[];
      locales: string[];
      states: Record<string, Record<string, string>>;
    }[];
    expect([shop?.instance, modern?.instance]).toEqual(["shop", "modern"]);
    expect([shop?.keys.length, shop?.locales.length]).toEqual([LINE_KEYS.length, LOCALES.length]);
    const states = Object.values(shop?.states ?? {}).flatMap((row) => Object.values(row));
    expect([states.length, new Set(states)]).toEqual([
      LINE_KEYS.length * LOCALES.length,
      new Set(["shipped"]),
    ]);
    // Default content hides these flags, so nobody reads their texts.
    const never = Object.entries(modern?.states ?? {}).filter(([, row]) => row["en"] === "never");
    expect(never.map(([key]) => key)).toEqual(["all-options-discarded", "no-results", "welcome"]);
  });

  it("distinguishes the owner's texts, inherited ones and missing ones", async () => {
    const place = await workspace();
    await place.write(join("messages", "en.yaml"), 'welcome: "Hi"\n');
    await place.write(join("messages", "pt-PT.yaml"), 'no-results: "Nada"\n');
    const written = await readFile(place.config, "utf8");
    await place.write("afterword.yaml", written.replace("use: [own, shipped]", "use: [own]"));
    const { code, out } = await afterword([
      "coverage",
      "--config",
      place.config,
      "--format",
      "json",
    ]);
    expect(code).toBe(0);
    const [{ states }] = JSON.parse(out) as [{ states: Record<string, Record<string, string>> }];
    expect(states["welcome"]).toMatchObject({ en: "own", "pt-PT": "inherited" });
    expect(states["no-results"]).toMatchObject({ en: "missing", "pt-PT": "own" });
  });

  it("draws a matrix without colours into a pipe", async () => {
    const { code, out, error } = await afterword(["coverage", "--config", shipped]);
    expect([code, error]).toEqual([0, ""]);
    expect(out).toContain(`shop: ${LINE_KEYS.length} keys, ${LOCALES.length} locales`);
    expect(out).toMatch(/^no-results +○ /mu);
    expect(out).not.toContain("\u001b");
    expect(Math.max(...out.split("\n").map((line) => line.length))).toBeLessThanOrEqual(80);
  });
});

describe("doctor", () => {
  it("finds all well in front of the embedded backend, and shows what the reader sees", async () => {
    const { config } = await workspace();
    const { code, out, error } = await afterword(["doctor", "--config", config]);
    expect([code, error]).toEqual([0, ""]);
    expect(out.match(/^\S+ +\S+/gmu)?.map((line) => line.split(/ +/u))).toEqual([
      ["ok", "token"],
      ["ok", "discovery"],
      ["ok", "conversation"],
      ["ok", "message"],
      ["ok", "message"],
    ]);
    expect(out).toContain(shippedTexts("en")["no-results"]?.replace("{{query}}", ""));
    expect(out).not.toContain("cure:");
    expect(out).toContain(shippedTexts("en")["welcome"]);
    expect(out).not.toContain(engineTexts("en")["welcome"]);
  });

  const login = { "/v1/auth": [200, '{"accessToken":"t","expires_in":1200}'] } as const;
  const apis = (base: string) => ({ "/v1/apis": [200, `{"apis":{"chatbot":"${base}"}}`] }) as const;
  const start = { "/bot/v1/conversation": [200, '{"sessionToken":"s","sessionId":"1"}'] } as const;

  it.each<readonly [what: string, step: string, script: Script, detail: RegExp, cure: RegExp]>([
    [
      "refuses the secret",
      "token",
      () => ({ "/v1/auth": [401, '{"message":"Unauthorized"}'] }),
      /401: Unauthorized/u,
      /API key or the secret/u,
    ],
    ["does not know the address", "token", () => ({}), /404/u, /without \/v1/u],
    [
      "answers with a web page",
      "token",
      () => ({ "/v1/auth": [200, "<html>"] }),
      /200/u,
      /right address/u,
    ],
    [
      "names no chatbot",
      "discovery",
      () => ({ ...login, "/v1/apis": [200, '{"apis":{}}'] }),
      /200/u,
      /upstream\.apis\.chatbot/u,
    ],
    [
      "names a chatbot that is not allowed",
      "discovery",
      () => ({ ...login, ...apis("https://other.example") }),
      /stays https:\/\/other\.example/u,
      /add "other\.example" to upstream\.allow/u,
    ],
    [
      "names a chatbot at a private address",
      "discovery",
      () => ({ ...login, ...apis("https://127.0.0.2:9/bot") }),
      /stays https:/u,
      /add "127\.0\.0\.2" to upstream\.allow/u,
    ],
    [
      "names a chatbot in plain http",
      "discovery",
      () => ({ ...login, ...apis("http://127.0.0.2:9/bot") }),
      /stays http:/u,
      /name "http:\/\/127\.0\.0\.2:9\/bot" under upstream\.apis/u,
    ],
    [
      "signs what it names",
      "discovery",
      (origin) => ({
        ...login,
        "/v1/apis": [200, `{"apis":{"chatbot":"${origin}/bot"}}`, ["X-Inbenta-Signature", "00"]],
      }),
      /stays http:/u,
      /the upstream signs this answer/u,
    ],
    [
      "refuses the conversation",
      "conversation",
      (origin) => ({
        ...login,
        ...apis(`${origin}/bot`),
        "/bot/v1/conversation": [403, '{"Message":"Forbidden"}'],
      }),
      /403/u,
      /same account/u,
    ],
    [
      "fails at the message",
      "message",
      (origin) => ({
        ...login,
        ...apis(`${origin}/bot`),
        ...start,
        "/bot/v1/conversation/message": [500, '{"errors":[{"code":500,"message":"Boom"}]}'],
      }),
      /500: Boom/u,
      /message/u,
    ],
  ])("names the step and the cure when a vendor %s", async (_what, step, script, detail, cure) => {
    const { code, out, error } = await doctorAgainst(script);
    expect([code, error]).toEqual([1, ""]);
    const failed = out.split("\n").filter((line) => line.startsWith("FAIL"));
    expect(failed).toEqual([expect.stringMatching(new RegExp(`^FAIL +${step} `, "u"))]);
    expect(failed[0]).toMatch(detail);
    expect(out).toMatch(/\n +cure: [^\n]+\n$/u);
    expect(out).toMatch(cure);
    expect(out).not.toContain("s3cret");
  });

  it("finds all well with a vendor that answers, sending what clients send", async () => {
    const requests: RecordedRequest[] = [];
    const { code, out } = await doctorAgainst(
      (origin) => ({
        ...login,
        ...apis(`${origin}/bot`),
        ...start,
        "/bot/v1/conversation/message": [
          200,
          '{"answers":[{"flags":["welcome"],"message":"Hello"}]}',
        ],
      }),
      requests,
    );
    expect([code, out]).toEqual([0, expect.stringContaining(shippedTexts("en")["welcome"] ?? "")]);
    const [first] = requests;
    expect(first?.headers).toContain("k3y");
    expect(new TextDecoder().decode(first?.body)).toBe('{"secret":"s3cret"}');
  });

  const flagged = '{"answers":[{"flags":["no-results"],"message":"Nothing"}]}';
  const titled = `{"answers":[{"flags":[],"message":"We have nothing.","attributes":{"inbMainTitle":"No Results"}}]}`;
  const renamed = titled.replace("No Results", "Nothing found");
  const replacing = "defaultContent: { no-results: replace }";
  const recognizing = 'recognize: { no-results: ["No Results"] }';

  it.each<
    readonly [what: string, settings: string, answer: string, ok: boolean, cure: RegExp | null]
  >([
    ["an old instance that sends the flag", "created: 2018-06-01", flagged, true, null],
    [
      "an old date and default content",
      "created: 2018-06-01",
      titled,
      false,
      /correct created; then.*no-results: replace.*\["No Results"\].*switch the content off/u,
    ],
    [
      "an old date and an answer that the owner may have customized",
      "created: 2018-06-01",
      renamed,
      true,
      /customized at the vendor.*\["Nothing found"\]/u,
    ],
    [
      "a new instance with default content",
      "created: 2021-06-01",
      titled,
      true,
      /as created says.*no-results: replace.*\["No Results"\].*no-results: inactive/u,
    ],
    [
      "a new instance whose default content was switched off",
      "created: 2021-06-01",
      flagged,
      false,
      /the flag came.*defaultContent: \{ no-results: inactive \}/u,
    ],
    [
      "default content that is recognized and keeps its words",
      `created: 2021-06-01, ${recognizing}`,
      titled,
      true,
      /keeps its words.*no-results: replace/u,
    ],
    [
      "default content that is recognized and replaced",
      `created: 2021-06-01, ${replacing}, ${recognizing}`,
      titled,
      true,
      null,
    ],
    [
      "default content that is known by the engine's own text",
      `created: 2021-06-01, ${replacing}`,
      '{"answers":[{"flags":[],"message":"Sorry, we could not find any answers to your question."}]}',
      true,
      null,
    ],
    [
      "default content that was renamed",
      `created: 2021-06-01, ${replacing}, ${recognizing}`,
      renamed,
      false,
      /nothing tells.*recognize: \{ no-results: \["Nothing found"\] \}/u,
    ],
  ])("says what to do about %s", async (_what, settings, answer, ok, cure) => {
    const requests: RecordedRequest[] = [];
    const script: Script = (origin) => ({
      ...login,
      ...apis(`${origin}/bot`),
      ...start,
      "/bot/v1/conversation/message": [200, answer],
    });
    const { code, out } = await doctorAgainst(script, requests, settings);
    expect(code).toBe(ok ? 0 : 1);
    const asked = out.slice(out.indexOf("asked "));
    if (cure === null) expect(asked).not.toContain("cure:");
    else expect(/^ +cure: (.*)$/mu.exec(asked)?.[1]).toMatch(cure);
    const isSaid = asked.includes(`the reader sees: ${shippedTexts("en")["no-results"] ?? ""}`);
    expect(isSaid).toBe(answer === flagged || (settings.includes(replacing) && cure === null));
    expect(out).not.toContain("s3cret");
    // The gateway's own token stays with the gateway.
    expect(requests.flatMap(({ headers }) => headers).join(" ")).not.toMatch(/x-afterword-debug/iu);
  });

  it("names the cure when nobody is there, and when no credentials are", async () => {
    const place = await workspace();
    const gone = await startScriptedUpstream();
    await gone.close();
    const config = await place.write("vendor.yaml", vendor(gone.origin));
    const unreachable = await afterword(["doctor", "--config", config], { env: credentials });
    expect(unreachable).toMatchObject({ code: 1, error: "" });
    expect(unreachable.out).toMatch(
      /^FAIL +token .*502.*unreachable.*\n +cure: .*upstream\.auth.*HTTPS_PROXY/u,
    );
    const bare = vendor(gone.origin, "");
    const without = await afterword(["doctor", "--config", await place.write("vendor.yaml", bare)]);
    expect(without).toMatchObject({ code: 1, out: "" });
    expect(without.error).toMatch(/^[^\n]*no instance has credentials[^\n]*\n$/u);
    // The remedy must be valid YAML when it is pasted.
    const example = /`(credentials: .*?)`/u.exec(without.error)?.[1] ?? "";
    const cured = bare.replace("match: {}", `match: {}, ${example}`);
    expect(cured).not.toBe(bare);
    const env = { API_KEY: "k3y", API_SECRET: "s3cret" };
    const end = await afterword(["doctor", "--config", await place.write("vendor.yaml", cured)], {
      env,
    });
    expect([end.out, end.error]).toEqual([expect.stringMatching(/^FAIL +token /u), ""]);
  });

  it("examines the way through, whatever address others reach the gateway by", async () => {
    const place = await workspace();
    const written = await readFile(place.config, "utf8");
    const listen = 'listen: { publicUrl: "http://127.0.0.1:9/bot" }';
    await place.write("afterword.yaml", written.replace(/^listen: .*$/mu, listen));
    const end = await afterword(["doctor", "--config", place.config]);
    expect(end).toMatchObject({ code: 0, out: expect.stringMatching(/^ok +message /mu) });
  });

  it("works with generated demo credentials", async () => {
    const { config } = await workspace();
    const env = { AFTERWORD_DEMO_CREDENTIALS: "generate" };
    expect(await afterword(["doctor", "--config", config], { env })).toMatchObject({ code: 0 });
  });
});

const CREDENTIALS = `, credentials: { apiKey: "\${VENDOR_KEY}", secret: "\${VENDOR_SECRET}" }`;
const credentials = { VENDOR_KEY: "k3y", VENDOR_SECRET: "s3cret" };

function vendor(origin: string, account = CREDENTIALS, settings = "created: 2018-06-01"): string {
  return `version: 1
upstream: { auth: "${origin}", allow: [127.0.0.1, .0.0.2] }
instances:
  - { name: bot, match: {}, ${settings}${account} }
`;
}

/** Target without a query → status, JSON body and further fields; everything else is 404. */
type Script = (origin: string) => Readonly<Record<string, ScriptedRow>>;
type ScriptedRow = readonly [status: number, body: string, fields?: readonly string[]];

async function doctorAgainst(script: Script, requests: RecordedRequest[] = [], settings?: string) {
  const upstream = await startScriptedUpstream({
    handler(request) {
      requests.push(request);
      const [status, body, fields = []] = script(upstream.origin)[request.target] ?? [
        404,
        '{"message":"Not found"}',
      ];
      return { status, headers: [...json, ...fields], body };
    },
  });
  onTestFinished(() => upstream.close());
  const place = await workspace();
  const config = await place.write("vendor.yaml", vendor(upstream.origin, CREDENTIALS, settings));
  return afterword(["doctor", "--config", config], { env: credentials });
}
