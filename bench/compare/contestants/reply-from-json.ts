import { text } from "node:stream/consumers";
import { createRelay, start } from "./fastify-relay.ts";
import { messagePath, parseResponse, replaceTexts } from "../../traffic.ts";

const app = await createRelay();
app.post(messagePath, (_request, reply) =>
  reply.from(undefined, {
    onResponse(_asked, answer, { stream }) {
      void text(stream).then((body) => {
        answer.removeHeader("content-length");
        return answer.send(JSON.stringify(replaceTexts(parseResponse(body))));
      });
    },
  }),
);
app.all("/*", (_request, reply) => reply.from());
await start(app);
