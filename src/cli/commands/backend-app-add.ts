import { registerApp } from "../../backend/chat/apps.ts";
import { openDatabase } from "../../backend/storage/open-database.ts";
import { readArguments } from "../arguments.ts";
import { chatOptionsOf } from "../backend/chat-access.ts";
import { databaseOf, databaseOption } from "../backend/database-option.ts";
import { labelled } from "../backend/labelled.ts";
import { SHOWN_ONCE } from "../backend/new-key.ts";
import { readLabel } from "../backend/read-label.ts";
import type { Command } from "../command.ts";
import { onlyPositional } from "../only-positional.ts";
import { formatOption, readFormat } from "../text-or-json.ts";

const name = "backend app add";

export const backendAppAddCommand: Command = {
  name,
  summary:
    "Registers an app of the live chat, and shows its id and its secret once: the database keeps a digest only.",
  usage: "NAME [--format text|json] [--database ADDRESS]",
  options: [formatOption, databaseOption],
  async run(argv, terminal) {
    const args = readArguments(name, argv, this.options, 1);
    const format = readFormat(name, args);
    const given = onlyPositional(name, args, "name the app, by what it is for");
    const label = readLabel(name, "the name", given);
    const database = await openDatabase(databaseOf(args));
    try {
      const { appId, secret } = await registerApp(chatOptionsOf(database), label);
      terminal.out(
        format === "json"
          ? `${JSON.stringify({ name: label, appId, secret }, null, 2)}\n`
          : labelled([
              ["name", label],
              ["App ID", appId],
              ["secret", secret],
            ]),
      );
    } finally {
      await database.close();
    }
    terminal.error(SHOWN_ONCE);
    return 0;
  },
};
