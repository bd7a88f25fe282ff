import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer, type RequestListener } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { parseAllDocuments } from "yaml";
import { checkConfig } from "../../../src/config/check/check.ts";
import { loadConfig } from "../../../src/config/load/load.ts";
import { workspace } from "../../config/workspace.ts";
import { testCertificates } from "../../runtime/node/certificates.ts";

const root = join(import.meta.dirname, "../../..");
const read = (file: string): Promise<string> => readFile(join(root, file), "utf8");

// A wrong path in a manifest is an error of the test.
// oxlint-disable-next-line typescript/no-explicit-any
async function objects(): Promise<Record<string, any>[]> {
  return parseAllDocuments(await read("deploy/kubernetes.yaml")).map((document) => document.toJS());
}

describe("the Kubernetes manifest", () => {
  it("has a configuration that loads, and listens where probes and service ask", async () => {
    const all = await objects();
    const text = all.find(({ kind }) => kind === "ConfigMap")?.["data"]["afterword.yaml"];
    const directory = await workspace({ "afterword.yaml": text });
    const config = await loadConfig(join(directory, "afterword.yaml"), { env: {} });
    expect(config.warnings).toEqual([]);
    const { diagnostics } = await checkConfig(join(directory, "afterword.yaml"), { env: {} });
    expect(diagnostics).toEqual([]);
    expect(config.state.store).toBe("redis://redis:6379");
    const { containers, terminationGracePeriodSeconds } = (all[1] ?? {})["spec"].template.spec;
    const [{ ports, startupProbe, readinessProbe, livenessProbe, volumeMounts, lifecycle }] =
      containers;
    expect(ports).toEqual([{ name: "http", containerPort: config.listen.port }]);
    expect(readinessProbe.httpGet).toEqual({ path: "/_afterword/ready", port: "http" });
    for (const probe of [startupProbe, livenessProbe]) {
      expect(probe.httpGet).toEqual({ path: "/_afterword/health", port: "http" });
    }
    expect(volumeMounts.map((mount: { mountPath: string }) => mount.mountPath)).toContain(
      config.data,
    );
    const drain =
      config.upstream.timeouts.total / 1000 + 2 + Number(lifecycle.preStop.exec.command[1]);
    expect(terminationGracePeriodSeconds).toBeGreaterThan(drain);
  });

  it("has a Redis that forgets conversations before it forgets escalations", async () => {
    const redis = (await objects()).find(({ kind, metadata }) => {
      return kind === "Deployment" && metadata.name === "redis";
    });
    const args: string[] = redis?.["spec"].template.spec.containers[0].args;
    const [, policy] = /\*\*`(volatile-\w+)`\*\*/.exec(await read("docs/state.md")) ?? [];
    expect(args[args.indexOf("--maxmemory-policy") + 1]).toBe(policy);
  });

  it("selects by labels that its objects have", async () => {
    const all = await objects();
    const pods = all
      .filter(({ kind }) => kind === "Deployment")
      .map(({ spec }) => spec.template.metadata.labels);
    for (const { kind, spec } of all.filter((one) => one["spec"]?.selector !== undefined)) {
      const wanted = spec.selector.matchLabels ?? spec.selector;
      expect([kind, pods]).toEqual([kind, expect.arrayContaining([wanted])]);
    }
  });
});

describe("the workflow", () => {
  it("may only read, and leaves no token in the checkout", async () => {
    const [document] = parseAllDocuments(await read(".github/workflows/ci.yml"));
    const { permissions, jobs } = document?.toJS() ?? {};
    expect(permissions).toEqual({ contents: "read" });
    const steps: { uses?: string; with?: object }[] = jobs.run.steps;
    const checkouts = steps.filter(({ uses }) => uses?.startsWith("actions/checkout@"));
    expect(checkouts).toEqual([
      expect.objectContaining({ with: { "persist-credentials": false } }),
    ]);
  });
});

describe("the systemd unit and the Dockerfile", () => {
  it("start what the package installs, and wait until it has stopped", async () => {
    const bin = JSON.parse(await read("package.json")).bin.afterword;
    const unit = await read("deploy/afterword.service");
    expect(unit).toContain(`/node_modules/afterword/${bin} serve --config`);
    expect(Number(/TimeoutStopSec=(\d+)/.exec(unit)?.[1])).toBeGreaterThan(30);
    expect(await read("deploy/Dockerfile")).toContain(`ENTRYPOINT ["node", "${bin}"]`);
  });

  it.each([
    ["http", 200, 0],
    ["https", 200, 0],
    ["http", 404, 1],
    ["https", 404, 1],
    ["nothing", 0, 1],
  ])(
    "ask a server that speaks %s and answers %i whether it is alive",
    async (speaks, status, code) => {
      const [, command = "[]"] =
        /HEALTHCHECK [^\n]*\\\n +CMD (\[.*\])\n/u.exec(await read("deploy/Dockerfile")) ?? [];
      const [, ...args] = JSON.parse(command) as string[];
      const answer: RequestListener = ({ url }, response) =>
        void response.writeHead(url === "/_afterword/health" ? status : 404).end("{}");
      const server =
        speaks === "https" ? createTlsServer(testCertificates(), answer) : createServer(answer);
      await once(server.listen(0, "127.0.0.1"), "listening");
      onTestFinished(() => void server.close());
      const { port } = server.address() as AddressInfo;
      if (speaks === "nothing") await once(server.close(), "close");
      const asked = spawn(process.execPath, args, { env: { PORT: String(port) }, stdio: "ignore" });
      expect(await once(asked, "exit")).toEqual([code, null]);
    },
  );

  it("installs what the lock file names, and nothing beside the packed package", async () => {
    const image = await read("deploy/Dockerfile");
    expect(image.match(/^RUN npm .*/gm)).toEqual([
      expect.stringContaining("npm ci "),
      expect.stringContaining("npm run build"),
    ]);
    expect(image.match(/^COPY package.json package-lock.json/gm)).toHaveLength(1);
  });

  it("limit memory alike, with options that Node takes from there", async () => {
    const [image, unit] = [await read("deploy/Dockerfile"), await read("deploy/afterword.service")];
    const [, set] = /^ENV (NODE_OPTIONS=.*)$/m.exec(image) ?? [];
    expect(unit).toContain(`Environment=${set}\n`);
    const options = /NODE_OPTIONS=(\S+)/.exec(set ?? "")?.[1];
    expect(process.allowedNodeEnvironmentFlags.has(options ?? "")).toBe(true);
    expect(set).toContain("LD_PRELOAD=libjemalloc.so.2");
    expect(image.indexOf("install -y --no-install-recommends libjemalloc2")).toBeLessThan(
      image.indexOf("LD_PRELOAD"),
    );
    expect(image).toContain("libjemalloc2");
  });
});
