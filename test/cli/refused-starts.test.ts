// Suite: slow
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { workspace as files } from "../config/workspace.ts";
import { workspace } from "../runtime/processes/processes.ts";
import { afterword } from "./terminal.ts";

describe("a start that fails", () => {
  it("reports in one line that the host is not this machine's", async () => {
    const { config } = await workspace();
    const end = await afterword(
      ["serve", "--config", config, "--port", "0", "--host", "192.0.2.1"],
      {
        // Its log goes to this process's standard error.
        env: { AFTERWORD_DEMO_CREDENTIALS: "generate", AFTERWORD_LOG: "error" },
      },
    );
    expect(end).toMatchObject({ code: 1, out: "" });
    expect(end.error).toMatch(/^192\.0\.2\.1 is no address of this machine: [^\n]+\n$/u);
  });

  it("reports an unknown host before it mentions credentials", async () => {
    const { config } = await workspace();
    const start = ["serve", "--config", config, "--port", "0", "--host", "nobody.invalid"];
    const end = await afterword(start, { env: { AFTERWORD_LOG: "error" } });
    expect(end).toMatchObject({ code: 1, out: "" });
    expect(end.error).toMatch(/^nobody\.invalid is no address of this machine: [^\n]+\n$/u);
  });

  it("names the variable of a file that is not there", async () => {
    const { config } = await workspace();
    const env = { AFTERWORD_ADMIN_TOKENS_FILE: "/nope", AFTERWORD_LOG: "error" };
    const end = await afterword(["serve", "--config", config, "--port", "0"], { env });
    expect(end.error).toContain("AFTERWORD_ADMIN_TOKENS_FILE: there is no file /nope");
  });

  it.each([
    [
      "a misspelt key",
      "created:",
      "craeted:",
      /afterword\.yaml:26:5: error: .*Did you mean "created"\?/u,
    ],
    ["no YAML", "listen: {", "listen: [{", /afterword\.yaml:\d+:\d+: error: /u],
    [
      "a variable that is not set",
      "demo-key",
      '"${NOT_SET_ANYWHERE}"',
      /afterword\.yaml:\d+:\d+: error: .*NOT_SET_ANYWHERE/u,
    ],
  ])("shows where the configuration has %s", async (_what, from, to, expected) => {
    const place = await workspace();
    const written = await readFile(place.config, "utf8");
    await place.write("afterword.yaml", written.replace(from, to));
    const end = await afterword(["serve"], { env: { PORT: "0", AFTERWORD_CONFIG: place.config } });
    expect(end).toMatchObject({ code: 1, out: "", error: expect.stringMatching(expected) });
    expect(end.error).not.toMatch(/^\s+at /mu);
  });

  it("names the missing folder of contents, where others would reach the demo shop", async () => {
    const config = "version: 1\ndata: ./data\nupstream: embedded\n";
    const file = join(await files({ "misspelt/bot.yaml": config }), "misspelt", "bot.yaml");
    const env = { AFTERWORD_DEMO_CREDENTIALS: "generate", AFTERWORD_LOG: "error", HOST: "0.0.0.0" };
    const end = await afterword(["serve", "--config", file, "--port", "0"], { env });
    expect(end).toMatchObject({ code: 1, out: "" });
    expect(end.error).toMatch(/^[^\n]*demo shop's contents[^\n]*misspelt\/backend[^\n]*\n$/u);
  });

  it("shows where a text is wrong, and where a content is", async () => {
    const place = await workspace();
    await place.write(join("messages", "en.yaml"), 'welcom: "Hello"\n');
    const texts = await afterword(["serve", "--config", place.config, "--port", "0"]);
    expect(texts).toMatchObject({
      code: 1,
      error: expect.stringMatching(/messages\/en\.yaml:1:1: error: .*welcome/u),
    });
    await place.write(join("messages", "en.yaml"), "");
    await place.write(join("backend", "shop.en.yaml"), "language: en\ncontents:\n  - { id: 0 }\n");
    const content = await afterword(["serve", "--config", place.config, "--port", "0"]);
    expect(content).toMatchObject({
      code: 1,
      out: "",
      error: expect.stringMatching(/backend\/shop\.en\.yaml:3:\d+: /u),
    });
    expect(texts.error + content.error).not.toMatch(/^\s+at /mu);
  });
});

describe("the demo credentials", () => {
  it.each([
    ["on an address that others reach", { HOST: "0.0.0.0" }, ""],
    ["under a public address", {}, "publicUrl: https://bot.example.com"],
    ["behind a proxy", {}, "trustProxies: [127.0.0.1]"],
  ])("are not offered %s", async (_where, env, line) => {
    const place = await workspace();
    const written = await readFile(place.config, "utf8");
    await place.write(
      "afterword.yaml",
      written.replace(
        /^listen: \{(.*) \}$/mu,
        `listen: {${line === "" ? "$1" : ` port: 0, ${line}`} }`,
      ),
    );
    const end = await afterword(["serve", "--config", place.config], {
      env: { PORT: "0", ...env },
    });
    expect(end).toMatchObject({ code: 1, out: "" });
    expect(end.error).toMatch(
      /^[^\n]*demo credentials[^\n]*AFTERWORD_DEMO_CREDENTIALS=generate[^\n]*\n$/u,
    );
  });
});
