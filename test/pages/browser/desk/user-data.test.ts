import { describe, expect, it } from "vitest";
import { rows, useWork } from "./use-work.ts";

const { startChat, site, openDesk } = useWork();

describe("the user's data", () => {
  const about = {
    name: "Ana",
    contact: "ana@example.com",
    extraInfo: { plan: "gold", orders: 12, vip: true, address: { city: "León" } },
  };

  it("are changed where the agent may, and keep their types", async () => {
    const { page, complaints } = await openDesk();
    const guest = await startChat(page, about);
    const panel = page.getByRole("complementary", { name: "User data" });
    await panel.getByLabel("Name").fill("Ana María");
    await panel.getByLabel("orders").fill("13");
    await panel.getByLabel("New field").fill("city");
    await panel.getByLabel("Value").fill("León");
    await panel.getByRole("button", { name: "Save" }).click();
    await panel.getByText("Saved.").waitFor();
    const { user } = await site.house.ask("GET", `users/${guest.id}`);
    expect(user).toMatchObject({
      name: "Ana María",
      contact: "ana@example.com",
      extraInfo: { plan: "gold", orders: 13, vip: true, address: { city: "León" }, city: "León" },
    });
    await page.getByRole("heading", { name: "Ana María" }).waitFor();
    await expect.poll(() => panel.getByLabel("city").inputValue()).toBe("León");
    await site.house.guest({ name: "Bob", externalId: "taken" });
    await panel.getByLabel("External ID").fill("taken");
    await panel.getByRole("button", { name: "Save" }).click();
    await panel.getByText("Somebody else already has this external ID.").waitFor();
    await expect.poll(() => panel.getByLabel("External ID").inputValue()).toBe("taken");
    expect(complaints.filter((one) => !one.includes("409"))).toEqual([]);
  });

  it("keep what was typed while another chat is open, until it is saved", async () => {
    const { page } = await openDesk();
    const guest = await startChat(page, about);
    const panel = page.getByRole("complementary", { name: "User data" });
    await panel.getByLabel("Name").fill("Ana María");
    await panel.getByLabel("Email").fill("");
    await startChat(page, { name: "Bob" });
    await expect.poll(() => panel.getByLabel("Name").inputValue()).toBe("Bob");
    await rows(page, "My chats").filter({ hasText: "Ana" }).click();
    await expect.poll(() => panel.getByLabel("Name").inputValue()).toBe("Ana María");
    await expect.poll(() => panel.getByLabel("Email").inputValue()).toBe("");
    await page.reload();
    await expect.poll(() => panel.getByLabel("Name").inputValue()).toBe("Ana María");
    await panel.getByRole("button", { name: "Save" }).click();
    await panel.getByText("Saved.").waitFor();
    const { user } = await site.house.ask("GET", `users/${guest.id}`);
    expect([user.name, user.contact]).toEqual(["Ana María", ""]);
    await page.reload();
    await expect.poll(() => panel.getByLabel("Name").inputValue()).toBe("Ana María");
  });

  it("are only shown without the right CHAT_EDIT_USER_INFO", async () => {
    await site.house.ask("PUT", "agents/demo-agent", { rights: { CHAT_EDIT_USER_INFO: false } });
    const { page } = await openDesk();
    await startChat(page, about);
    const panel = page.getByRole("complementary", { name: "User data" });
    await panel.getByText("You aren’t allowed to change user data.").waitFor();
    await panel.getByText("ana@example.com").waitFor();
    await expect.poll(() => panel.locator("> form").count()).toBe(0);
  });

  it("are only shown of a chat that waits, is closed, or has been left", async () => {
    const { page } = await openDesk();
    const panel = page.getByRole("complementary", { name: "User data" });
    await site.house.guest(about);
    await rows(page, "Waiting").click();
    await panel.getByText("gold").waitFor();
    await expect.poll(() => panel.locator("> form").count()).toBe(0);
    await page.getByRole("button", { name: "Take", exact: true }).click();
    await panel.locator("> form").waitFor();
    await page.getByRole("button", { name: "Close chat" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Close chat" }).click();
    await page.getByText("This chat is closed.").waitFor();
    await expect.poll(() => panel.locator("> form").count()).toBe(0);
    expect(await panel.getByText("You aren’t allowed to change user data.").count()).toBe(0);
  });
});
