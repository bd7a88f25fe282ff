import { type House, logIn, openDesk, openHouse } from "../../pages/browser/desk/desk-house.ts";
import { readOptions } from "../../../bench/options.ts";
import { openBrowser } from "../../pages/browser/chromium.ts";

readOptions({
  name: "npm run scenarios -- desk",
  about:
    "Plays the specification's start of a chat (seed.md 7.3: availability, user, chat, search) against a fresh backend, whose agent sits at the desk in Chromium.",
  options: {},
  fails: "a step does not come true",
});
const undo: (() => Promise<unknown>)[] = [];
try {
  const house = await openHouse();
  undo.push(() => house.close());
  const browser = await openBrowser();
  undo.push(() => browser.close());
  await play(house, browser);
  print("\nA chat has begun, was answered at the desk, and is closed.");
} catch (error) {
  print(`\nNO   ${String(error)}`);
  process.exitCode = 1;
} finally {
  for (const step of undo.toReversed()) await step();
}

async function play(house: House, browser: Awaited<ReturnType<typeof openBrowser>>): Promise<void> {
  const { ask } = house;
  const { page, complaints } = await openDesk(browser, house.url);
  step("the desk", `${house.url}/desk`);

  const before = await ask("GET", "agents/available?roomIds=1");
  hold(before.agents["1"] === 0, "nobody is available before somebody has logged in");
  step("GET /v1/agents/available?roomIds=1", before);

  await logIn(page);
  step("at the desk", "the agent demo-agent logs in, and is online");

  const available = await ask("GET", "agents/available?roomIds=1");
  hold(available.agents["1"] === 1, "one agent is available");
  step("1. GET /v1/agents/available?roomIds=1", available);

  const { user } = await ask("POST", "users", { name: "Ana", externalId: "crm-7" });
  step("2. POST /v1/users", { id: user.id, name: user.name });

  const history = [
    { sender: user.id, message: "Where is my order?", created: 1_763_710_000 },
    { sender: "assistant", message: "I can pass you on to a person.", created: 1_763_710_005 },
  ];
  const { chat } = await ask("POST", "chats", { room: "1", creator: user.id, lang: "en", history });
  step("3. POST /v1/chats", { id: chat.id, status: chat.status });

  const { agent } = await ask("GET", `chats/${chat.id}/assign`);
  hold(agent?.id === "demo-agent", "the agent at the desk is chosen");
  step("4. GET /v1/chats/{id}/assign", { agent: agent.id });

  await page.getByRole("button", { name: "Accept: Ana" }).click();
  await page.getByRole("log").getByText("I can pass you on to a person.").waitFor();
  const held = await ask("GET", `chats/${chat.id}`);
  hold(held.chat.status === "active" && held.chat.agent === "demo-agent", "the agent holds it");
  step("at the desk", "the invitation is accepted, and the transcript read");

  await ask("POST", `chats/${chat.id}/messages`, { sender: user.id, message: "Hello?" });
  await page.getByRole("log").getByText("Hello?").waitFor();
  step("POST /v1/chats/{id}/messages", "Hello?");

  await page.getByLabel("Your message").fill("Hello Ana, it is on its way.");
  await page.keyboard.press("Enter");
  const answer = await until(async () => {
    const { messages } = await ask("GET", `chats/${chat.id}/messages`);
    return messages.find((one: { sender: string }) => one.sender === "demo-agent") ?? null;
  });
  hold(answer.message === "Hello Ana, it is on its way.", "the answer has arrived");
  step("GET /v1/chats/{id}/messages", answer.message);

  const read = await until(async () => {
    const { messages } = await ask("GET", `chats/${chat.id}/messages`);
    const asked = messages.find((one: { message: string }) => one.message === "Hello?");
    return asked.read.includes("demo-agent") ? asked.read : null;
  });
  step("read by", read);

  await ask("DELETE", `chats/${chat.id}`, { userId: user.id });
  await page.getByText("This chat is closed.").waitFor();
  step("DELETE /v1/chats/{id}", "the desk shows that it is closed");
  hold(complaints.length === 0, `the page complains of nothing: ${complaints.join("; ")}`);
}

async function until<T>(look: () => Promise<T | null>): Promise<T> {
  for (let tries = 0; tries < 500; tries++) {
    const found = await look();
    if (found !== null) return found;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error("it did not come within 10 seconds");
}

function hold(holds: boolean, what: string): void {
  if (!holds) throw new Error(`is not so: ${what}`);
}

function step(what: string, came: unknown): void {
  print(`yes  ${what.padEnd(40)}${typeof came === "string" ? came : JSON.stringify(came)}`);
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
