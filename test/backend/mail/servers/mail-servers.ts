import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { chownSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { chmod, chown, rename, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { freePort } from "../../../fixtures/free-port.ts";
import { pause } from "../../../../src/wait.ts";

/** A real SMTP server (aiosmtpd) and a real IMAP server (Dovecot) on loopback. */
export interface MailServers {
  /** `smtp://127.0.0.1:PORT`: every mail lands in {@link sent}. */
  readonly smtp: string;
  /** `imap://help:…@127.0.0.1:PORT` */
  readonly imap: string;
  /** Mails that the SMTP server took, in no order. */
  sent(): readonly string[];
  /** Puts a mail into the mailbox of `help`. */
  deliver(mail: string): Promise<void>;
  /** Names of the files in that mailbox: their ends say what was read. */
  mailbox(): readonly string[];
  /** Ends a server as a crash would. */
  kill(which: "smtp" | "imap"): Promise<void>;
  /** Starts it again at the same port. */
  start(which: "smtp" | "imap"): Promise<void>;
}

const password = "hunter2%/@";

/** Starts both; they end with the test. */
export async function mailServers(): Promise<MailServers> {
  const user = unprivileged();
  const directory = mkdtempSync(join(tmpdir(), "afterword-mail-"));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const ports = { smtp: await freePort(), imap: await freePort() };
  const outbox = join(directory, "outbox");
  const inbox = join(directory, "mail", "help");
  for (const folder of [
    "run",
    "mail",
    "mail/help",
    "mail/help/cur",
    "mail/help/new",
    "mail/help/tmp",
  ]) {
    mkdirSync(join(directory, folder));
    chownSync(join(directory, folder), user.uid, user.gid);
  }
  chownSync(directory, user.uid, user.gid);
  await writeFile(
    join(directory, "dovecot.conf"),
    dovecotConfiguration(directory, ports.imap, user),
  );
  await chmod(directory, 0o755);
  const running: Partial<Record<"smtp" | "imap", ChildProcess>> = {};
  const commands = {
    smtp: [
      "python3",
      ...["-m", "aiosmtpd", "-n", "-l", `127.0.0.1:${ports.smtp}`],
      ...["-c", "aiosmtpd.handlers.Mailbox", outbox],
    ],
    imap: ["dovecot", "-F", "-c", join(directory, "dovecot.conf")],
  };
  const start: MailServers["start"] = async (which) => {
    const [command = "", ...rest] = commands[which];
    const child = spawn(command, rest, {
      uid: user.uid,
      gid: user.gid,
      cwd: directory,
      stdio: "pipe",
      detached: true,
    });
    running[which] = child;
    let said = "";
    child.stderr.setEncoding("utf8").on("data", (text: string) => (said += text));
    const ended = new Promise<never>((_, reject) => {
      child.once("error", () => reject(new Error(missing(command))));
      child.once("exit", () => reject(new Error(`${command} ended: ${said}${missing(command)}`)));
    });
    await Promise.race([ended, listening(ports[which])]);
    ended.catch(() => undefined);
  };
  const kill: MailServers["kill"] = async (which) => {
    const child = running[which];
    if (child?.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, "exit");
    // With the processes that it has started.
    process.kill(-child.pid, "SIGKILL");
    await gone;
  };
  onTestFinished(async () => {
    await Promise.all([kill("smtp"), kill("imap")]);
  });
  await Promise.all([start("smtp"), start("imap")]);
  return {
    smtp: `smtp://127.0.0.1:${ports.smtp}`,
    imap: `imap://help:${encodeURIComponent(password)}@127.0.0.1:${ports.imap}`,
    sent: () => ["new", "cur"].flatMap((folder) => filesIn(join(outbox, folder), true)),
    async deliver(mail) {
      const name = `${Date.now()}.${randomUUID()}.test`;
      const draft = join(inbox, "tmp", name);
      await writeFile(draft, mail);
      await chown(draft, user.uid, user.gid);
      await rename(draft, join(inbox, "new", name));
    },
    mailbox: () => ["new", "cur"].flatMap((folder) => filesIn(join(inbox, folder), false)),
    kill,
    start,
  };
}

function filesIn(folder: string, contents: boolean): readonly string[] {
  try {
    const names = readdirSync(folder);
    return contents ? names.map((name) => readFileSync(join(folder, name), "utf8")) : names;
  } catch {
    // The server makes the folder with the first mail.
    return [];
  }
}

async function listening(port: number): Promise<void> {
  for (;;) {
    const socket = connect(port, "127.0.0.1");
    const open = await Promise.race([
      once(socket, "connect").then(() => true),
      once(socket, "error").then(() => false),
    ]).catch(() => false);
    socket.destroy();
    if (open) return;
    await pause(20);
  }
}

function missing(command: string): string {
  const name = command === "dovecot" ? "dovecot-imapd" : "python3-aiosmtpd";
  return `\nThese tests need a real mail server: install the package ${name} (apt-get install ${name})`;
}

function dovecotConfiguration(
  directory: string,
  port: number,
  { name, group }: ReturnType<typeof unprivileged>,
): string {
  return `
protocols = imap
listen = 127.0.0.1
base_dir = ${directory}/run
log_path = /dev/stderr
default_internal_user = ${name}
default_internal_group = ${group}
default_login_user = ${name}
ssl = no
disable_plaintext_auth = no
mail_location = maildir:${directory}/mail/%u
first_valid_uid = 1
passdb {
  driver = static
  args = "password=${password.replaceAll("%", "%%")}"
}
userdb {
  driver = static
  args = uid=${name} gid=${group} home=${directory}/mail/%u
}
service anvil {
  chroot =
}
service imap-login {
  chroot =
  inet_listener imap {
    port = ${port}
  }
  inet_listener imaps {
    port = 0
  }
}
`;
}

/** Mail servers do not run as root. */
function unprivileged() {
  const name = process.getuid?.() === 0 ? "nobody" : idOf("-un");
  const uid = Number(idOf("-u", name));
  return { name, group: idOf("-gn", name), uid, gid: Number(idOf("-g", name)) };
}

function idOf(...flags: readonly string[]): string {
  return execFileSync("id", flags, { encoding: "utf8" }).trim();
}
