// Suite: slow
import { join } from "node:path";
import { createFolder } from "../../fixtures/folder.ts";
import { closeAfterFile } from "../../fixtures/opened.ts";
import { embeddedGateway } from "../embedded-gateway.ts";
import { publicKeys } from "./suites/public-keys.ts";
import { publicBackend } from "./public-backend.ts";

const file = join(createFolder(closeAfterFile), "backend.db");

publicKeys("a SQLite file", () => publicBackend(file));
publicKeys("the gateway with the backend inside", async () => {
  const gateway = await embeddedGateway();
  return {
    request: (path, init) => fetch(gateway.url + path, init),
    close: () => gateway.close(),
  };
});
