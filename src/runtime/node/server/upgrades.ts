import type { Failure } from "../../../http/types.ts";
import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import type { RequestHead } from "../../../gateway/exchange/exchange.ts";
import type { Gateway } from "../../../gateway/gateway.ts";
import { prepareUpgrade } from "../../../gateway/upstream/upgrade.ts";
import { createUpgradeExchange } from "./exchange.ts";
import type { OpenTunnel } from "./tunnel.ts";

/**
 * Relays upgrade requests (WebSocket) on pass-through addresses to their upstream.
 *
 * @param trusts decides whose forwarding fields are believed
 */
export function createUpgrades(
  gateway: () => Gateway,
  openTunnel: OpenTunnel,
  trusts: (address: string) => boolean,
) {
  return {
    // HTTP/1.0 has no upgrades (RFC 9110 section 7.8).
    accepts: (incoming: IncomingMessage): boolean =>
      incoming.httpVersion !== "1.0" && gateway().mayUpgrade(headOf(incoming)),
    open(incoming: IncomingMessage, socket: Duplex, head: Buffer): void {
      tunnel(incoming, socket, head).catch((error: unknown) => {
        socket.destroy();
        const { log } = gateway().core.platform;
        log("error", "internal-error", { route: "upgrade", detail: String(error) });
      });
    },
  };

  async function tunnel(incoming: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    const upgrade = createUpgradeExchange(incoming, socket, trusts);
    if (upgrade === null) {
      socket.destroy();
      return;
    }
    const { exchange, release } = upgrade;
    const entered = gateway();
    const prepared = await prepareUpgrade(entered.core, entered.arrive(exchange));
    if (prepared === null) return;
    let failure: Failure | null = null;
    try {
      const outcome = await openTunnel({
        incoming,
        head,
        reply: exchange.reply,
        release,
        upstream: prepared.request,
      });
      if (outcome.kind === "failed") failure = outcome.error;
    } catch (error) {
      // The client can't continue after any answer, and its place is free again.
      socket.destroy();
      failure = { kind: "broken", detail: String(error), sent: true };
      throw error;
    } finally {
      prepared.over(failure);
    }
  }
}

function headOf({ method = "GET", url = "", rawHeaders }: IncomingMessage): RequestHead {
  return { method, target: url, headers: rawHeaders };
}
