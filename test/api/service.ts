import { json, scriptedService } from "./scripted-service.ts";
import type { ScriptedService, Script } from "./scripted-service.ts";
import { createClients } from "../../src/api/clients.ts";
import type { Clients } from "../../src/api/clients.ts";
import type { ClientsOptions } from "../../src/api/client-options.ts";

export interface Time {
  now: () => number;
  advance(milliseconds: number): void;
  /** The client's sleeps, in milliseconds. */
  readonly slept: number[];
}

export function time(): Time {
  let at = Date.UTC(2026, 0, 1);
  return {
    now: () => at,
    advance(milliseconds) {
      at += milliseconds;
    },
    slept: [],
  };
}

/** A service that issues numbered tokens of 20 minutes; everything else is answered by `script`. */
export async function service(
  script: Script = (_request, response) => json(response, 200, {}),
  options: Partial<ClientsOptions> = {},
): Promise<{ service: ScriptedService; clients: Clients; time: Time }> {
  const clock = time();
  let issued = 0;
  const token = (): object => ({ accessToken: `token-${++issued}`, expires_in: 1200 });
  const scripted: ScriptedService = await scriptedService((request, response) => {
    const path = request.url.split("?")[0];
    if (path === "/v1/auth" || path === "/v1/refreshToken") return json(response, 200, token());
    if (path === "/v1/apis") {
      const base = `http://${request.headers.host ?? ""}`;
      const apis = {
        chatbot: `${base}/bot/`,
        knowledge: `${base}/know`,
        ticketing: `${base}/case`,
      };
      return json(response, 200, { apis });
    }
    return script(request, response);
  });
  const clients = createClients({
    auth: { url: scripted.url, apiKey: "key-1", secret: "secret-1" },
    now: clock.now,
    random: () => 0.5,
    sleep: (milliseconds) => {
      clock.slept.push(milliseconds);
      clock.advance(milliseconds);
      return Promise.resolve();
    },
    ...options,
  });
  return { service: scripted, clients, time: clock };
}
