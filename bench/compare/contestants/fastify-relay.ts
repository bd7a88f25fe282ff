import replyFrom from "@fastify/reply-from";
import fastify, { type FastifyInstance } from "fastify";
import { announce, upstreamOrigin } from "../../announce.ts";

/**
 * A Fastify server with @fastify/reply-from in front of the upstream; bodies reach the routes
 * unread, as streams.
 */
export async function createRelay(): Promise<FastifyInstance> {
  const app = fastify({ logger: false });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("*", (_request, payload, done) => done(null, payload));
  await app.register(replyFrom, {
    base: upstreamOrigin(),
    undici: { connections: 512, pipelining: 1 },
    disableRequestLogging: true,
  });
  return app;
}

export async function start(app: FastifyInstance): Promise<void> {
  announce(Number(new URL(await app.listen({ host: "127.0.0.1", port: 0 })).port));
}
