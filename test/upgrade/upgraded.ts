import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { createClients } from "../../src/index.ts";
import { type Between, openBetween } from "./between.ts";
import { directory, type Kept, kept } from "./fixtures.ts";
import { type Answer, type Process, root, send, startAfterword } from "./stage.ts";

/** This version, started on what 788c09d left when it was killed. */
export interface Upgraded {
  readonly gateway: Process;
  readonly backend: Process;
  readonly between: Between;
  readonly kept: Kept;
  readonly clients: ReturnType<typeof createClients>;
  keyOf(label: string): string;
  chatOf(label: string): string;
  say(label: string, message: string): Promise<readonly Answer[]>;
  /** Chooses the first option that was offered last, before the end of the old gateway. */
  choose(label: string): Promise<readonly Answer[]>;
  /** How many there are in the backend, by the conversation. */
  made(what: "chats" | "tickets", label: string): number;
  listed(): Promise<readonly Listed[]>;
  close(): Promise<void>;
}

export interface Listed {
  readonly conversation: string;
  readonly phase: string;
  readonly calls: readonly { readonly kind: string; readonly state: string }[];
}

/**
 * @param store what the configuration says under `state.store`; of a file, the one of the fixtures
 */
export async function openUpgraded(store: string, key = ""): Promise<Upgraded> {
  const all = kept();
  const place = mkdtempSync(join(tmpdir(), "afterword-upgraded-"));
  const stores = join(directory, "stores");
  cpSync(join(stores, "data"), join(place, "data"), { recursive: true });
  cpSync(join(stores, "backend"), join(place, "backend"), { recursive: true });
  const state = key === "" ? "state.db" : "state-sealed.db";
  if (store === "file") cpSync(join(stores, state), join(place, "data/state.db"));
  const database = join(place, "backend/backend.db");
  writeFileSync(database, gunzipSync(readFileSync(join(stores, "backend.db.gz"))));
  const content = join(root, "config/backend");
  const written = readFileSync(join(directory, "afterword.yaml"), "utf8");
  const config = join(place, "afterword.yaml");
  writeFileSync(
    config,
    key === "" ? written : written.replace(/^(state: \{ .*) \}$/mu, `$1, key: "${key}" }`),
  );

  const at = all.killed;
  const backend = await startAfterword(
    ["backend", "--content", content, "--database", database, "--port", "0"],
    { at },
  );
  const between = await openBetween(backend.url);
  for (const { chat, key: of } of Object.values(all.conversations)) {
    if (chat !== null && chat !== undefined) between.knows(chat, of);
  }
  const gateway = await startAfterword(["serve", "--config", config, "--port", "0"], {
    at,
    env: {
      DATA: join(place, "data"),
      SERVICE: between.url,
      STORE: store,
      AFTERWORD_ADMIN_TOKEN: admin,
    },
  });
  const of = (label: string) => {
    const found = all.conversations[label];
    if (found === undefined) throw new Error(`no conversation ${label}`);
    return found;
  };
  return {
    gateway,
    backend,
    between,
    kept: all,
    clients: createClients({
      auth: { url: backend.url, apiKey: "demo-key", secret: "demo-secret" },
      chat: { url: backend.url, appId: "demo-app", secret: "demo-app-secret" },
    }),
    keyOf: (label) => of(label).key,
    chatOf: (label) => of(label).chat ?? "",
    say: (label, message) => send(gateway.url, of(label), { message }),
    choose: (label) => send(gateway.url, of(label), { message: "", option: of(label).option }),
    made(what, label) {
      const rows = new DatabaseSync(database, { readOnly: true });
      const table = what === "chats" ? "chat_chats" : "tickets";
      const name = `aw-${of(label).key}-%`;
      const found = rows
        .prepare(`SELECT count(*) AS n FROM ${table} WHERE external_id LIKE ?`)
        .get(name);
      rows.close();
      return Number(found?.["n"]);
    },
    async listed() {
      const response = await fetch(`${gateway.url}/_afterword/escalations`, {
        headers: { authorization: `Bearer ${admin}` },
      });
      const { escalations } = (await response.json()) as { escalations: readonly Listed[] };
      return escalations;
    },
    async close() {
      await gateway.end("SIGTERM");
      await backend.end("SIGKILL");
      await between.close();
      rmSync(place, { recursive: true, force: true });
    },
  };
}

const admin = "admin-of-the-fixtures";
