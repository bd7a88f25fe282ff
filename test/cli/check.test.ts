import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { findPackageRoot } from "../../src/config/load/package-root.ts";
import { workspace } from "../config/workspace.ts";
import { afterword } from "./terminal.ts";

const VENDOR = "version: 1\nupstream: { auth: https://api.example.com }\n";
const ENGINE = readFileSync(join(findPackageRoot(), "config/backend/texts/en.yaml"), "utf8");
const CONTENT = { "backend/texts/en.yaml": ENGINE };

async function check(
  files: Record<string, string>,
  options: { format?: string; env?: Record<string, string> } = {},
): Promise<{ code: number; out: string; error: string }> {
  const directory = await workspace(files);
  const { format = "text", env = {} } = options;
  const file = join(directory, "afterword.yaml");
  const result = await afterword(["check", "--config", file, "--format", format], { env });
  const plain = (text: string): string => text.replaceAll(`${directory}/`, "");
  return { code: result.code, out: plain(result.out), error: plain(result.error) };
}

describe("check", () => {
  it("reports warnings beside an error as it does without one", async () => {
    const instances =
      "instances: [{ name: a, match: {}, created: 2019-01-01, variables: [] }]\nupstream: { auth: https://api.example.com }\n";
    const welcome = 'welcome: "Welcome to our little shop"\n';
    const config = `version: 1\n${instances}`;
    const clean = await check({ "afterword.yaml": config, "messages/en.yaml": welcome });
    expect(clean.out).toContain("[hidden-line]");
    const broken = await check({
      "afterword.yaml": config,
      "messages/en.yaml": `${welcome}no-result: "x"\n`,
    });
    expect(broken.code).toBe(1);
    expect(broken.out).toContain("[unknown-flag]");
    expect(broken.out).toContain("[hidden-line]");
    expect(broken.out).toContain("1 error, 1 warning\n");
  });

  it("lists what it read", async () => {
    const texts = {
      "messages/en.yaml": 'welcome: "Hi"\n',
      "messages/fr.yml": 'welcome: "Salut"\n',
    };
    expect((await check({ "afterword.yaml": VENDOR, ...texts })).out).toMatch(
      /^afterword\.yaml, 2 files of texts: 0 errors, \d+ warnings?$/m,
    );
    const own = "language: en\n";
    const embedded = "version: 1\nupstream: embedded\n";
    const { out } = await check({
      "afterword.yaml": embedded,
      "backend/a.en.yaml": own,
      "backend/b.en.yml": own,
      ...CONTENT,
    });
    expect(out).toMatch(/^afterword\.yaml, 0 files of texts, 2 of contents: /m);
    expect((await check({ "afterword.yaml": embedded })).out).toMatch(
      /^afterword\.yaml, 0 files of texts, the demo shop's contents: 0 errors, \d+ warnings?$/m,
    );
    expect((await check({ "afterword.yaml": "listen: 1\n" })).out).toMatch(
      /^afterword\.yaml \(nothing else was read\): \d errors, 0 warnings$/m,
    );
  });

  it("warns of a public address whose proxy is not named", async () => {
    const listen = (rest: string): string =>
      `${VENDOR}listen: { host: 0.0.0.0, publicUrl: "https://bot.example.com"${rest} }\n`;
    const { code, out } = await check({ "afterword.yaml": listen("") });
    expect(out).toMatch(/^afterword\.yaml:3:\d+: warning: .*trustProxies.*\[proxy-not-named\]/mu);
    expect(code).toBe(0);
    const named = await check({ "afterword.yaml": listen(", trustProxies: [10.0.0.0/8]") });
    expect(named.out).not.toContain("proxy-not-named");
    const local = `${VENDOR}listen: { publicUrl: "http://localhost:8787" }\n`;
    expect((await check({ "afterword.yaml": local })).out).not.toContain("proxy-not-named");
  });

  it("warns of a bot without contents, and refuses it where others reach it, as the start does", async () => {
    const embedded = "version: 1\nupstream: embedded\n";
    const alone = await check({ "afterword.yaml": embedded });
    expect(alone.out).toMatch(/^afterword\.yaml:1:1: warning: .*\[demo-content\]/mu);
    expect(alone.code).toBe(0);
    const exposed = await check({ "afterword.yaml": `${embedded}listen: { host: 0.0.0.0 }\n` });
    expect(exposed.out).toMatch(/^afterword\.yaml:1:1: error: .*backend.*\[demo-content\]/mu);
    expect(exposed.code).toBe(1);
  });

  it("prints only the findings in formats for programs", async () => {
    const json = await check({ "afterword.yaml": VENDOR }, { format: "json" });
    expect(Array.isArray(JSON.parse(json.out))).toBe(true);
    expect(json.error).toContain("afterword.yaml, 0 files of texts: ");
    const github = await check(
      { "afterword.yaml": VENDOR, "messages/en.yaml": 'no-results: "{query}?"\n' },
      { format: "github" },
    );
    expect(github.out).toMatch(/^::warning file=.*title=afterword single-brace::/m);
  });

  it.each([
    ["auth", "{ auth: https://api.example.com/v1 }"],
    ["an API", '{ auth: https://api.example.com, apis: { chatbot: "https://c.example.com/v1/" } }'],
  ])("warns of a version in the address of %s", async (_, upstream) => {
    const { code, out } = await check({ "afterword.yaml": `version: 1\nupstream: ${upstream}\n` });
    expect(code).toBe(0);
    expect(out).toContain("[address-version]");
    expect(out).toContain("Write the address without the version at its end.");
  });

  it("warns of a placeholder with one brace, and not of other braces", async () => {
    const { out } = await check({
      "afterword.yaml": VENDOR,
      "messages/en.yaml":
        'no-results: "Nothing for {query}"\nwelcome: "Hello {sorry} {{date}} { maxLength }"\n',
    });
    expect(out.match(/\[single-brace\]/g)).toHaveLength(2);
    expect(out).toContain("Write {{query}}.");
    expect(out).toContain("Write {{maxLength}}.");
  });

  it("warns of a token that is too short", async () => {
    const files = { "afterword.yaml": VENDOR };
    const short = await check(files, { env: { AFTERWORD_ADMIN_TOKEN: "hunter2" } });
    expect(short.out).toContain("AFTERWORD_ADMIN_TOKEN has 7 characters, and 16 are needed");
    expect(short.out).not.toContain("hunter2");
    const long = await check(files, { env: { AFTERWORD_ADMIN_TOKEN: "0123456789abcdef" } });
    expect(long.out).not.toContain("short-token");
  });

  describe("of a form", () => {
    const contents = (form: string): Record<string, string> => ({
      ...CONTENT,
      "backend/a.en.yaml": `language: en
contents:
  - id: 1
    title: Course
    answer: "<p>Yes</p>"
    form:
      name: course
      fields: [{ name: child, type: text, question: "Who, {{name}}?" }]
${form}`,
    });
    const embedded =
      "version: 1\nupstream: embedded\ninstances: [{ name: a, match: {}, variables: [name], created: 2018-01-01 }]\nbackend: { webhooks: [.hooks.example.com] }\n";

    it("warns of a placeholder that is neither a field nor a variable", async () => {
      const { out } = await check({
        "afterword.yaml": embedded,
        ...contents('      finished: "Thanks, {{kid}} and {{child}}, until {{sys_now}}"\n'),
      });
      expect(out.match(/\[unknown-placeholder\]/g)).toHaveLength(1);
      expect(out).toContain("{{kid}} is neither a field of this form nor a known variable");
    });

    it("leaves names to the webhook that may set them", async () => {
      const { out } = await check({
        "afterword.yaml": embedded,
        ...contents(
          '      finished: "Thanks, {{ticket}}"\n      webhook: https://a.hooks.example.com/x\n',
        ),
      });
      expect(out).not.toContain("[unknown-placeholder]");
      expect(out).not.toContain("[webhook-refused]");
    });

    it.each([
      ["https://other.example.com/x", "other.example.com"],
      ["http://a.hooks.example.com/x", "a.hooks.example.com"],
    ])("warns of the webhook %s that will not be called", async (url, host) => {
      const { out } = await check({
        "afterword.yaml": embedded,
        ...contents(`      finished: "Thanks"\n      webhook: ${url}\n`),
      });
      expect(out).toContain("[webhook-refused]");
      expect(out).toContain(host);
    });
  });

  it.each([
    ["Rien: x", "Put the text in quotes."],
    ["@shop is here", "Put the text in quotes."],
    ["{{query}} rien", "Put the text in quotes."],
    ["'it's", "Put the text in quotes."],
    ['"Hi" there', "Put the text in quotes."],
  ])("has one error and its cure for the text %s", async (text, cure) => {
    const { out } = await check({
      "afterword.yaml": VENDOR,
      "messages/fr.yaml": `welcome: "x"\nno-results: ${text}\n`,
    });
    expect(out).toContain(cure);
    expect(out).toContain("messages/fr.yaml:2:");
    expect(out).toMatch(/: 1 error, /);
  });

  it("has one error and its cure for a tab", async () => {
    const { out } = await check({
      "afterword.yaml": VENDOR,
      "messages/fr.yaml": 'no-results:\n\ttext: "x"\n\tchannels: { web: "y" }\nwelcome: "x"\n',
    });
    expect(out).toContain("Put spaces in place of every such tab.");
    expect(out).toMatch(/: 1 error, /);
  });
});
