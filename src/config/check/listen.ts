import type { Config } from "../config.ts";
import { isLoopbackHost } from "../exposure.ts";
import type { Reporter } from "../../yaml/diagnostic.ts";
import { sectionOf } from "../../yaml/section.ts";
import { checkTls } from "../load/tls-pair.ts";
import type { YamlFile } from "../../yaml/yaml.ts";

/**
 * Reports TLS files that no listener can use, and a proxy that is not named.
 *
 * @param isRunning true in a process that already listens, where a fault that only prevents the next
 *   start is a warning
 */
export async function checkListen(
  config: Config,
  file: YamlFile,
  isRunning: boolean,
  reporter: Reporter,
): Promise<void> {
  await checkTls(config, file, reporter, isRunning ? "warn" : "error");
  checkProxies(config, file, reporter);
}

/** Warns of a public address with a proxy in front whose headers are not read. */
function checkProxies({ listen }: Config, file: YamlFile, reporter: Reporter): void {
  const { publicUrl, tls, trustProxies } = listen;
  if (publicUrl === null || tls !== null || trustProxies.length > 0) return;
  if (isLoopbackHost(new URL(publicUrl).host)) return;
  const message = `clients come through a proxy to ${publicUrl}, and listen.trustProxies names none: all of them share the limits of one client`;
  const hint =
    "Name the addresses that the proxy connects from, such as trustProxies: [10.0.0.0/8].";
  sectionOf(file, reporter, ["listen", "publicUrl"]).warn("proxy-not-named", message, hint);
}
