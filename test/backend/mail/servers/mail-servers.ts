import { onTestFinished } from "vitest";
import { type MailServers, startMailServers } from "../../../fixtures/mail-servers.ts";

/** Real mail servers, ended with the test. */
export async function mailServers(): Promise<MailServers> {
  const servers = await startMailServers();
  onTestFinished(() => servers.end());
  return servers;
}
