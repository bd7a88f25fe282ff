import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { root } from "../../conformance/wrangler.ts";

/** Compiles a worker that hands over, for the tests of its objects within workerd. */
export async function setup(): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), "afterword-objects-"));
  const file = join(directory, "afterword.yaml");
  await writeFile(file, configuration);
  await promisify(execFile)(process.execPath, [join(root, "src/runtime/worker/compile.ts")], {
    env: {
      ...process.env,
      AFTERWORD_CONFIG: file,
      AFTERWORD_WORKER_OUT: join(root, "dist/worker-handing-over"),
    },
  });
  await rm(directory, { recursive: true });
}

// Records of the suite are from 1970, and are not too old yet. Nobody answers at the address.
const configuration = `version: 1
upstream: { auth: "http://127.0.0.1:1", allow: [127.0.0.1], keyHeader: x-inbenta-key }
instances:
  - name: shop
    match: {}
    language: en
    created: 2018-06-01
    credentials: { apiKey: "\${API_KEY}", secret: "\${SECRET}" }
    upstream: { apis: { ticketing: "http://127.0.0.1:1" } }
state: { retention: 36500d }
escalation: { mode: managed, ladder: [ticket] }
`;
