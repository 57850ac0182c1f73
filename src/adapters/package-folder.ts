import { systemErrorCode } from "./system-error-code.js"
import { readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"

interface Package {
  /** Folder of this package, with its docs, examples and built files. */
  readonly folder: string
  readonly version: string
}

/**
 * Searches upward from this module, because built modules are in different folders than their
 * sources. A bundled program has no package folder.
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
