import { existsSync } from "node:fs"
import { fileURLToPath } from "node:url"

/** The path of the built command, which the package contains. */
export const main = fileURLToPath(new URL("../../dist/cli/main.js", import.meta.url))
export const isBuilt = existsSync(main)

/**
 * Arguments of Node that start the command. With the larger interrupt budget, V8 optimizes a
 * function later. A test ends before the optimization pays, so this saves a twelfth of the CPU time.
 */
export const mainArguments: readonly string[] = ["--interrupt-budget=1000000", main]
