// The worker's entry (wrangler.toml). The output of compile.ts is the only import that is not a
// source file.
import compiled from "afterword-compiled";
import { withCallers } from "../../gateway/callers/create-callers.ts";
import { loadJwtCheck } from "../../gateway/callers/signed-tokens.ts";
import { loadCompiled } from "./compiled.ts";
import { createEdgeEscalations, escalationsWithin } from "./edge-escalations.ts";
import { createEdgeInsights } from "./edge-insights.ts";
import { createEscalatingConversation, type EscalatingClass } from "./escalating-conversation.ts";
import { Insights } from "./insights-object.ts";
import { createWorker, openWorker, type Worker } from "./worker.ts";

const config = loadCompiled(compiled);
const { version } = compiled;

/** The class of the Durable Objects. Its alarm opens the gateway within the object. */
export const Conversation: EscalatingClass = createEscalatingConversation({
  retention: config.state.retention,
  round: (rows, bindings) =>
    openWorker(config, version, bindings, {
      escalations: escalationsWithin(rows),
      insights: createEdgeInsights,
    }).round(),
});

/** The class of the Durable Object that keeps counts. */
export { Insights };

const worker: Worker = createWorker(config, version, {
  callers: withCallers(loadJwtCheck),
  escalations: createEdgeEscalations,
  insights: createEdgeInsights,
});
// oxlint-disable-next-line import/no-default-export -- workerd takes no other
export default worker;
