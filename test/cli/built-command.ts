import { existsSync } from "node:fs"
import { fileURLToPath } from "node:url"

/** The command as it is shipped: the built files, in a process of their own. */
export const main = fileURLToPath(new URL("../../dist/cli/main.js", import.meta.url))
export const isBuilt = existsSync(main)
