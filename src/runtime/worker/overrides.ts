import type { Config } from "../../config/config.ts";
import type { Platform } from "../../gateway/exchange/platform.ts";
import type { TextNamespace } from "./platform.ts";
import {
  listKey,
  type PushedList,
  type PushedVersion,
  readList,
  toVersionKey,
  withTexts,
} from "./pushed-texts.ts";

/** Texts that were pushed after the deployment. */
export interface Overrides {
  /**
   * Checks for a new version if {@link usualInterval} has passed, else returns null. Never rejects.
   */
  refresh(): Promise<void> | null;
  /** Checks now. Resolves with the list, or null if it cannot be read. */
  look(): Promise<PushedList | null>;
  /** Puts in force the version that a newly written list names. */
  follow(list: PushedList): Promise<void>;
  /** For /_afterword/version. */
  state(): OverridesState;
}

export interface OverridesState {
  /** Version in force; null for the texts of the deployment. */
  readonly version: string | null;
  /** When it was pushed. */
  readonly pushed: string | null;
  /** Newer versions that were not taken over, with the reasons. */
  readonly refused: readonly { readonly version: string; readonly reason: string }[];
}

/** Milliseconds an isolate caches; KV itself takes up to a minute to reach all places. */
export const usualInterval = 30_000;

/**
 * @param take puts a configuration in force; it may throw, in which case the version counts as
 *   broken
 * @param interval milliseconds
 */
export function createOverrides(
  texts: Pick<TextNamespace, "get">,
  deployed: Config,
  platform: Pick<Platform, "now" | "digest" | "log">,
  take: (config: Config) => void,
  interval: number = usualInterval,
): Overrides {
  let looked = Number.NEGATIVE_INFINITY;
  let current: PushedVersion | null = null;
  let refused: OverridesState["refused"] = [];

  return {
    refresh() {
      const now = platform.now();
      if (now - looked < interval) return null;
      looked = now;
      return look().then(() => undefined);
    },
    look,
    follow,
    state: () => ({ version: current?.id ?? null, pushed: current?.pushed ?? null, refused }),
  };

  async function look(): Promise<PushedList | null> {
    try {
      const text = await texts.get(listKey);
      const list = text === null ? nothingPushed : readList(text);
      if (list === null) report([{ version: listKey, reason: "unreadable" }]);
      else await follow(list);
      return list;
    } catch {
      report([{ version: listKey, reason: "unreachable" }]);
      return null;
    }
  }

  async function follow(list: PushedList): Promise<void> {
    const broken: { version: string; reason: string }[] = [];
    for (const version of listCandidates(list)) {
      if (version.id === current?.id) return report(broken);
      const problem = await putInForce(version);
      if (problem === null) return report(broken);
      broken.push({ version: version.id, reason: problem });
    }
    // No pushed version is usable: the one in force stays, unless the list resets to the
    // deployment's texts.
    if (list.current === null && current !== null) {
      take(deployed);
      current = null;
      platform.log("info", "overrides-taken", { version: "deployed" });
    }
    report(broken);
  }

  async function putInForce(version: PushedVersion): Promise<string | null> {
    const text = await texts.get(toVersionKey(version.id));
    if (text === null) return "missing";
    const config = await withTexts(deployed, version, text, (given) => platform.digest(given));
    if (typeof config === "string") return config;
    try {
      take(config);
    } catch {
      return "unusable";
    }
    current = version;
    platform.log("info", "overrides-taken", { version: version.id });
    return null;
  }

  function report(broken: OverridesState["refused"]): void {
    for (const { version, reason } of broken) {
      if (refused.some((known) => known.version === version && known.reason === reason)) continue;
      platform.log("error", "overrides-refused", { version, reason });
    }
    refused = broken;
  }
}

const nothingPushed: PushedList = { format: 1, current: null, versions: [] };

/** The wanted version, then earlier ones, so that a new isolate finds the last good one. */
function listCandidates({ current, versions }: PushedList): readonly PushedVersion[] {
  const index = versions.findIndex(({ id }) => id === current);
  return index === -1 ? [] : versions.slice(index);
}
