import { findDatabase, databaseOptions, withDatabase } from "../backend/database-option.ts";
import type { Command } from "../command/command.ts";
import { formatCount } from "../command/counted.ts";
import { shortenPath } from "../command/shortened.ts";
import { createProgress } from "../command/progress.ts";

const name = "backend migrate";

export const backendMigrateCommand: Command = {
  name,
  usage: "[--database ADDRESS] [--config FILE]",
  options: [...databaseOptions],
  async run(args, terminal) {
    const progress = createProgress(terminal);
    let steps = 0;
    const report = (step: {
      readonly name: string;
      readonly number: number;
      readonly count: number;
    }): void => {
      steps = step.count;
      progress.done(`step ${step.number} of ${step.count}: ${step.name}`);
    };
    const where = await withDatabase(
      findDatabase(args, terminal),
      async (database) => database.name,
      {
        report,
      },
    );
    const done = steps === 0 ? "nothing to do" : `${formatCount(steps, "step")} done`;
    terminal.out(`${shortenPath(where)} is of this release (${done})\n`);
    return 0;
  },
};
