import { defineConfig } from "vitepress";
import { FILES, INTERFACES } from "../reference.ts";

const pages = (...names: readonly string[]): { text: string; link: string }[] =>
  names.map((name) => {
    const [text = "", link = ""] = name.split(": ");
    return { text, link };
  });

export default defineConfig({
  title: "Afterword",
  description: "The last word on what your chatbot says.",
  srcDir: "pages",
  cacheDir: "../../node_modules/.cache/vitepress",
  cleanUrls: true,
  lastUpdated: false,
  ignoreDeadLinks: false,
  markdown: {
    // As GitHub makes them: the same links lead there and here.
    anchor: {
      slugify: (heading) =>
        heading
          .toLowerCase()
          .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
          .trim()
          .replaceAll(/\s/g, "-"),
    },
    // `{{query}}` is a place of ours to fill, not one of Vue's.
    config: ({ renderer: { rules } }) => {
      for (const name of ["text", "code_inline"] as const) {
        const render = rules[name];
        rules[name] = (...given) => (render?.(...given) ?? "").replaceAll("{{", "&#123;&#123;");
      }
    },
  },
  themeConfig: {
    search: { provider: "local" },
    outline: [2, 3],
    nav: pages(
      "Start: /",
      "Guides: /configuration",
      "Reference: /reference/afterword-file",
      "Operate: /operations",
    ),
    sidebar: [
      {
        text: "Start",
        items: pages(
          "What it is: /",
          "Your own bot: /own-bot",
          "Your vendor's bot: /compatibility",
          "Changes: /changelog",
        ),
      },
      {
        text: "Guides",
        items: pages(
          "Configuration: /configuration",
          "Texts and translators: /messages",
          "The console: /console",
          "Languages: /languages",
          "What readers type: /recognition",
          "Hand-over: /escalation",
          "The desk: /desk",
          "Callers: /callers",
          "In your program: /library",
          "Typed clients: /clients",
          "The backend: /embedded-backend",
          "Contents: /content",
          "Contents from another bot: /import",
          "Forms: /forms",
          "Matching: /matching",
          "Knowledge: /knowledge",
          "Tickets: /ticketing",
          "Live chat: /chat",
        ),
      },
      {
        text: "Reference",
        items: [
          ...FILES.map(({ key, title }) => ({ text: title, link: `/reference/${key}-file` })),
          ...INTERFACES.map(({ key, title }) => ({ text: title, link: `/reference/http-${key}` })),
          { text: "Library", link: "/reference/library/" },
          { text: "What happens to HTTP", link: "/http" },
        ],
      },
      {
        text: "Operate",
        items: pages(
          "Operations: /operations",
          "On Node: /deploy-node",
          "On Cloudflare Workers: /deploy-edge",
          "Runtimes: /runtimes",
          "Reloading: /hot-reload",
          "State: /state",
          "Insights: /insights",
          "Storage: /storage",
          "The backend's operations: /backend-operations",
          "Several processes: /workers",
          "Performance: /performance",
          "Security: /security",
        ),
      },
      {
        text: "Inside",
        items: pages(
          "Architecture: /architecture",
          "Decisions: /decisions/",
          "Glossary: /glossary",
          "Contributing: /contributing",
          "Tests: /testing",
        ),
      },
    ],
  },
});
