import { Hono } from "hono";
import type { Context } from "hono";
import type { PageName } from "../../pages/header.ts";
import { type PageRequest, type ServedFiles, servePage } from "../../pages/served-page.ts";
import { isFromElsewhere } from "../auth/credentials.ts";
import { DEMO_CHAT } from "../chat/demo.ts";
import { createErrorAnswer } from "../http/refusal.ts";

export interface DeskOptions {
  /** Called once, when the desk is first opened; a failure is tried again. */
  readonly files: () => Promise<ServedFiles>;
  /** True while the demo app works. Its id is then filled in on the page. */
  readonly demo: boolean;
  /** Pages that are served beside it. */
  readonly pages: () => readonly PageName[];
}

/**
 * The page on which agents answer chats: GET /desk, and its parts at `/desk/<version>/<name>`. The
 * page holds no secret: agents log in with their own names, and it is an ordinary client of the
 * chat interface, found relative to its own address.
 *
 * @example
 * app.route("/", createDeskRoutes({ files: () => loadServedPage("desk"), demo: false, pages }));
 */
export function createDeskRoutes({ files, demo, pages }: DeskOptions): Hono {
  const routes = new Hono({ strict: false });
  const desk = servePage("desk", files);
  routes.get("/desk", (c) => {
    const usable = demo && !isFromElsewhere(c.req.raw.headers);
    const app = `<meta name="demo-app" content="${DEMO_CHAT.appId}" />`;
    return desk.page(requestOf(c), { pages: pages(), head: usable ? [app] : [] });
  });
  routes.get("/desk/:version/:name{.+}", async (c) => {
    const { version, name } = c.req.param();
    const part = await desk.part(version, name, requestOf(c));
    return part ?? createErrorAnswer(c.req.path, 404, "There is nothing here.");
  });
  return routes;
}

/** Reads the part of a request that a page needs. */
export function requestOf(c: Context): PageRequest {
  return {
    path: new URL(c.req.url).pathname,
    acceptEncoding: c.req.header("accept-encoding"),
    ifNoneMatch: c.req.header("if-none-match"),
  };
}
