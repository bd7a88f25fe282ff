import { createServer } from "node:http";
import { announce } from "../announce.ts";
import { answerAskedFor, startAnswer, startPath } from "../traffic.ts";

const answer = Buffer.from(answerAskedFor());
const start = Buffer.from(startAnswer);

const server = createServer({ keepAliveTimeout: 75_000 }, (request, response) => {
  request.resume();
  const body = request.url === startPath ? start : answer;
  response.writeHead(200, [
    ["Content-Type", "application/json; charset=utf-8"],
    ["Content-Length", String(body.length)],
  ]);
  response.end(body);
});
server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  if (address !== null && typeof address === "object") announce(address.port);
});
