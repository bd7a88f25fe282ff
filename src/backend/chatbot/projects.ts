import type { InstanceConfig } from "../../config/config.ts";
import { DEFAULT_MATCHING, type MatchingSettings } from "../../matching/types.ts";
import type { Flag } from "../../direct-answers/flags.ts";

/** One bot instance of this backend, which its API keys open. */
export interface Project {
  readonly name: string;
  /** Language of conversations that state none, and of readers whose language has no contents. */
  readonly language: string;
  /** Flags that active default content hides (seed.md, Chatbot rule 2). */
  readonly activeDefaultContent: readonly Flag[];
  /** Default: answers from a score of 0.5 on. */
  readonly matching?: MatchingSettings;
}

/** The demo credentials' two projects, for a backend without a gateway's configuration. */
export const DEMO_PROJECTS: readonly Project[] = [
  { name: "shop", language: "en", activeDefaultContent: [] },
  {
    name: "modern",
    language: "en",
    activeDefaultContent: ["welcome", "no-results", "all-options-discarded"],
  },
];

/** Reads projects from the gateway's instances, so that both use the same dates. */
export function projectsFrom(
  instances: readonly Pick<InstanceConfig, "name" | "language" | "rules" | "matching">[],
): readonly Project[] {
  return instances.map(({ name, language, rules, matching }) => ({
    name,
    language,
    activeDefaultContent: rules.activeDefaultContent,
    matching,
  }));
}

/** Returns the scores from which a project's bot answers or offers contents. */
export function matchingOf({ matching = DEFAULT_MATCHING }: Project): MatchingSettings {
  return matching;
}

/** The project called `name`, else the first: a key whose project was renamed still works. */
export function findProject(projects: readonly Project[], name: string): Project {
  return (
    projects.find((project) => project.name === name) ??
    projects[0] ?? { name, language: "en", activeDefaultContent: [] }
  );
}
