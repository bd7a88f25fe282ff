import { beforeEach, expect, it } from "vitest";
import { axe, picture } from "../chromium.ts";
import { logIn } from "./desk-house.ts";
import { useDesk } from "./use-desk.ts";

const site = useDesk();
const { visit } = site;

const wide = { viewport: { width: 1280, height: 900 } };

beforeEach(async () => {
  const { house } = site;
  await house.ask("POST", "rooms", { id: "2", name: "Returns" });
  await house.ask("PUT", "agents/demo-agent", {
    rooms: ["1", "2"],
    slots: 9,
    rights: { TICKET_VIEW: true, TICKET_EDIT: true },
  });
});

it("open, waiting, closed and all chats have a list each, and a link leads to one of them", async () => {
  const { house } = site;
  const bea = await house.agent("bea", { name: "Bea", online: true, slots: 9 });
  const held = await house.guest({ name: "Held" });
  await house.ask("POST", `chats/${held.chat}/join`, { userId: bea });
  const over = await house.guest({ name: "Over" });
  await over.say("My lamp is broken");
  await house.ask("DELETE", `chats/${over.chat}`, { reason: "solved" });
  const free = await house.guest({ name: "Free" });
  await free.say("Hello?");
  const { page, complaints } = await visit(wide);
  await logIn(page);
  const turn = (name: string): Promise<void> =>
    page.getByRole("button", { name, exact: true }).click();
  const names = (region: string) => (): Promise<readonly string[]> =>
    page.getByRole("region", { name: region }).locator(".row strong").allInnerTexts();
  await expect.poll(names("Waiting")).toEqual(["Free"]);
  await turn("Closed");
  await expect.poll(names("Closed")).toEqual(["Over"]);
  await page.getByText("My lamp is broken").waitFor();
  await turn("All");
  await expect.poll(names("Chats")).toEqual(["Free", "Over", "Held"]);
  await turn("Waiting");
  await expect.poll(names("Waiting")).toEqual(["Free"]);
  expect(await page.getByRole("region", { name: "My chats" }).count()).toBe(0);
  await turn("All");
  await page.getByRole("link", { name: /^Over/ }).click();
  await page.getByText("This chat is closed. Solved").waitFor();
  // The link leads a colleague to the same chat, after a log-in; the browser goes back.
  const address = page.url();
  await page.goBack();
  await page.getByText("Choose a chat").waitFor();
  const other = await visit(wide);
  await other.page.goto(address);
  await logIn(other.page, "bea", "a long password");
  await other.page.getByRole("log").getByText("My lamp is broken").waitFor();
  expect([...complaints, ...other.complaints]).toEqual([]);
});

it("the state of one chat is in the singular, other than the titles of the lists", async () => {
  const { house } = site;
  const over = await house.guest({ name: "Over" });
  await house.ask("DELETE", `chats/${over.chat}`, { reason: "solved" });
  await house.guest({ name: "Free" });
  const { page } = await visit({ ...wide, locale: "ru-RU" });
  await page.locator("#login-login").fill("demo-agent");
  await page.locator("#login-password").fill("demo-agent");
  await page.locator("form button").last().click();
  await page.getByRole("button", { name: "Все", exact: true }).click();
  const found = page.getByRole("region", { name: "Чаты", exact: true });
  await found.getByText("Закрыт", { exact: true }).waitFor();
  await found.getByText("Ожидает", { exact: true }).waitFor();
  await page.getByRole("button", { name: "Закрытые", exact: true }).waitFor();
});

it("the list of all chats has another gender than that of all tickets, where a language has genders", async () => {
  const { page } = await visit({ ...wide, locale: "fr-FR" });
  await page.locator("#login-login").fill("demo-agent");
  await page.locator("#login-password").fill("demo-agent");
  await page.locator("form button").last().click();
  await page.getByRole("button", { name: "Tous", exact: true }).waitFor();
  await page.getByRole("link", { name: "Demandes" }).click();
  await page.getByRole("button", { name: /^Toutes/ }).waitFor();
});

it("a person's page has the chats and tickets of everybody with the same address", async () => {
  const { house } = site;
  const first = await house.guest({ name: "Tom", contact: "Tom@x.test" });
  await first.say("Where is my lamp?");
  await house.ask("DELETE", `chats/${first.chat}`, { reason: "solved" });
  const other = await house.guest({ name: "Eve", contact: "tom@x.test.example" });
  await other.say("tom@x.test wrote to me");
  const again = await house.guest({ name: "Tom again", contact: "tom@x.test" });
  await again.say("Me again");
  const { page, complaints } = await visit(wide);
  await logIn(page);
  await page.goto(`${house.url}/desk#chat/${again.chat}`);
  await page.getByRole("button", { name: "Make a ticket" }).click();
  await page.getByRole("heading", { name: "Me again" }).waitFor();
  await page.goBack();
  await page.getByRole("link", { name: "All chats and tickets" }).click();
  const shown = page.getByRole("main");
  await shown.getByRole("heading", { name: "Tom again" }).waitFor();
  const rows = (region: string) => (): Promise<readonly string[]> =>
    shown.getByRole("region", { name: region }).locator(".row strong").allInnerTexts();
  await expect.poll(rows("Chats")).toEqual(["Tom again", "Tom"]);
  await expect.poll(rows("Tickets")).toEqual(["Me again"]);
  expect(await axe(page)).toEqual([]);
  await picture(page, "desk-person");
  const address = page.url();
  await shown.getByRole("link", { name: /^Tom .*lamp/ }).click();
  await page.getByText("This chat is closed. Solved").waitFor();
  await page.goBack();
  await shown.getByRole("heading", { name: "Tom again" }).waitFor();
  // An agent of another room does not see it.
  await house.agent("bea", { name: "Bea", rooms: ["2"] });
  const stranger = await visit(wide);
  await stranger.page.goto(address);
  await logIn(stranger.page, "bea", "a long password");
  await stranger.page.getByRole("main").getByText("Nothing found.").waitFor();
  expect(await stranger.page.getByText(/tom/i).count()).toBe(0);
  expect(await stranger.page.getByRole("main").locator(".row").count()).toBe(0);
  expect(complaints).toEqual([]);
});

it("a person who has tickets alone is found by name, and has a page, on a phone too", async () => {
  const { house } = site;
  const mara = { name: "Mara Díaz", address: "mara@x.test" };
  const { uuid: creator } = await house.askOwner("POST", "users", mara);
  for (const title of ["Where is my lamp?", "Lamp again"]) {
    await house.askOwner("POST", "tickets", { title, message: "It is late.", creator });
  }
  const { page, complaints } = await visit({ viewport: { width: 390, height: 844 } });
  await logIn(page);
  const search = page.getByRole("searchbox", { name: "Search chats and tickets" });
  await search.fill("diaz");
  const found = page.getByRole("region", { name: "Tickets" });
  await found.getByRole("link", { name: /^Lamp again/ }).click();
  await page.getByRole("button", { name: "Details" }).click();
  await page.getByRole("link", { name: "All chats and tickets" }).click();
  const shown = page.getByRole("main");
  await shown.getByRole("heading", { name: "Mara Díaz" }).waitFor();
  await shown.getByText("mara@x.test").waitFor();
  const rows = shown.getByRole("region", { name: "Tickets" }).locator(".row strong");
  await expect.poll(() => rows.allInnerTexts()).toEqual(["Lamp again", "Where is my lamp?"]);
  await shown.getByRole("region", { name: "Chats" }).getByText("Nothing found.").waitFor();
  expect(await axe(page)).toEqual([]);
  await picture(page, "desk-person-phone");
  expect(page.url()).toMatch(/#people\/ticket-\d+$/);
  await shown.getByRole("link", { name: /^Where is my lamp/ }).click();
  await page.locator("#ticket-message").waitFor();
  expect(complaints).toEqual([]);
});

it("rooms are offered to an agent who has several, and those alone", async () => {
  const { house } = site;
  await house.ask("POST", "rooms", { id: "3", name: "Warehouse" });
  await house.agent("bea", { name: "Bea", rooms: ["2"] });
  const [sam, bea] = [await visit(wide), await visit(wide)];
  await logIn(sam.page);
  const rooms = sam.page.getByRole("combobox", { name: "Rooms" });
  await expect
    .poll(() => rooms.locator("option").allInnerTexts())
    .toEqual(["All rooms", "Demo room", "Returns"]);
  await logIn(bea.page, "bea", "a long password");
  await bea.page.getByText("Filters").waitFor();
  expect(await bea.page.getByRole("combobox", { name: "Rooms" }).count()).toBe(0);
});

it("a search finds chats and tickets with the words marked, and filters reduce it", async () => {
  const { house } = site;
  const lamp = await house.guest({ name: "Ana" }, { lang: "de", room: "2" });
  await lamp.say("Die Größe der Lampe ist falsch");
  await house.ask("DELETE", `chats/${lamp.chat}`, { reason: "unsolved" });
  const chinese = await house.guest({ name: "Li" }, { lang: "zh" });
  await chinese.say("我想退货，手机壳坏了");
  const tickets = await house.guest({ name: "Tom", contact: "tom@x.test" });
  await tickets.say("Größe XL missing");
  const { page, complaints } = await visit(wide);
  await logIn(page);
  await page.goto(`${house.url}/desk#chat/${tickets.chat}`);
  await page.getByRole("button", { name: "Make a ticket" }).click();
  await page.getByRole("heading", { name: "Größe XL missing" }).waitFor();
  await page.goto(`${house.url}/desk#`);
  const search = page.getByRole("searchbox", { name: "Search chats and tickets" });
  const chats = page.getByRole("region", { name: "Chats" });
  const names = (): Promise<readonly string[]> => chats.locator(".row strong").allInnerTexts();
  await search.fill("grosse");
  await expect.poll(names).toEqual(["Tom", "Ana"]);
  expect(await chats.locator("mark").allInnerTexts()).toEqual(["Größe", "Größe"]);
  const open = page.getByRole("button", { name: "Open", exact: true });
  expect(await open.getAttribute("aria-pressed")).toBe("false");
  await open.click();
  const openChats = page.getByRole("region", { name: "Open" });
  await expect.poll(() => openChats.locator(".row strong").allInnerTexts()).toEqual(["Tom"]);
  await page.getByRole("button", { name: "All", exact: true }).click();
  await expect.poll(names).toEqual(["Tom", "Ana"]);
  const found = page.getByRole("region", { name: "Tickets" });
  await expect
    .poll(() => found.locator(".row strong").allInnerTexts())
    .toEqual(["Größe XL missing"]);
  await picture(page, "desk-search");
  expect(await axe(page)).toEqual([]);
  await page.getByText("Filters").click();
  await page.getByRole("combobox", { name: "All languages" }).selectOption("de");
  await expect.poll(names).toEqual(["Ana"]);
  await page.getByRole("combobox", { name: "All reasons" }).selectOption("Solved");
  await chats.getByText("Nothing found.").waitFor();
  // Reasons belong to chats; the ticket has no language.
  await found.getByText("Nothing found.").waitFor();
  await page.getByRole("combobox", { name: "All reasons" }).selectOption("Not solved");
  await page.getByRole("combobox", { name: "Rooms" }).selectOption("Returns");
  await expect.poll(names).toEqual(["Ana"]);
  await page.getByLabel("Until").fill("2001-01-01");
  await chats.getByText("Nothing found.").waitFor();
  await page.getByLabel("Until").fill("");
  expect(await axe(page)).toEqual([]);
  for (const name of ["All languages", "All reasons", "Rooms"]) {
    await page.getByRole("combobox", { name }).selectOption("");
  }
  await search.fill("退货");
  await expect.poll(names).toEqual(["Li"]);
  expect(await chats.locator("mark").allInnerTexts()).toEqual(["退货"]);
  await search.fill("word ".repeat(13));
  await chats.getByText("Search for no more than 12 words.").waitFor();
  await open.click();
  await search.fill("");
  await page.getByRole("region", { name: "My chats" }).waitFor();
  expect(complaints.filter((one) => !one.includes("422"))).toEqual([]);
});
