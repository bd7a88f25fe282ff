/**
 * The first lines of all runtimes' configurations: one upstream, and limits that a busy machine
 * does not reach.
 */
export function upstreamLines(origin: string): string {
  return `version: 1
data: ./data
upstream:
  auth: ${origin}
  allow: [127.0.0.1]
  keyHeader: x-inbenta-key
  timeouts: { connect: 5s, headers: 20s, total: 25s, idle: 20s }`;
}
