// Suite: slow
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { SendCall } from "../../../src/escalation/services/call-result.ts";
import { ana, type Bed, bed, sendTo, valueOf } from "./bed.ts";
import { createFolder } from "../../fixtures/folder.ts";

describe.each(["deployed", "seed"] as const)(
  "case management's service to our backend (%s)",
  (wire) => {
    const opened = (): Promise<Bed> => bed({ wire });

    it("creates a ticket of the reader's with everything in it, and finds it by our id", async () => {
      const { tickets, askTickets } = await opened();
      expect(valueOf(await tickets.find("key 1"))).toBeNull();
      const made = valueOf(await tickets.create(request("key 1")));
      const found = valueOf(await tickets.find("key 1"));
      expect(found).toMatchObject({ number: made.number });
      expect(made.number).toMatch(/^[0-9A-Z]{3}-\d+$/);
      const ticket = await askTickets("GET", `/tickets/${made.id}`);
      expect(ticket).toMatchObject({
        title: "Where is my order?",
        message: "<p>Where is it?</p>",
        external_id: "key 1",
        source: 3,
        attachments: [{ name: "conversation.txt" }],
      });
      expect(await askTickets("GET", `/tickets/${JSON.parse(JSON.stringify(found)).id}`)).toEqual(
        ticket,
      );
      expect(await askTickets("GET", `/users/${ticket.creator}`)).toMatchObject({
        name: "Ana",
        address: "ana@example.test",
      });
    });

    it("attaches the conversation byte for byte", async () => {
      const at = await opened();
      const text = `reader: ${"Olá, где мой заказ? 📦\n".repeat(5000)}`;
      await at.tickets.create({ ...request("key 1"), transcript: { name: "talk.txt", text } });
      const [ticket] = (await at.askTickets("GET", "/tickets?external_id=key+1")).data;
      const token = await (
        await fetch(`${at.url}/v1/auth`, {
          method: "POST",
          headers: { "x-vendor-key": "demo-key" },
          body: '{"secret":"demo-secret"}',
        })
      ).json();
      const file = await fetch(
        `${at.url}/ticketing/v1/media/${ticket.attachments[0].hash_uuid}/content`,
        { headers: { "x-vendor-key": "demo-key", authorization: `Bearer ${token.accessToken}` } },
      );
      expect(await file.text()).toBe(text);
    });

    it("uses the user who has the address, and changes nothing of theirs", async () => {
      const { tickets, askTickets } = await opened();
      await askTickets("POST", "/users", { name: "Ana Maria", address: "Ana@Example.test" });
      await tickets.create(request("key 1"));
      const { data } = await askTickets("GET", "/users");
      expect(data).toMatchObject([{ name: "Ana Maria", address: "Ana@Example.test" }]);
    });

    it("creates a user for a reader who gave no address", async () => {
      const { tickets, askTickets } = await opened();
      const person = { ...ana, name: "", email: "" };
      await tickets.create({ ...request("4f2a:1"), person });
      const { data } = await askTickets("GET", "/users");
      expect(data).toMatchObject([{ name: "Guest", address: "4f2a1@no-reply.invalid" }]);
    });

    it("creates one ticket for one key: again, at once and after a restart", async () => {
      const folder = createFolder();
      const at = await bed({ wire, database: join(folder, "backend.db") });
      const create = async () => valueOf(await at.ticketService().create(request("key 1"))).number;
      const made = await Promise.all([create(), create(), create(), create(), create()]);
      await at.restart();
      expect(new Set([...made, await create()]).size).toBe(1);
      expect((await at.askTickets("GET", "/tickets")).data).toHaveLength(1);
      expect((await at.askTickets("GET", "/users")).data).toHaveLength(1);
      expect(valueOf(await at.ticketService().find("key 1"))).toMatchObject({ number: made[0] });
    });

    it("logs in once for all who ask at once, and anew when its token is refused", async () => {
      const at = await opened();
      const seen: string[] = [];
      let spoil = false;
      const real = sendTo(at.url);
      const send: SendCall = (call, deadline) => {
        const path = call.url.slice(at.url.length);
        seen.push(path);
        const spoilt = spoil && path !== "/v1/auth";
        spoil &&= !spoilt;
        const headers = spoilt ? { ...call.headers, authorization: "Bearer x" } : call.headers;
        return real({ ...call, headers }, deadline);
      };
      const service = at.ticketService({ send });
      await Promise.all(["a", "b", "c"].map((key) => service.find(key)));
      expect(seen.filter((path) => path === "/v1/auth")).toHaveLength(1);
      spoil = true;
      expect(valueOf(await service.create(request("key 1"))).number).toMatch(/-/);
      expect(seen.filter((path) => path === "/v1/auth")).toHaveLength(2);
    });

    it("is refused with a wrong secret, pauses its calls, and never reveals the secret", async () => {
      const at = await opened();
      let calls = 0;
      let time = 1_000_000;
      const real = sendTo(at.url);
      const send: SendCall = (call, deadline) => {
        calls += 1;
        return real(call, deadline);
      };
      const service = at.ticketService({ send, secret: "hunter2", now: () => time });
      const answers = [await service.find("key"), await service.create(request("key 1"))];
      for (const answer of answers) {
        expect(answer).toMatchObject({ kind: "refused", status: 401 });
        expect(JSON.stringify(answer)).not.toMatch(/hunter2|ana@/);
      }
      expect(calls).toBe(1);
      time += 10_001;
      await service.find("key");
      expect(calls).toBe(2);
    });

    it("puts the conversation into the message where the file is not taken", async () => {
      const at = await opened();
      const transcript = { name: "conversation.exe", text: "reader: 1 < 2 & 3" };
      const made = valueOf(await at.tickets.create({ ...request("key 1"), transcript }));
      const ticket = await at.askTickets("GET", `/tickets/${made.id}`);
      expect(ticket).toMatchObject({
        message: "<p>Where is it?</p>\n<pre>reader: 1 &lt; 2 &amp; 3</pre>",
        attachments: [],
      });
    });
  },
);

function request(key: string) {
  return {
    externalId: key,
    person: ana,
    title: "Where is my order?",
    message: "<p>Where is it?</p>",
    language: "pt",
    transcript: { name: "conversation.txt", text: "reader: Where is it?" },
    conversation: { dropped: 0, lines: [] },
    fields: { source: 3, title: "not this one" },
    idempotencyKey: key,
  };
}
