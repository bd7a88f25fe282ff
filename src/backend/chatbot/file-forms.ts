import { findOnlyProject, readOwned } from "../auth/owned.ts";
import type { Credential } from "../auth/credentials.ts";
import type { BackendOptions } from "../options.ts";
import type { BackendDatabase } from "../storage/tables/database.ts";
import type { Storage } from "../storage/types.ts";
import type { TicketingOptions } from "../ticketing/context.ts";
import { createFormTicket } from "../ticketing/form-ticket.ts";
import type { FileForm } from "./options.ts";
import { variablesOf } from "./system-variables.ts";

/** Creates tickets from forms. A failure is reported to the operator and to the reader. */
export function createFormFiling(
  ticketing: TicketingOptions,
  { sessions }: Pick<Storage, "sessions">,
  report: BackendOptions["report"] = () => undefined,
): FileForm {
  return async (submission, session, caller) => {
    try {
      const ticket = await createFormTicket(ticketing, {
        project: await projectFor(caller, ticketing.database),
        submission,
        session: session.id,
        variables: variablesOf(session),
        history: await sessions.history(session.key),
      });
      return { kind: "accepted", message: null, variables: { ticket }, actions: [] };
    } catch (error) {
      report(error);
      return { kind: "failed", reason: "unreachable", detail: "the ticket could not be made" };
    }
  };
}

/**
 * Returns the caller's project. For the demo key, with which owners try their bot on the chat page,
 * it is the owner's.
 */
async function projectFor(
  { demo, project }: Credential,
  database: BackendDatabase,
): Promise<string> {
  if (!demo) return project;
  const owned = await readOwned(database);
  return findOnlyProject(owned) ?? owned.keys[0]?.project ?? project;
}
