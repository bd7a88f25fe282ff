import type { Area } from "../scenario.ts";
import { discovery } from "./discovery.ts";
import { failures } from "./failures.ts";
import { managing, signalling } from "./handing-over.ts";
import { killSwitch } from "./kill-switch.ts";
import { limits } from "./limits.ts";
import { negotiation } from "./negotiation.ts";
import { ownRoutes } from "./own-routes.ts";
import { passing } from "./passing.ts";
import { rewriting } from "./rewriting.ts";
import { signatures } from "./signatures.ts";

/** What the gateway does, area by area. */
export const areas: readonly Area[] = [
  rewriting,
  negotiation,
  discovery,
  passing,
  signatures,
  limits,
  failures,
  ownRoutes,
  signalling,
  managing,
  killSwitch,
];
