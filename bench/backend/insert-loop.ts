/**
 * Measures the disk's limit: rows inserted one by one into a SQLite file, each flushed before the
 * next. Takes the file and the seconds, and prints rows per second.
 */
import { DatabaseSync } from "node:sqlite";

const [file = ":memory:", seconds = "3"] = process.argv.slice(2);
const database = new DatabaseSync(file);
database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL");
database.exec("CREATE TABLE tickets (id INTEGER PRIMARY KEY, message TEXT, creator INTEGER)");
const insert = database.prepare("INSERT INTO tickets (message, creator) VALUES (?, ?)");
const end = performance.now() + Number(seconds) * 1000;
let rows = 0;
while (performance.now() < end) {
  insert.run("Where is my order? It should have come yesterday.", 1);
  rows += 1;
}
database.close();
console.log(Math.round(rows / Number(seconds)));
