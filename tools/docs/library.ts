import { join } from "node:path";
import { Application } from "typedoc";
import { PAGES, ROOT } from "./pages.ts";

/** Writes the reference of what the package exports, from its types and their comments. */
export async function writeLibrary(): Promise<void> {
  const application = await Application.bootstrapWithPlugins({
    plugin: ["typedoc-plugin-markdown"],
    entryPoints: [
      "src/runtime/web/index.ts",
      "src/runtime/node/index.ts",
      "src/backend/index.ts",
      "src/backend/node.ts",
      "src/testing/index.ts",
    ].map((name) => join(ROOT, name)),
    tsconfig: join(import.meta.dirname, "library.tsconfig.json"),
    readme: "none",
    name: "afterword",
    disableSources: true,
    excludeExternals: true,
    skipErrorChecking: true,
    logLevel: "Error",
    router: "module",
    // Without a place, TypeDoc would write into docs/, and empty it first.
    outputs: [{ name: "markdown", path: join(PAGES, "reference/library") }],
    ...{
      hidePageHeader: true,
      hideBreadcrumbs: true,
      useCodeBlocks: true,
      entryFileName: "index",
      sanitizeComments: true,
      useHTMLAnchors: true,
      parametersFormat: "table",
      interfacePropertiesFormat: "table",
    },
  });
  const project = await application.convert();
  if (project === undefined) throw new Error("TypeDoc could not read src/");
  await application.generateOutputs(project);
}
