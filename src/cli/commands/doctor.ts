import { loadConfig } from "../../config/load/load.ts";
import { usesEmbedded } from "../../config/load/embedded.ts";
import type { Config } from "../../config/config.ts";
import { AfterwordError } from "../../errors.ts";
import type { Logger } from "../../gateway/exchange/platform.ts";
import { serve } from "../../runtime/node/serve.ts";
import { type Command, findConfigFile, configOption, type Terminal } from "../command/command.ts";
import type { DoctorFinding } from "../../api/console-health.ts";
import { type Account, accountIn, examine } from "../../gateway/console/examine.ts";

export const doctorCommand: Command = {
  name: "doctor",
  usage: "[--config FILE] [--instance NAME]",
  options: [
    configOption,
    {
      name: "instance",
      value: "NAME",
      help: "whose credentials to use (default: the first that has some)",
    },
  ],
  async run(args, terminal) {
    const config = await loadConfig(findConfigFile(args.one("config"), terminal), {
      env: terminal.env,
    });
    const name = args.one("instance");
    // The embedded backend's credentials are known once it runs.
    if (!usesEmbedded(config)) accountOf(config, name);
    const failures: string[] = [];
    const log: Logger = (_level, event, fields) => {
      if (event === "upstream-failed") {
        const cure = fields?.["cure"];
        const failure = `${String(fields?.["kind"])}: ${String(fields?.["detail"])}`;
        failures.push(cure === undefined ? failure : `${failure}; ${String(cure)}`);
      }
      if (event === "discovery-refused")
        failures.push(`${String(fields?.["host"])}: ${String(fields?.["cure"])}`);
    };
    // A separate gateway on a free loopback port makes the same calls as an unmodified client. How
    // the real gateway is reached does not matter here.
    const listen = { ...config.listen, publicUrl: null, tls: null, trustProxies: [] };
    const env = { ...terminal.env, AFTERWORD_DEMO_CREDENTIALS: undefined };
    const running = await serve({
      config: { ...config, listen },
      host: "127.0.0.1",
      port: 0,
      env,
      log,
    });
    try {
      const examined = {
        url: running.url,
        lastFailure: () => failures.at(-1) ?? null,
        adminToken: running.gateway.core.admin.token,
      };
      const account = accountOf(running.gateway.core.snapshot().config, name);
      const findings = await examine(examined, account);
      for (const finding of findings) terminal.out(describe(finding, terminal));
      return findings.every(({ ok }) => ok) ? 0 : 1;
    } finally {
      await running.close();
    }
  },
};

function accountOf(config: Config, name: string | null): Account {
  const instances = config.instances.filter((instance) => name === null || instance.name === name);
  if (instances.length === 0) {
    const names = config.instances.map((instance) => instance.name).join(", ");
    throw new AfterwordError(
      "argument-invalid",
      `afterword doctor: there is no instance "${name ?? ""}" (${names})`,
    );
  }
  const account = accountIn(instances, null, "demo-secret");
  if (account !== null) return account;
  throw new AfterwordError(
    "config-invalid",
    'afterword doctor: no instance has credentials: add `credentials: { apiKey: "${API_KEY}", secret: "${API_SECRET}" }` to one and set both variables',
  );
}

function describe({ step, ok, detail, cure }: DoctorFinding, terminal: Terminal): string {
  const mark = ok ? "ok  " : "FAIL";
  const colour = terminal.interactive ? (ok ? "\u001B[32m" : "\u001B[31m") : "";
  const plain = colour === "" ? "" : "\u001B[0m";
  return `${colour}${mark}${plain} ${step.padEnd(13)}${detail}${cure === null ? "" : `\n     cure: ${cure}`}\n`;
}
