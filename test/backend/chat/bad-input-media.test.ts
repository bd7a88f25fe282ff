// Suite: slow
import { describe, expect, test, vi } from "vitest";
import { DEFAULT_MEDIA_TYPES } from "../../../src/api/chat/states.ts";
import { png, service } from "./service.ts";
import type { Answered, Service } from "./service.ts";

// Sends many requests to every operation, or files of megabytes.
vi.setConfig({ testTimeout: 180_000 });

const html = "<html><script>alert(1)</script></html>";
const program = "MZ\u0090\u0000\u0003";

/** The bytes of a text, one for each character. */
function bytes(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(text, (sign) => sign.charCodeAt(0));
}

const small = Uint8Array.from(png);

/** The two ways of sending a file: multipart declares a type, JSON has only the name. */
const ways = {
  async multipart(
    made: Service,
    name: string,
    type: string,
    data: Uint8Array<ArrayBuffer>,
  ): Promise<Answered> {
    const form = new FormData();
    form.set("media", new Blob([data], { type }), name);
    return made.ask("POST", "media", form);
  },
  async json(
    made: Service,
    name: string,
    type: string,
    data: Uint8Array<ArrayBuffer>,
  ): Promise<Answered> {
    return made.ask("POST", "media", { name, type, content: Buffer.from(data).toString("base64") });
  },
} as const;

const disguised: readonly (readonly [string, string, string, Uint8Array<ArrayBuffer>])[] = [
  ["a page by its name, a picture by its type", "a.html", "image/png", bytes(html)],
  ["a page by its name, a picture by type and bytes", "a.html", "image/png", small],
  ["a page behind a picture's name", "a.png.html", "image/png", small],
  ["a page with a dot behind it", "a.html.", "image/png", bytes(html)],
  ["a page with blanks and dots behind it", "a.html . .", "image/png", bytes(html)],
  ["a page without a name", "a", "image/png", bytes(html)],
  ["a page as a picture", "a.png", "image/png", bytes(html)],
  ["a page as a film", "a.mp4", "video/mp4", bytes(html)],
  ["a page as sound", "a.mp3", "audio/mpeg", bytes(html)],
  ["a page as AAC", "a.aac", "audio/aac", bytes(html)],
  ["a page as WMA", "a.wma", "audio/x-ms-wma", bytes(html)],
  ["a page as M4A", "a.m4a", "audio/mp4", bytes(html)],
  ["a page as Ogg", "a.ogg", "audio/ogg", bytes(html)],
  ["a page as PDF", "a.pdf", "application/pdf", bytes(html)],
  ["a page as a letter", "a.doc", "application/msword", bytes(html)],
  ["a page as an open letter", "a.docx", "", bytes(html)],
  ["a program as sound", "a.mp3", "audio/mpeg", bytes(program)],
  ["a program as a picture", "a.png", "image/png", bytes(program)],
  ["a program by its name, a picture by its type", "a.exe", "image/png", small],
  ["a program whose name reads backwards", "\u202egnp.exe", "image/png", small],
  ["a drawing with scripts as a picture", "a.svg", "image/png", bytes("<svg onload=alert(1)>")],
  ["another picture than its name says", "a.jpg", "image/png", small],
  ["a film in the place of sound", "a.wav", "audio/wav", bytes("RIFF1234AVI LIST")],
  ["sound in the place of a film", "a.avi", "video/x-msvideo", bytes("RIFF1234WAVEfmt ")],
  ["a picture that breaks off", "a.png", "image/png", bytes("\u0089PN")],
  ["something unknown, a picture by its type", "a.foo", "image/png", small],
  ["no name and no type", "a", "", small],
  ["a type that is none", "a", "image/png, text/html", small],
];

describe("a file in disguise", () => {
  test.each(disguised)("is refused with 403: %s", async (_what, name, type, data) => {
    const made = await service(null);
    for (const [way, send] of Object.entries(ways)) {
      const { status, body } = await send(made, name, type, data);
      expect([way, status, body.error?.code]).toEqual([way, 403, 403]);
    }
    expect((await made.ask("GET", "media")).body.media).toEqual([]);
  });

  test("gets the type of its name, not the declared one, and is served with it", async () => {
    const made = await service(null);
    const { body } = await ways.multipart(made, "C:\\x\\..\\a.PNG", "text/html", small);
    expect(body.media).toMatchObject({ name: "a.PNG", type: "image/png" });
    const { headers } = await made.ask("GET", `media/${body.media.id}`);
    expect(headers.get("content-type")).toBe("image/png");
    const named = await ways.multipart(
      made,
      'a"; filename=b.html\r\nX-Evil: 1.png',
      "image/png",
      small,
    );
    const served = await made.ask("GET", `media/${named.body.media.id}`);
    const disposition = served.headers.get("content-disposition") ?? "";
    expect(disposition).toMatch(/^attachment; filename\*=UTF-8''[\w%.~-]+$/);
    expect(served.headers.get("x-evil")).toBeNull();
  });

  test("may be a drawing or a page only if the settings name these", async () => {
    const made = await service(null);
    const svg = bytes("<svg onload=alert(1)>");
    await made.ask("PUT", "settings", ["image/*"]);
    expect((await ways.multipart(made, "a.html", "image/foo", bytes(html))).status).toBe(403);
    await made.ask("PUT", "settings", ["svg"]);
    const { body } = await ways.multipart(made, "a.svg", "text/plain", svg);
    expect(body.media.type).toBe("image/svg+xml");
    const { headers } = await made.ask("GET", `media/${body.media.id}`);
    expect(headers.get("content-disposition")).toMatch(/^attachment;/);
    expect(headers.get("content-security-policy")).toBe("sandbox; default-src 'none'");
    expect(headers.get("x-content-type-options")).toBe("nosniff");
  });

  test("of an unknown kind gets the declared type, if the settings name it", async () => {
    const made = await service(null);
    await made.ask("PUT", "settings", ["application/x-trace", "foo"]);
    const trace = await ways.multipart(made, "a.trace", "application/x-trace", bytes("x"));
    expect(trace.body.media.type).toBe("application/x-trace");
    const foo = await ways.multipart(made, "a.foo", "image/png", bytes("x"));
    expect(foo.body.media.type).toBe("application/octet-stream");
  });
});

test("genuine files of every kind that is allowed by default are accepted", async () => {
  const made = await service(null);
  const office = "application/vnd.openxmlformats-officedocument";
  const genuine: readonly (readonly [string, string, string])[] = [
    ["a.jpg", "\u00ff\u00d8\u00ff\u00e0", "image/jpeg"],
    ["a.jpeg", "\u00ff\u00d8\u00ff\u00e1", "image/jpeg"],
    ["a.png", "\u0089PNG\r\n\u001a\n", "image/png"],
    ["a.gif", "GIF87a", "image/gif"],
    ["a.gif", "GIF89a", "image/gif"],
    ["a.pdf", "%PDF-1.7\n", "application/pdf"],
    ["a.doc", "\u00d0\u00cf\u0011\u00e0\u00a1\u00b1", "application/msword"],
    ["a.xls", "\u00d0\u00cf\u0011\u00e0\u00a1\u00b1", "application/vnd.ms-excel"],
    ["a.docx", "PK\u0003\u0004", `${office}.wordprocessingml.document`],
    ["a.xlsx", "PK\u0003\u0004", `${office}.spreadsheetml.sheet`],
    ["a.mp4", "\u0000\u0000\u0000\u0018ftypmp42", "video/mp4"],
    ["a.avi", "RIFF1234AVI LIST", "video/x-msvideo"],
    ["a.mp3", "ID3\u0004", "audio/mpeg"],
    ["a.mp3", "\u00ff\u00fb\u0090", "audio/mpeg"],
    ["a.aac", "\u00ff\u00f1\u0050", "audio/aac"],
    ["a.wav", "RIFF1234WAVEfmt ", "audio/wav"],
    ["a.wma", "0&\u00b2u\u008ef\u00cf\u0011", "audio/x-ms-wma"],
    ["a.ogg", "OggS", "audio/ogg"],
    ["a.oga", "OggS", "audio/ogg"],
    ["a.m4a", "\u0000\u0000\u0000\u0020ftypM4A ", "audio/mp4"],
  ];
  for (const [name, begin, type] of genuine) {
    for (const [way, send] of Object.entries(ways)) {
      const { status, body } = await send(made, name, "", bytes(`${begin} and more`));
      expect([name, way, status, body.media?.type]).toEqual([name, way, 200, type]);
    }
  }
  expect(new Set(genuine.map(([, , type]) => type))).toEqual(new Set(DEFAULT_MEDIA_TYPES));
  // A phone sends pictures without an extension; their bytes show the type.
  const phone = await ways.multipart(made, "image", "image/png", small);
  expect(phone.body.media).toMatchObject({ name: "image", type: "image/png" });
});

describe("a body that is too large", () => {
  const sevenMegabytes = 7_340_032;

  test("is refused with 413 when a file is a byte over 7 MB, in either encoding", async () => {
    const made = await service(null);
    const whole = new Uint8Array(sevenMegabytes);
    whole.set(small);
    const over = new Uint8Array(sevenMegabytes + 1);
    over.set(small);
    for (const [way, send] of Object.entries(ways)) {
      expect([way, (await send(made, "a.png", "image/png", whole)).status]).toEqual([way, 200]);
      const { status, body } = await send(made, "a.png", "image/png", over);
      expect([way, status, body.error.code]).toEqual([way, 413, 413]);
    }
  });

  test("is refused with 413 when a request is over 10 MB, by any operation", async () => {
    const made = await service(null);
    const { id, creator } = await made.chat();
    const long = "x".repeat(10_485_761);
    for (const [method, path, body] of [
      ["POST", "users", { name: long }],
      ["POST", `chats/${id}/messages`, { sender: creator, message: long }],
      ["PUT", "settings", [long]],
      ["POST", "agents/login", { login: long, password: long }],
      ["DELETE", `chats/${id}`, { userId: long }],
    ] as const) {
      const { status, body: answer } = await made.ask(method, path, body);
      expect([path, status, answer.error.code]).toEqual([path, 413, 413]);
    }
    expect((await made.ask("GET", `chats/${id}`)).body.chat.status).toBe("active");
  });
});
