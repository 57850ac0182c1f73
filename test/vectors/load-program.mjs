import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { basename, join } from "node:path"
import { pathToFileURL } from "node:url"
import { transformWithOxc } from "vite"

/**
 * Loads a TypeScript program of any folder. Each call evaluates the module again, because programs
 * keep counters. The imports of this package and of its dependencies resolve from this package.
 */
export async function loadProgram(file) {
  const { code } = await transformWithOxc(await readFile(file, "utf8"), file, { sourcemap: false })
  const folder = await mkdtemp(join(tmpdir(), "program-"))
  const target = join(folder, basename(file).replace(/\.ts$/, ".mjs"))
  try {
    await writeFile(
      target,
      code.replaceAll(importedName, (_, from, quote, name) => {
        return `${from}${quote}${import.meta.resolve(name)}${quote}`
      }),
    )
    return await import(pathToFileURL(target).href)
  } finally {
    await rm(folder, { recursive: true })
  }
}

const importedName = /(\bfrom\s*)(["'])([^."'][^"']*)\2/g
