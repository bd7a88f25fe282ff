import { randomBytes } from "node:crypto";
import { listApps } from "../../backend/chat/agents/apps.ts";
import type { ListedApp } from "../../backend/chat/agents/apps.ts";
import type { ChatOptions } from "../../backend/chat/options.ts";
import { Refusal } from "../../backend/http/refusal.ts";
import type { BackendDatabase } from "../../backend/storage/tables/database.ts";
import { type Arguments, type Option, createArgumentError } from "../command/arguments.ts";
import type { Terminal } from "../command/command.ts";
import { findDatabase, withDatabase } from "./database-option.ts";

export const appOption: Option = {
  name: "app",
  value: "APP",
  help: "app by its id or its name (default: the only app, if there is one)",
};

/** The options of the live chat, while a backend may be running. */
export function chatOptionsOf(database: BackendDatabase): ChatOptions {
  return {
    database,
    now: Date.now,
    random: (length) => Uint8Array.from(randomBytes(length)),
    bodyLimit: 0,
    wire: "deployed",
    demo: false,
    // With null, this process would search for agents itself, although a webhook may choose them.
    hooks: () => Promise.reject(new Error("unreachable: the command line calls no address")),
  };
}

/**
 * Runs a command for the app that the arguments name. A refusal exits with 2, an unknown app with
 * 1; each is reported in one line.
 */
export async function runForApp(
  args: Arguments,
  terminal: Terminal,
  work: (options: ChatOptions, app: ListedApp) => Promise<number>,
  app: string | null = args.one("app"),
): Promise<number> {
  return withDatabase(findDatabase(args, terminal), async (database) => {
    const found = findApp(await listApps({ database }), app);
    if (typeof found === "string") {
      terminal.error(`afterword ${args.command}: ${found}\n`);
      return 1;
    }
    try {
      return await work(chatOptionsOf(database), found);
    } catch (error) {
      if (error instanceof Refusal) throw createArgumentError(args.command, error.message);
      throw error;
    }
  });
}

/** Finds the app, or says why there is none. */
function findApp(apps: readonly ListedApp[], given: string | null): ListedApp | string {
  const valid = apps.filter(({ revoked }) => revoked === null);
  const list = "afterword backend app list shows all";
  if (given === null) {
    const [only] = valid;
    if (only === undefined) return "there is no app yet: afterword backend app add NAME makes one";
    return valid.length === 1
      ? only
      : `there are ${valid.length} apps: name one with --app (${list})`;
  }
  const label = given.trim();
  const byId = valid.find(({ id }) => id === label);
  if (byId !== undefined) return byId;
  const named = valid.filter(({ name }) => name === label);
  const [first] = named;
  if (first === undefined) return `no valid app is called "${given}" (${list})`;
  return named.length === 1
    ? first
    : `${named.length} apps are called "${given}": give the id (${list})`;
}
