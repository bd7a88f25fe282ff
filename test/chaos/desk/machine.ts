import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { type Running, startAfterword } from "../../../bench/afterword.ts";
import type { MailServers } from "../../fixtures/mail-servers.ts";
import { freePort } from "../../fixtures/free-port.ts";

/** A gateway with an embedded backend, which dies and returns at the same address. */
export interface Machine {
  readonly url: string;
  readonly database: string;
  readonly downs: { readonly from: number; until: number }[];
  /** Kills it (SIGKILL) and starts it again. */
  crash(): Promise<void>;
  end(): Promise<void>;
}

export async function startMachine(
  directory: string,
  mail: Pick<MailServers, "smtp" | "imap"> | null,
): Promise<Machine> {
  const config = await writeConfig(directory, mail !== null);
  const port = await freePort();
  const env = mail === null ? {} : { SMTP: mail.smtp, IMAP: mail.imap };
  const start = (): Promise<Running> =>
    startAfterword(["serve", "--config", config, "--port", String(port)], { env });
  let running = await start();
  const downs: Machine["downs"] = [];
  return {
    url: `http://127.0.0.1:${port}`,
    database: join(directory, "backend.db"),
    downs,
    async crash() {
      const down = { from: Date.now(), until: Infinity };
      downs.push(down);
      await running.end("SIGKILL");
      await sleep(200);
      running = await start();
      down.until = Date.now();
    },
    end: () => running.end("SIGTERM"),
  };
}

async function writeConfig(directory: string, hasMail: boolean): Promise<string> {
  await mkdir(join(directory, "messages"), { recursive: true });
  const content = fileURLToPath(new URL("../../../config/backend", import.meta.url));
  const file = join(directory, "afterword.yaml");
  const post = hasMail
    ? `mail: { smtp: "\${SMTP}", from: Shop <help@shop.example>, inbound: "\${IMAP}" }, `
    : "";
  await writeFile(
    file,
    `version: 1
listen: { host: 127.0.0.1, port: 0 }
data: ${join(directory, "data")}
upstream: embedded
instances:
  - name: shop
    match: { apiKey: demo-key }
    language: en
    created: 2018-06-01
backend: { ${post}content: ${content}, database: ${join(directory, "backend.db")} }
state: { store: file }
escalation:
  mode: managed
  identity: { ask: [name, email] }
  ladder: [agents, queue, ticket]
  chat: { assignTimeout: 20s, queueTimeout: 40s }
`,
  );
  return file;
}
