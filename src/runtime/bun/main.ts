// npm run start:bun
import { loadConfig } from "../../config/load.ts";
import { isAfterwordError } from "../../errors.ts";
import { serveOnBun } from "./serve.ts";

const { env } = process;

try {
  const config = await loadConfig(env["AFTERWORD_CONFIG"] || "config/examples/edge.yaml");
  const running = await serveOnBun({
    config,
    env,
    ...(env["HOST"] ? { host: env["HOST"] } : {}),
    ...(env["PORT"] ? { port: Number(env["PORT"]) } : {}),
  });
  process.stdout.write(`Afterword listens on ${running.url}\n`);
  const stop = (): void => {
    // A second signal ends the process at once.
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.off(signal, stop);
    void running.close().then(() => process.exit(0));
  };
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, stop);
} catch (error) {
  if (!isAfterwordError(error)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
