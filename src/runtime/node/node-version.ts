import { AfterwordError } from "../../errors.ts";

/** As package.json's engines; bin/check-node.cjs says the same before the command. */
const oldest = 24;

// Imported first: an older Node would fail in the middle, without a word about its age.
if (Number(process.versions.node.split(".")[0]) < oldest) {
  throw new AfterwordError(
    "node-too-old",
    `Afterword needs Node ${oldest} or newer; this is Node ${process.versions.node} (${process.execPath})`,
  );
}
