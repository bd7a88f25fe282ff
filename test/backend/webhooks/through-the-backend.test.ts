import { cp, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, expect, it, onTestFinished } from "vitest";
import { createFolder } from "../../fixtures/folder.ts";
import type { WebhookFailure } from "../../../src/backend/options.ts";
import { contentDirectory, open, talk } from "../client.ts";
import type { Json } from "../client.ts";
import { answering } from "./receiver.ts";

let folder: string;

beforeEach(async () => {
  folder = createFolder();
  await cp(join(contentDirectory, "texts"), join(folder, "texts"), { recursive: true });
});

/** A conversation in which the form has just begun, over the routes, with contents from files. */
async function begun(url: string, webhooks: readonly string[], failures: WebhookFailure[] = []) {
  await writeFile(
    join(folder, "contact.yaml"),
    `language: en
contents:
  - id: 1
    title: Contact us
    answer: Let us know.
    form:
      name: contact
      fields: [{ name: email, type: email, question: Your e-mail? }]
      webhook: { url: "${url}", secret: 0123456789abcdef }
      finished: Your ticket is {{ticket}}.
`,
  );
  const backend = await open({
    content: folder,
    webhooks,
    webhookFailed: (failure) => failures.push(failure),
  });
  onTestFinished(() => backend.close());
  const { send, say } = await talk(backend.app, { body: { lang: "en" } });
  await say("contact us");
  return async (message: string): Promise<Json> => (await send({ message })).body.answers;
}

it("a form of a content file is submitted to the address that the configuration allows", async () => {
  const to = await answering({ ok: true, variables: { ticket: "T-5" } });
  const say = await begun(to.url, [`127.0.0.1:${to.port}`]);
  const [answer] = await say("anna@example.com");
  expect(answer).toMatchObject({ message: "Your ticket is T-5.", flags: [] });
  expect(JSON.parse(to.received[0]!.body)).toMatchObject({ values: { email: "anna@example.com" } });
});

it("a form is not submitted to an address that is not allowed, and the reader and the operator are told", async () => {
  const to = await answering({ ok: true });
  const failures: WebhookFailure[] = [];
  const say = await begun(to.url, [], failures);
  expect(await say("anna@example.com")).toMatchObject([{ flags: ["webhook-bad-request"] }]);
  expect(to.connections).toBe(0);
  expect(failures).toMatchObject([{ form: "contact", content: 1, reason: "refused" }]);
});
