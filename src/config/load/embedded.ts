import { dirname, join, sep } from "node:path";
import type { Config } from "../config.ts";
import { findPackageRoot } from "./package-root.ts";

/** True when some request goes to the backend in this process. */
export function usesEmbedded({
  upstream,
  instances,
}: Pick<Config, "upstream" | "instances">): boolean {
  return isEmbedded(upstream.auth) || listEmbedded(instances).length > 0;
}

/** The names of the instances that the backend in this process answers. */
export function listEmbedded(instances: Config["instances"]): readonly string[] {
  return instances.filter(({ upstream }) => isEmbedded(upstream.auth)).map(({ name }) => name);
}

/** True for the address of a service of the backend in this process. */
export function isEmbedded(address: string): boolean {
  return address.startsWith("embedded:");
}

/** Directory of the demo shop's contents, which come with the package. */
export function findDemoContent(): string {
  return join(findPackageRoot(), "config", "backend");
}

/** True when a configuration outside of Afterword's own checkout uses the demo shop's contents. */
export function borrowsDemoContent({
  backend,
  sources,
}: Pick<Config, "backend" | "sources">): boolean {
  const [file = ""] = sources;
  return backend.content === findDemoContent() && !file.startsWith(findPackageRoot() + sep);
}

/** Says that the demo shop answers, and where own contents belong. */
export function describeDemoContent(
  { sources }: Pick<Config, "sources">,
  exposed: string | null,
): string {
  const [file = ""] = sources;
  const also = exposed === null ? "" : ` although ${exposed}`;
  return `the bot answers with the demo shop's contents${also}: there is no folder ${join(dirname(file), "backend")}, and backend.content names no other one. Put your contents there (afterword backend init writes some), or mount the folder`;
}
