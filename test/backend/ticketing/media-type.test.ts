// Suite: slow
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { isUsableEntry, TICKETING_MEDIA_TYPES } from "../../../src/config/schema/media-types.ts";
import type { Answered } from "../asking.ts";
import { embeddedGateway, embeddedKeys } from "../embedded-gateway.ts";
import { service } from "./service.ts";
import type { Service } from "./service.ts";
import { createFolder } from "../../fixtures/folder.ts";

const asf = [0x30, 0x26, 0xb2, 0x75, 0x8e, 0x66, 0xcf, 0x11];

/** Case management on a SQLite file. */
async function onFile(mediaTypes?: readonly string[]): Promise<Service> {
  const directory = createFolder();
  return service(join(directory, "backend.db"), mediaTypes === undefined ? {} : { mediaTypes });
}

function upload({ ask }: Service, name: string, content: string | readonly number[]) {
  const bytes = typeof content === "string" ? Buffer.from(content) : Buffer.from([...content]);
  return ask("POST", "/media", { name, content: bytes.toString("base64") });
}

function errorOf({ body }: Answered): unknown {
  return body.error.message;
}

test.each([
  ["a.avi", "RIFF....AVI ", "video/x-msvideo"],
  ["a.aac", "ADIF", "audio/aac"],
  ["a.wma", asf, "audio/x-ms-wma"],
  ["a.oga", "OggS", "audio/ogg"],
  ["a.bmp", "BM", "image/bmp"],
  ["a.rtf", "{\\rtf1", "application/rtf"],
  ["a.pptx", [0x50, 0x4b, 3, 4], expect.stringContaining("presentationml")],
  ["a.odt", [0x50, 0x4b, 3, 4], "application/vnd.oasis.opendocument.text"],
  ["a.log", "ready", "text/plain"],
])(
  "%s is accepted by its content, and refused when the content begins otherwise",
  async (name, content, type) => {
    const made = await onFile();
    const { body } = await upload(made, name, content);
    expect((await made.ask("GET", `/media/${body.uuid}`)).body).toMatchObject({ name, type });
    const otherwise = await upload(made, name, "\u0000<html>");
    expect([otherwise.status, errorOf(otherwise)]).toEqual([
      422,
      `content: is not a ${name.slice(1)} file`,
    ]);
  },
);

test.each(["a.md", "a.html", "a.svg", "a.js", "a.exe", "a.unheard"])(
  "%s is refused unless the configuration names it, with a list of the accepted types",
  async (name) => {
    const refused = await upload(await onFile(), name, "x");
    expect([refused.status, errorOf(refused)]).toEqual([
      422,
      `name: files of the kind ${name.slice(1)} are not accepted; these are: ${TICKETING_MEDIA_TYPES.join(", ")}`,
    ]);
  },
);

test("a name without an extension is refused", async () => {
  for (const mediaTypes of [[".md"], ["*/*"]]) {
    const refused = await upload(await onFile(mediaTypes), "README", "x");
    expect([refused.status, errorOf(refused)]).toEqual([
      422,
      "name: must end in an extension, such as photo.jpg",
    ]);
  }
});

test("a list of extensions and types defines the accepted files", async () => {
  const made = await onFile([".md", "step", "image/*", "application/pdf"]);
  for (const name of ["a.md", "a.MD", "a.step", "a.tiff"]) {
    expect([name, (await upload(made, name, "x")).status]).toEqual([name, 200]);
  }
  expect((await upload(made, "a.pdf", "%PDF-1.7")).status).toBe(200);
  const refused = await upload(made, "a.txt", "x");
  expect([refused.status, errorOf(refused)]).toEqual([
    422,
    "name: files of the kind .txt are not accepted; these are: .md, step, image/*, application/pdf",
  ]);
  expect((await upload(await onFile([]), "a.txt", "x")).status).toBe(422);
});

test("the gateway with the embedded backend accepts the files that its configuration names", async () => {
  const gateway = await embeddedGateway({ backend: "ticketing: { mediaTypes: [.md, html] }" });
  onTestFinished(() => gateway.close());
  const call = (path: string, body?: object, authorization = "") =>
    fetch(gateway.url + path, {
      headers: {
        "x-vendor-key": embeddedKeys.apiKey,
        "content-type": "application/json",
        authorization,
      },
      ...(body !== undefined && { method: "POST", body: JSON.stringify(body) }),
    });
  const login = await (await call("/v1/auth", { secret: embeddedKeys.secret })).json();
  const bearer = `Bearer ${login.accessToken}`;
  const { apis } = await (await call("/v1/apis", undefined, bearer)).json();
  const ticketing = `${new URL(apis.ticketing).pathname}/v1`;
  const media = (name: string) =>
    call(`${ticketing}/media`, { name, content: btoa("<p>x") }, bearer);
  expect((await media("a.md")).status).toBe(200);
  expect((await media("a.txt")).status).toBe(422);
  const { uuid } = await (await media("a.html")).json();
  const { headers } = await call(`${ticketing}/media/${uuid}/content`, undefined, bearer);
  expect(headers.get("content-type")).toBe("application/octet-stream");
  expect(headers.get("content-disposition")).toMatch(/^attachment;/);
  expect(headers.get("x-content-type-options")).toBe("nosniff");
});

test("a file that a browser would run is downloaded as mere bytes, where it is allowed", async () => {
  const made = await onFile(["*/*"]);
  for (const name of ["a.html", "a.xhtml", "a.svg", "a.xml", "a.js", "a.mjs", "a.unheard"]) {
    const { body } = await upload(made, name, "<script>alert(1)</script>");
    const { headers, status } = await made.ask("GET", `/media/${body.uuid}/content`);
    expect(status).toBe(200);
    expect(Object.fromEntries(headers)).toMatchObject({
      "content-type": "application/octet-stream",
      "content-disposition": `attachment; filename*=UTF-8''${name}`,
      "content-security-policy": "sandbox; default-src 'none'",
      "x-content-type-options": "nosniff",
    });
  }
});

test("an entry that would allow nothing is refused in the list", () => {
  for (const entry of [".md", "md", "MD", "image/*", "image/png", "Image/PNG", "*/*"]) {
    expect([entry, isUsableEntry(entry)]).toEqual([entry, true]);
  }
  for (const entry of ["", ".", "*", "*.md", "image/", "image/nothing", "x/*", "a b", ".tar.gz"]) {
    expect([entry, isUsableEntry(entry)]).toEqual([entry, false]);
  }
  expect(TICKETING_MEDIA_TYPES.filter((entry) => !isUsableEntry(entry))).toEqual([]);
});
