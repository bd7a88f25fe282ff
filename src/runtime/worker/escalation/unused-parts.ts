import type { Config } from "../../../config/config.ts";
import type { EscalationConfig } from "../../../config/escalation-config.ts";

/** A module below src/, and the source that does for it what a configuration asks of it. */
export interface Replacement {
  readonly file: string;
  readonly source: string;
}

/**
 * Modules with nothing to do in a worker of this configuration, which changes with a deployment
 * only. For the build.
 */
export function unusedParts({ instances }: Pick<Config, "instances">): readonly Replacement[] {
  const settings = instances.map(({ escalation }) => escalation);
  return parts.filter(({ needed }) => !settings.some(needed));
}

const parts: readonly (Replacement & {
  readonly needed: (settings: EscalationConfig) => boolean;
})[] = [
  {
    file: "escalation/hours.ts",
    source: "export const isOpen = () => true;\n",
    needed: ({ hours }) => hours !== null,
  },
  {
    file: "gateway/escalation/chat-hook.ts",
    source: `import { notFound } from "../own-routes.ts";
export const answerHook = async (_, { exchange }) => notFound(exchange);
`,
    needed: ({ chat }) => chat.hookSecret !== null,
  },
];
