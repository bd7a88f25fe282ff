import { DatabaseSync } from "node:sqlite";
import { openDatabase } from "../../src/backend/storage/open-database.ts";
import { seeded } from "./random.ts";

/** Users that the tickets are from, and that work on them. */
const people = 1000;

/**
 * Makes a database file with so many tickets of the project `shop`, spread over a year, with every
 * filter's value in use. As fast as SQLite takes them: one transaction, nothing waits for the disk.
 */
export async function fillTickets(file: string, count: number): Promise<void> {
  const made = await openDatabase(file);
  await made.close();
  const database = new DatabaseSync(file);
  database.exec("PRAGMA synchronous = OFF; BEGIN");
  const random = seeded(11);
  const below = (limit: number): number => Math.floor(random() * limit);
  const uuid = (): string => crypto.randomUUID();
  const user = database.prepare(
    `INSERT INTO users (id, project, hash_uuid, created, name, address, address_key, extra, updated)
     VALUES (?, 'shop', ?, 0, ?, ?, ?, '[]', 0)`,
  );
  for (let id = 1; id <= people; id += 1) {
    user.run(id, uuid(), `Person ${id}`, `p${id}@example.test`, `p${id}@example.test`);
  }
  const ticket = database.prepare(
    `INSERT INTO tickets (id, project, hash_uuid, created, title, message, creator, solver, source, queue, status,
       classification, external_id, parent, prior, updated)
     VALUES (?, 'shop', ?, ?, ?, ?, ?, ?, ?, 1, ?, ?, ?, ?, '[]', ?)`,
  );
  const year = 31_536_000_000;
  const start = Date.UTC(2025, 0, 1);
  for (let id = 1; id <= count; id += 1) {
    const created = start + Math.floor((id / count) * year);
    ticket.run(
      id,
      uuid(),
      created,
      id % 3 === 0 ? "" : `Order ${id}`,
      `Where is my order ${id}? It should have come ${below(20)} days ago, and nobody answers.`,
      1 + below(people),
      random() < 0.5 ? null : 1 + below(50),
      below(4),
      1 + below(5),
      random() < 0.2 ? null : below(30),
      random() < 0.5 ? null : `chat-${below(count)}`,
      random() < 0.05 && id > 1 ? 1 + below(id - 1) : null,
      created + below(year / 10),
    );
  }
  database.exec("COMMIT");
  database.close();
}
