import type { Config } from "./config.ts";
import type { Reporter } from "./diagnostic.ts";
import { readTlsPair } from "./tls-pair.ts";
import type { YamlFile } from "./yaml.ts";

/** Warns of a certificate and a key with which the next start will fail. */
export async function checkTls(config: Config, file: YamlFile, reporter: Reporter): Promise<void> {
  const { tls } = config.listen;
  if (tls === null) return;
  const pair = await readTlsPair(tls);
  if (!("fault" in pair)) return;
  reporter.warn(file.source, file.locate(["listen", "tls"]), "tls-unusable", pair.fault);
}
