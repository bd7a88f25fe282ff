/** How the configurations of all runtimes begin: one upstream, whose timeouts are short. */
export function upstreamLines(origin: string): string {
  return `version: 1
data: ./data
upstream:
  auth: ${origin}
  allow: [127.0.0.1]
  keyHeader: x-inbenta-key
  timeouts: { connect: 500ms, headers: 1s, total: 3s, idle: 1s }`;
}
