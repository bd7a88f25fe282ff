import { rawConnect, type RawConnection } from "../../../src/testing/index.ts";
import type { Asked, Client } from "./exchange.ts";

/** A client that writes and reads HTTP/1.1 itself. */
export function createSocketClient(port: number): Client {
  return {
    async ask(asked) {
      const connection = await rawConnect(port);
      try {
        await send(connection, port, asked);
        const { status, reason, headers, body, complete } = await connection.answer();
        return { status, reason, headers, body, complete };
      } finally {
        connection.destroy();
      }
    },
    async open(asked) {
      const connection = await rawConnect(port);
      await send(connection, port, asked);
      return {
        until: (text) => connection.waitFor(Buffer.from(text, "utf8").toString("latin1")),
        leave: () => connection.destroy(),
      };
    },
  };
}

async function send(connection: RawConnection, port: number, asked: Asked): Promise<void> {
  const { method = "GET", target, headers = [], body } = asked;
  const whole = typeof body === "string" || body instanceof Uint8Array ? Buffer.from(body) : null;
  const framing =
    whole !== null
      ? [`Content-Length: ${whole.length}`]
      : body === undefined
        ? []
        : ["Transfer-Encoding: chunked"];
  const fields: string[] = [];
  for (let i = 0; i < headers.length; i += 2) fields.push(`${headers[i]}: ${headers[i + 1]}`);
  const lines = [`${method} ${target} HTTP/1.1`, `Host: 127.0.0.1:${port}`, ...fields, ...framing];
  connection.send(Buffer.from(`${lines.join("\r\n")}\r\n\r\n`, "latin1"));
  if (whole !== null) connection.send(whole);
  else if (body !== undefined) {
    for await (const piece of piecesOf(body)) {
      const bytes = Buffer.from(piece);
      connection.send(`${bytes.length.toString(16)}\r\n`);
      connection.send(bytes);
      connection.send("\r\n");
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    connection.send("0\r\n\r\n");
  }
}

async function* piecesOf(body: NonNullable<Asked["body"]>): AsyncGenerator<string> {
  if (typeof body !== "string" && !(body instanceof Uint8Array)) yield* body;
}
