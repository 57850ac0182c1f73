import { existsSync, readFileSync } from "node:fs"
import { basename, dirname, join, relative, resolve, sep } from "node:path"

/** Matches the URL of a tarball in a package registry. The path of such a URL contains `/-/`. */
const inRegistry = /^https?:\/\/.*\/-\//

/**
 * Returns the dependency on this package for the `package.json` of a new project. If npm installed
 * the package from a registry, the dependency is a version range. Otherwise, it is the tarball,
 * folder or Git address from which the package was installed.
 */
export function packageSource(
  { folder, version }: { readonly folder: string; readonly version: string },
  project: string,
): string {
  const modules = dirname(folder)
  if (basename(modules) !== "node_modules") return fileSource(folder, project)
  const source = resolvedSource(modules)
  if (source === null || inRegistry.test(source)) return `^${version}`
  if (!source.startsWith("file:")) return source
  // npm writes the path relative to the folder that contains node_modules.
  return fileSource(resolve(dirname(modules), source.slice("file:".length)), project)
}

const fileSource = (path: string, project: string): string =>
  `file:${relative(resolve(project), path).split(sep).join("/")}`

/**
 * Returns the address from which npm installed this package, according to npm's file
 * `.package-lock.json`. Returns null if the file does not contain the package.
 */
function resolvedSource(modules: string): string | null {
  const record = join(modules, ".package-lock.json")
  // Other package managers do not write this file.
  if (!existsSync(record)) return null
  const { packages = {} } = JSON.parse(readFileSync(record, "utf8")) as {
    readonly packages?: Readonly<Record<string, { readonly resolved?: string } | undefined>>
  }
  return packages["node_modules/agent-statecharts"]?.resolved ?? null
}
