import { once } from "node:events";
import { createServer, type Socket } from "node:net";
import { onTestFinished } from "vitest";

/** The answers of a server where a real one can't be made to give them; all others are as usual. */
export interface Script {
  /** To a word such as `RCPT`, or to the whole mail (`.`). `null`: it closes; `silence`: nothing. */
  answer(word: string): string | null | undefined;
}

/** An SMTP server that takes every mail, unless its script says something else. */
export async function scriptedSmtp(script: Script = { answer: () => undefined }) {
  const mails: string[] = [];
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    sockets.push(socket);
    talk(socket, script, mails);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.close();
  });
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  const hangUp = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  return { mails, script, hangUp, address: `smtp://127.0.0.1:${port}` };
}

function talk(socket: Socket, script: Script, mails: string[]): void {
  let rest = "";
  let mail: string | null = null;
  socket.setEncoding("utf8").on("error", () => undefined);
  say("220 scripted");
  socket.on("data", (chunk: string) => {
    rest += chunk;
    for (;;) {
      const end = mail === null ? rest.indexOf("\r\n") : rest.indexOf("\r\n.\r\n");
      if (end === -1) return;
      const line = rest.slice(0, end);
      rest = rest.slice(end + (mail === null ? 2 : 5));
      if (mail !== null) {
        mail = null;
        mails.push(line);
        answer(".", "250 taken");
      } else {
        const [word = ""] = line.toUpperCase().split(/[ :]/);
        if (word === "DATA") {
          mail = "";
          answer(word, "354 go on");
        } else answer(word, word === "QUIT" ? "221 bye" : "250 fine");
      }
    }
  });

  function answer(word: string, usual: string): void {
    const reply = script.answer(word);
    if (reply === null) socket.destroy();
    else say(reply ?? usual);
  }

  function say(line: string): void {
    if (line !== "silence") socket.write(`${line}\r\n`);
  }
}
