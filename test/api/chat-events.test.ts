import { expect, test } from "vitest";
import { openChatEvents } from "../../src/api/chat/events.ts";

test("an event that cannot be read is skipped, and those after it arrive", async () => {
  const opened: (string | null)[] = [];
  const open = async (after: string | null): Promise<Response> => {
    opened.push(after);
    const stream = [
      "retry: 1\n\n",
      'id: 1\ndata: {"trigger":"chats:new"}\n\n',
      "id: 2\ndata: {broken\n\n",
      'id: 3\ndata: {"trigger":"chats:close"}\n\n',
    ];
    return new Response(stream.slice(after === null ? 0 : Number(after) + 1).join(""));
  };
  const stop = new AbortController();
  const events: unknown[] = [];
  for await (const event of openChatEvents(open, { signal: stop.signal })) {
    events.push(event);
    if (event.id === "3") stop.abort();
  }
  expect(events).toEqual([
    { id: "1", trigger: "chats:new" },
    { id: "3", trigger: "chats:close" },
  ]);
  expect(opened).toEqual([null]);
});
