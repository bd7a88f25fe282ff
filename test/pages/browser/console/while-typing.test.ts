import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import type { Draft, Publication } from "../../../../src/api/console.ts";
import { createFolder } from "../../../fixtures/folder.ts";
import { PAUL, type Served } from "../../../gateway/console/console.ts";
import { servedOwnBot } from "../../../gateway/console/own-bot.ts";
import { axe } from "../chromium.ts";
import { openConsoleAt, sentence, stayOnReload } from "./console-page.ts";

/** No content leads to another, so each can be deleted. The first is in French too. */
const EN = `language: en
contents:
  - id: 1
    title: Where is my order?
    answer: "<p>Open the tracking link.</p>"
  - id: 2
    title: Delivery times
    answer: "<p>Two to four working days.</p>"
  - id: 3
    title: Help with a complaint
    answer: "<p>What is it about?</p>"
`;

const RITA = "token-of-rita-123456789";
const KIM = "token-of-kim-1234567890";

/** A console whose tokens come from a file, opened with Rita's. */
async function openedByRita() {
  const file = join(createFolder(), "tokens");
  const give = (...lines: readonly string[]) => writeFile(file, lines.join("\n"), { mode: 0o600 });
  await give(`rita:publish:${RITA}`);
  const house = await servedOwnBot({ "backend/shop.en.yaml": EN }, "", undefined, {
    AFTERWORD_ADMIN_TOKENS_FILE: file,
  });
  const page = await openConsoleAt(house.running.url, `#${RITA}`, {}, /401|403/);
  page.setDefaultTimeout(10_000);
  return { ...house, page, give };
}

/** The same, opened with Paul's token, while others work with theirs. */
async function openedByPaul(): Promise<Served & { readonly page: Page }> {
  const house = await servedOwnBot({ "backend/shop.en.yaml": EN });
  const page = await openConsoleAt(house.running.url, `#${PAUL}`, {}, /404|409/);
  page.setDefaultTimeout(10_000);
  return { ...house, page };
}

async function openContent(page: Page, title: string): Promise<void> {
  await page.getByRole("link", { name: "Contents", exact: true }).click();
  await page.getByRole("link", { name: title }).click();
  await page.getByLabel("Title").waitFor();
}

async function publishDeletion({ api }: Served, id: number): Promise<void> {
  const json = { fields: null };
  const put = await api(`draft/contents/en/${id}`, { method: "PUT", json });
  const published = await api("draft/publish", { json: { warnings: true } });
  expect([put.status, published.status]).toEqual([200, 200]);
}

async function draftOf({ api }: Served, token: string): Promise<Draft["contents"]> {
  return ((await api("draft", { token })).body as Draft).contents;
}

/** Gives another token for the same page. */
async function openWith(page: Page, token: string): Promise<void> {
  await page.getByRole("button", { name: "Close the console" }).click();
  await page.getByLabel("Token").fill(token);
  await page.getByRole("button", { name: "Open", exact: true }).click();
}

/** Keeps the page from reading again what its token may do, until the returned function is called. */
async function holdSession(page: Page): Promise<() => Promise<void>> {
  const released = Promise.withResolvers<void>();
  await page.getByRole("button", { name: "Close the console" }).waitFor();
  await page.route(/\/api\/session$/, async (route) => {
    await released.promise;
    await route.continue();
  });
  return async () => {
    const read = page.waitForResponse(/\/api\/session$/);
    released.resolve();
    await (await read).finished();
  };
}

const titleIn = (page: Page) => page.getByLabel("Title").inputValue();

describe("an owner who types while the token's right is withdrawn", () => {
  for (const [what, left, why] of [
    ["is only for reading", `rita:view:${RITA}`, "Your token may not do this."],
    [
      "is only for French",
      `rita:edit:fr:${RITA}`,
      "Your token may change these languages: French.",
    ],
    ["is gone", `ann:view:token-of-ann-1234567890`, "This token is not known here."],
  ] as const) {
    it(`reads why it is not saved, and saves it with another token, when the token ${what}`, async () => {
      const house = await openedByRita();
      const { page, give } = house;
      await openContent(page, "Delivery times");
      await give(left, `kim:publish:${KIM}`);
      await page.getByLabel("Title").fill("Delivery days");
      const alert = page.locator(".worded").getByRole("alert");
      await alert.getByText(why).waitFor();
      await alert.getByText("What you typed stays in this tab.").waitFor();
      expect(await axe(page)).toEqual([]);
      await page.getByLabel("Other ways to ask").fill("how fast");
      // The other views say it too, and lead back.
      await page.getByRole("link", { name: "Try", exact: true }).click();
      await page.getByRole("alert").getByText("What you typed stays in this tab.").waitFor();
      await openWith(page, KIM);
      await page.getByRole("alert").getByRole("link", { name: "Open this content" }).click();
      await page.getByText("Saved in your draft.").waitFor();
      expect(await titleIn(page)).toBe("Delivery days");
      const after = { title: "Delivery days", alternatives: ["how fast"] };
      expect(await draftOf(house, KIM)).toMatchObject([{ id: 2, after }]);
      expect(await page.getByRole("alert").count()).toBe(0);
    });
  }

  it("keeps the form in which a text is not saved, while the page learns of the right", async () => {
    const { page, give } = await openedByRita();
    const learn = await holdSession(page);
    await openContent(page, "Delivery times");
    await give(`rita:view:${RITA}`);
    await page.getByLabel("Title").fill("Delivery days");
    await page.locator(".worded").getByText("What you typed stays in this tab.").waitFor();
    await learn();
    await page.getByLabel("Title").pressSequentially("!");
    await page.getByLabel("Other ways to ask").fill("how fast");
    expect(await titleIn(page)).toBe("Delivery days!");
  });

  it("keeps the text of a line in the form, while the page learns of the right", async () => {
    const { page, give } = await openedByRita();
    const learn = await holdSession(page);
    await sentence(page, "no-results, English: Afterword’s").click();
    await page.getByLabel("Your text").waitFor();
    await give(`rita:view:${RITA}`);
    await page.getByLabel("Your text").fill("Nothing, alas.");
    await page.locator(".editor").getByText("What you typed stays in this tab.").waitFor();
    await learn();
    await page.getByLabel("Your text").pressSequentially(" Sorry.");
    expect(await page.getByLabel("Your text").inputValue()).toBe("Nothing, alas. Sorry.");
  });

  it("is asked before the page goes, also while it asks for a token", async () => {
    const { page, give } = await openedByRita();
    await openContent(page, "Delivery times");
    await give(`kim:publish:${KIM}`);
    await page.getByLabel("Title").fill("Delivery days");
    await page.getByText("What you typed stays in this tab.").waitFor();
    await page.getByRole("button", { name: "Close the console" }).click();
    await page.getByLabel("Token").fill(KIM);
    await stayOnReload(page);
    await page.getByRole("button", { name: "Open", exact: true }).click();
    await page.getByText("Saved in your draft.").waitFor();
    expect(await titleIn(page)).toBe("Delivery days");
  });

  it("keeps the text of a line as well", async () => {
    const { page, api, give } = await openedByRita();
    await sentence(page, "no-results, English: Afterword’s").click();
    await page.getByLabel("Your text").waitFor();
    await give(`rita:view:${RITA}`, `kim:publish:${KIM}`);
    await page.getByLabel("Your text").fill("Nothing, alas.");
    await page.locator(".editor").getByText("What you typed stays in this tab.").waitFor();
    await openWith(page, KIM);
    await page.getByText("Saved in your draft").waitFor();
    const { changes } = (await api("draft", { token: KIM })).body as Draft;
    expect(changes).toMatchObject([{ key: "no-results", text: "Nothing, alas." }]);
  });
});

describe("an owner who types while somebody else deletes the content", () => {
  const deleted = "Somebody has deleted this content in the meantime. What you typed is not lost";

  it("reads it there, finds the words again, and puts the whole content back", async () => {
    const house = await openedByPaul();
    const { page } = house;
    await openContent(page, "Delivery times");
    await publishDeletion(house, 2);
    await page.getByLabel("Title").fill("Delivery days");
    await page.locator(".theirs").getByText(deleted).waitFor();
    expect(await axe(page)).toEqual([]);
    await page.getByRole("link", { name: "Health" }).click();
    await page.getByRole("alert").getByText(deleted).waitFor();
    await page.getByRole("link", { name: "Open this content" }).click();
    await expect.poll(() => titleIn(page)).toBe("Delivery days");
    await page.getByRole("button", { name: "Restore" }).click();
    await page.getByText("Saved in your draft.").waitFor();
    expect(await page.getByRole("alert").count()).toBe(0);
    const after = { title: "Delivery days", answer: ["<p>Two to four working days.</p>"] };
    expect(await draftOf(house, PAUL)).toMatchObject([{ id: 2, before: null, after }]);
    await page.reload();
    await expect.poll(() => titleIn(page)).toBe("Delivery days");
  });

  it("puts it back with all its fields while another language has it", async () => {
    const house = await openedByPaul();
    const { page } = house;
    await openContent(page, "Where is my order?");
    await publishDeletion(house, 1);
    await page.getByLabel("Title").fill("Where is my parcel?");
    await page.locator(".theirs").getByText(deleted).waitFor();
    expect(await draftOf(house, PAUL)).toEqual([]);
    await page.getByRole("button", { name: "Restore" }).click();
    await page.getByText("Saved in your draft.").waitFor();
    const after = { title: "Where is my parcel?", answer: ["<p>Open the tracking link.</p>"] };
    expect(await draftOf(house, PAUL)).toMatchObject([{ id: 1, after }]);
  });

  it("leaves it deleted", async () => {
    const house = await openedByPaul();
    const { page } = house;
    await openContent(page, "Delivery times");
    await publishDeletion(house, 2);
    await page.getByLabel("Title").fill("Delivery days");
    await page.locator(".theirs").getByRole("button", { name: "Delete" }).click();
    await page.getByRole("link", { name: "Help with a complaint" }).waitFor();
    expect(await page.getByRole("link", { name: /^Delivery/ }).count()).toBe(0);
    expect(await page.getByRole("alert").count()).toBe(0);
    expect(await draftOf(house, PAUL)).toEqual([]);
    await page.reload();
    await page.getByRole("link", { name: "Help with a complaint" }).waitFor();
  });

  it("reads that the draft brings it back, if the draft changed it before", async () => {
    const house = await openedByPaul();
    const { page } = house;
    const back = "If you publish your draft, it comes back.";
    await openContent(page, "Delivery times");
    await page.getByLabel("Other ways to ask").fill("how fast");
    await page.getByText("Saved in your draft.").waitFor();
    expect(await page.getByText(back).count()).toBe(0);
    await publishDeletion(house, 2);
    await page.getByLabel("Title").fill("Delivery days");
    await page.getByText(back).waitFor();
    expect(await axe(page)).toEqual([]);
    await page.getByRole("link", { name: "Back", exact: true }).click();
    await page.getByRole("link", { name: "Delivery days" }).click();
    await page.getByText(back).waitFor();
    await page.getByRole("button", { name: "Undo the change" }).click();
    await page.getByRole("link", { name: "Help with a complaint" }).waitFor();
    expect(await page.getByRole("link", { name: /^Delivery/ }).count()).toBe(0);
  });
});

describe("an owner who types while somebody else restores an older publication", () => {
  /** Publishes a change, which is restored later. */
  async function publish({ api }: Served, path: string, fields: object): Promise<void> {
    const method = path.endsWith("/en") ? "POST" : "PUT";
    expect((await api(path, { method, json: { fields } })).status).toBe(200);
    expect((await api("draft/publish", { json: { warnings: true } })).status).toBe(200);
  }

  async function restore({ api }: Served): Promise<void> {
    const { history } = (await api("history")).body as { history: readonly Publication[] };
    const json = { warnings: true };
    const done = await api(`history/${history[0]?.id}/restore`, { json });
    expect(done.status).toBe(200);
  }

  it("chooses between the typed words and those that are back", async () => {
    const house = await openedByPaul();
    const { page } = house;
    await publish(house, "draft/contents/en/2", { title: "How fast?" });
    await openContent(page, "How fast?");
    await restore(house);
    await page.getByLabel("Title").fill("Delivery days");
    await page.locator(".theirs").getByText("Delivery times", { exact: true }).waitFor();
    expect(await titleIn(page)).toBe("Delivery days");
    await page.getByRole("button", { name: "Yours", exact: true }).click();
    await page.getByText("Saved in your draft.").waitFor();
    expect(await draftOf(house, PAUL)).toMatchObject([
      { id: 2, after: { title: "Delivery days" } },
    ]);
  });

  it("reads that a content is gone that the publication had added, and puts it back", async () => {
    const house = await openedByPaul();
    const { page } = house;
    await publish(house, "draft/contents/en", { title: "Gift wrapping", answer: ["<p>Yes.</p>"] });
    await openContent(page, "Gift wrapping");
    await restore(house);
    await page.getByLabel("Title").fill("Do you wrap gifts?");
    await page.locator(".theirs").getByText("Somebody has deleted this content").waitFor();
    await page.getByRole("button", { name: "Restore" }).click();
    await page.getByText("Saved in your draft.").waitFor();
    const after = { title: "Do you wrap gifts?", answer: ["<p>Yes.</p>"] };
    expect(await draftOf(house, PAUL)).toMatchObject([{ id: 4, after }]);
  });
});
