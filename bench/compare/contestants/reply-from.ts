import { createRelay, start } from "./fastify-relay.ts";

const app = await createRelay();
app.all("/*", (_request, reply) => reply.from());
await start(app);
