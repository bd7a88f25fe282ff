import { createClients } from "../../../src/api/clients.ts";

/** An agent in room 1 with slots for all, so that its chats find somebody; nobody is in room 2. */
export async function readyAgent(url: string): Promise<void> {
  const { chat } = createClients({
    auth: { url, apiKey: "demo-key", secret: "demo-secret" },
    chat: { url, appId: "demo-app", secret: "demo-app-secret" },
  });
  for await (const open of chat.chats()) if (open.status !== "closed") await chat.close(open.id);
  const { agent } = await chat.login("demo-agent", "demo-agent");
  await chat.changeAgent(agent.id, { slots: 1000, online: true });
  if (!(await chat.rooms()).some(({ id }) => id === "2")) {
    await chat.createRoom({ id: "2", name: "Nobody" });
  }
}
