import { storedKeys } from "../../backend/auth/stored-keys.ts";
import { readArguments } from "../arguments.ts";
import { databaseOf, databaseOption, withDatabase } from "../backend/database-option.ts";
import type { Command } from "../command.ts";
import { onlyPositional } from "../only-positional.ts";

const name = "backend key revoke";

export const backendKeyRevokeCommand: Command = {
  name,
  summary: "Makes an API key worthless, and every token that it was used for, within a second.",
  usage: "NAME [--database FILE|postgres://…]",
  options: [databaseOption],
  async run(argv, terminal) {
    const args = readArguments(name, argv, this.options, 1);
    const key = onlyPositional(name, args, "name the key; afterword backend key list shows them");
    const revoked = await withDatabase(databaseOf(args), (database) =>
      storedKeys(database, Date.now).revoke(key.trim()),
    );
    if (revoked) {
      terminal.out(`revoked ${key}\n`);
      return 0;
    }
    terminal.error(
      `afterword ${name}: there is no key "${key}" that is good; afterword backend key list shows all\n`,
    );
    return 1;
  },
};
