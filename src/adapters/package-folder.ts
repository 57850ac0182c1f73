import { readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"

interface Package {
  /** Where this package lies: its docs, examples and built files. */
  readonly folder: string
  readonly version: string
}

/** Found from below, since its modules are built into files that lie elsewhere than their sources. A program that was bundled with it has no folder of it. */
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
    if ((cause as NodeJS.ErrnoException).code === "ENOENT") return null
    throw cause
  }
}

let found: Package | null = null

export const thisPackage = (): Package => (found ??= findPackage())
