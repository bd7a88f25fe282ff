import type { CallerConfig } from "./config.ts";
import type { Section } from "./section.ts";
import type { Path } from "./yaml.ts";

/** Reports callers that one request could match: the choice must not depend on their order. */
export function reportEqualCallers(callers: readonly CallerConfig[], section: Section): void {
  const seen = new Map<string, string>();
  for (const [index, caller] of callers.entries()) {
    for (const { sign, at, says } of signsOf(caller)) {
      const other = seen.get(sign);
      if (other === undefined) {
        seen.set(sign, caller.name);
        continue;
      }
      section.at(index, ...at).error("duplicate", `the caller "${other}" ${says}`);
    }
  }
}

/** What one caller only may have. */
interface Sign {
  readonly sign: string;
  readonly at: Path;
  readonly says: string;
}

function signsOf({ name, keys, jwt, origins }: CallerConfig): readonly Sign[] {
  const signs: Sign[] = [{ sign: `name ${name}`, at: ["name"], says: "has this name too" }];
  for (const key of keys) {
    signs.push({ sign: `key ${key}`, at: ["key"], says: "has this key too" });
  }
  if (jwt !== null && keys.length === 0) {
    const says = "takes tokens of this issuer for this audience too";
    signs.push({ sign: `jwt ${JSON.stringify([jwt.issuer, jwt.audience])}`, at: ["jwt"], says });
  }
  if (jwt !== null || keys.length > 0) return signs;
  for (const [index, origin] of origins.entries()) {
    const says = "has this origin too, and neither key nor jwt";
    signs.push({ sign: `origin ${origin}`, at: ["origins", index], says });
  }
  return signs;
}
