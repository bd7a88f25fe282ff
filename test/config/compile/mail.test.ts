import { join } from "node:path";
import { expect, test } from "vitest";
import { checkConfig } from "../../../src/config/check/check.ts";
import { load, workspace } from "../workspace.ts";

const ENV = { SMTP: "smtps://help:secret@mail.example.com", SECRET: "sixteen or more signs" };

function file(mail: string, more = "upstream: embedded\n"): Record<string, string> {
  return { "afterword.yaml": `version: 1\nbackend:\n  mail: ${mail}\n${more}` };
}

async function findings(mail: string): Promise<readonly string[]> {
  const directory = await workspace({ "locales/en.yaml": "{}\n", ...file(mail) });
  const options = { env: ENV, shipped: join(directory, "locales") };
  const { diagnostics } = await checkConfig(join(directory, "afterword.yaml"), options);
  return diagnostics
    .filter((one) => one.code !== "created-missing" && one.file.endsWith("afterword.yaml"))
    .map(({ code, message }) => `${code} ${message}`);
}

test("e-mail needs a server and a sender alone, and then the lines promise it", async () => {
  const { backend, escalation } = await load(
    file('{ smtp: "${SMTP}", from: Shop <help@shop.example> }'),
    ENV,
  );
  expect(backend.mail).toEqual({
    smtp: ENV.SMTP,
    from: "Shop <help@shop.example>",
    inbound: null,
    acknowledge: null,
  });
  expect(escalation.ticket.email).toBe(true);
});

test.each([
  ["no e-mail is configured", { "afterword.yaml": "version: 1\nupstream: embedded\n" }],
  [
    "tickets may be a vendor's",
    file('{ smtp: "${SMTP}", from: a@b.example }', "upstream: { auth: https://api.example.com }\n"),
  ],
])("nothing is promised where %s", async (_name, files) => {
  expect((await load(files, ENV)).escalation.ticket.email).toBe(false);
});

test.each([
  ["{ smtp: mail.example.com, from: a@b.example }", "an address such as smtps://"],
  ['{ smtp: "${SMTP}", from: Shop }', "a sender such as Shop <help@shop.example>"],
  ['{ smtp: "${SMTP}", from: a@b.example, inbound: pop3://mail }', "webhook, or a mailbox"],
  ['{ smtp: "${SMTP}", from: a@b.example, inbound: webhook }', "set secret too"],
  ['{ smtp: "${SMTP}", from: a@b.example, secret: "${SECRET}" }', "only inbound: webhook"],
  ['{ smtp: "${SMTP}", from: a@b.example, inbound: webhook, secret: short }', "16 characters"],
  [
    "{ smtp: smtps://help:secret@mail.example.com, from: a@b.example }",
    "a secret stands in this file",
  ],
])("%s is found", async (mail, message) => {
  expect(await findings(mail)).toEqual([expect.stringContaining(message)]);
});
