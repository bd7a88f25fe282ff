// Suite: slow
import { sqliteFiles } from "../../fixtures/sqlite-files.ts";
import { embeddedGateway } from "../embedded-gateway.ts";
import { publicKeys } from "./suites/public-keys.ts";
import { publicBackend } from "./public-backend.ts";

const file = sqliteFiles();

publicKeys("a SQLite file", async () => publicBackend(await file()));
publicKeys("the gateway with the backend inside", async () => {
  const gateway = await embeddedGateway();
  return {
    request: (path, init) => fetch(gateway.url + path, init),
    close: () => gateway.close(),
  };
});
