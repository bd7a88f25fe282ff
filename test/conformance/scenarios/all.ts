import type { Area } from "../scenario.ts";
import { discovery } from "./discovery.ts";
import { failures } from "./failures.ts";
import { limits } from "./limits.ts";
import { negotiation } from "./negotiation.ts";
import { ownRoutes } from "./own-routes.ts";
import { passing } from "./passing.ts";
import { rewriting } from "./rewriting.ts";

/** What the gateway does, area by area. Escalation has a place here once it is there. */
export const areas: readonly Area[] = [
  rewriting,
  negotiation,
  discovery,
  passing,
  limits,
  failures,
  ownRoutes,
];
