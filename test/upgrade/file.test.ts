import { describeUpgrade } from "./suite.ts";
import { openUpgraded } from "./upgraded.ts";
import { sealingKey } from "./write/records.ts";

describeUpgrade("a state file", () => openUpgraded("file"));
describeUpgrade("a state file that is encrypted", () =>
  openUpgraded("file", Buffer.from(sealingKey).toString("base64")),
);
