import { systemErrorCode } from "./system-error-code.js"
import { readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"

interface Package {
  /**
   * Root folder of the npm package `agent-statecharts`, which contains the docs, the examples and
   * the built files.
   */
  readonly folder: string
  readonly version: string
}

/**
 * Finds the root folder and the version of the npm package `agent-statecharts`. Searches the parent
 * folders of this module, because built modules and source modules are at different depths. If no
 * folder is found, for example in a bundled program, returns the folder of this module and the
 * version `unknown`.
 */
function findPackage(): Package {
  const here = dirname(fileURLToPath(import.meta.url))
  for (let folder = here; folder !== dirname(folder); folder = dirname(folder)) {
    const manifest = manifestIn(folder)
    if (manifest?.name === "agent-statecharts")
      return { folder, version: manifest.version ?? "unknown" }
  }
  return { folder: here, version: "unknown" }
}

function manifestIn(folder: string): { readonly name?: string; readonly version?: string } | null {
  try {
    return JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as {
      readonly name?: string
      readonly version?: string
    }
  } catch (cause) {
    if (systemErrorCode(cause) === "ENOENT") return null
    throw cause
  }
}

let found: Package | null = null

export const thisPackage = (): Package => (found ??= findPackage())
