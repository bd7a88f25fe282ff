import { spawn } from "node:child_process";
import { existsSync, rmSync } from "node:fs";
import { mkdtemp, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { arch, tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { freePort } from "../test/fixtures/free-port.ts";
import { announce } from "./announce.ts";
import { findTool } from "./tools.ts";

/**
 * Runs nginx as a child of this process, as one process on the inherited core, and announces it.
 *
 * @param http the contents of nginx's `http` block, for its port and prefix
 * @param files written beside the configuration, which is nginx's prefix
 * @param modules files of modules to load
 */
export async function runNginx(
  http: (port: number, prefix: string) => string,
  files: Readonly<Record<string, string>> = {},
  modules: readonly string[] = [],
): Promise<void> {
  const program = findTool("nginx");
  if (program === null) throw new Error("nginx is not installed: apt-get install -y nginx");
  const port = await freePort();
  const prefix = await mkdtemp(join(tmpdir(), "afterword-bench-"));
  for (const [name, content] of Object.entries(files)) await writeFile(join(prefix, name), content);
  const file = join(prefix, "nginx.conf");
  const loading = modules.map((module) => `load_module ${module};\n`).join("");
  await writeFile(file, loading + configuration(prefix, http(port, prefix)));
  const child = spawn(program, ["-p", prefix, "-c", file], {
    stdio: ["ignore", "inherit", "inherit"],
  });
  // Only after nginx has ended, no other process uses its folder.
  child.once("exit", (code) => {
    rmSync(prefix, { recursive: true, force: true });
    process.exit(code ?? 1);
  });
  await untilAccepting(port);
  announce(port, child.pid, () => child.kill("SIGTERM"));
}

/** Finds the modules that Lua in nginx needs. @throws Error with the names of missing packages */
export function luaModules(): readonly string[] {
  const modules = ["ndk_http_module", "ngx_http_lua_module"].map(
    (name) => `/usr/lib/nginx/modules/${name}.so`,
  );
  if (modules.every((file) => existsSync(file)) && existsSync(cjson)) return modules;
  throw new Error("apt-get install -y libnginx-mod-http-lua lua-cjson");
}

/** Debian's location; the folder depends on the machine. */
const cjson = `/usr/lib/${arch() === "arm64" ? "aarch64" : "x86_64"}-linux-gnu/lua/5.1/cjson.so`;

function configuration(prefix: string, http: string): string {
  const scratch = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
    .map((name) => `${name}_temp_path ${prefix}/${name};`)
    .join(" ");
  // Started by root, nginx would give its folders to the user nobody, and they could not be
  // removed.
  const user = userInfo().uid === 0 ? "user root;" : "";
  return `daemon off; master_process off; ${user} pid ${prefix}/nginx.pid; error_log stderr error;
events { worker_connections 4096; }
http {
  access_log off; ${scratch}
  keepalive_timeout 75s; keepalive_requests 1000000000; tcp_nodelay on;
  ${http}
}
`;
}

async function untilAccepting(port: number): Promise<void> {
  for (;;) {
    const accepted = await new Promise<boolean>((resolve) => {
      const socket = connect(port, "127.0.0.1");
      socket.once("connect", () => resolve(true)).once("error", () => resolve(false));
      socket.once("connect", () => socket.destroy());
    });
    if (accepted) return;
    await sleep(50);
  }
}
