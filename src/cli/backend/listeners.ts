import { createAppListener, type NodeApp } from "../../runtime/node/server/app-listener.ts";
import type { ListenerOptions } from "../../runtime/node/server/listener.ts";

/** A server on its own port. */
export interface Listener {
  /** The name for operators. */
  readonly of: string;
  readonly app: NodeApp;
  /** 0 for any free port. */
  readonly port: number;
  /** The option that sets the port. */
  readonly portOption: string;
}

/**
 * Listens on every port, or on none. `listening` has a line for each, with its address. `drain`
 * stops accepting connections, and closes those that remain after this many milliseconds.
 *
 * @throws AfterwordError `listen-failed`, which names the port and how to choose another
 */
export async function openListeners(
  requested: readonly Listener[],
  {
    host,
    onError,
    upgrade,
  }: {
    readonly host: string;
    readonly onError: (error: unknown) => void;
    /** Handles WebSocket requests, on every port. */
    readonly upgrade?: ListenerOptions["upgrade"];
  },
) {
  const named = host.includes(":") ? `[${host}]` : host;
  const listeners: ReturnType<typeof createAppListener>[] = [];
  const drain = async (limit: number): Promise<void> => {
    await Promise.all(listeners.map((listener) => listener.drain(limit)));
  };
  let listening = "";
  try {
    for (const { of, app, port, portOption } of requested) {
      const listener = createAppListener(app, {
        onError,
        portOption,
        ...(upgrade !== undefined && { upgrade }),
      });
      const address = await listener.listen(port, host);
      listeners.push(listener);
      listening += `The ${of} listens on http://${named}:${address.port}\n`;
    }
  } catch (error) {
    await drain(0);
    throw error;
  }
  return { listening, drain };
}
