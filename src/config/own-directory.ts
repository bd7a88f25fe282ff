import { dirname, resolve } from "node:path";
import { configSchema } from "./schema-config.ts";
import type { YamlFile } from "./yaml.ts";

/** Where an instance's own messages files lie, and whether it says anything of them. */
export interface OwnDirectory {
  /** Absolute; it need not exist. */
  readonly directory: string;
  /** False when `use` leaves `own` out. */
  readonly used: boolean;
}

/** Every instance's own messages directory, in file order; one for a file without instances. */
export function ownDirectories(file: YamlFile): readonly OwnDirectory[] {
  const written = configSchema.parse(file.value);
  const base = dirname(file.source.file);
  return (written.instances ?? [{ messages: undefined }]).map(({ messages }) => ({
    directory: resolve(base, messages?.dir ?? written.messages?.dir ?? "./messages"),
    used: (messages?.use ?? written.messages?.use ?? ["own"]).includes("own"),
  }));
}
