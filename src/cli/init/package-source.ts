import { existsSync, readFileSync } from "node:fs"
import { basename, dirname, join, relative, resolve, sep } from "node:path"

/** Matches the URL of a tarball in a package registry, whose path contains `/-/`. */
const inRegistry = /^https?:\/\/.*\/-\//

/**
 * Returns the dependency on this package for the `package.json` of a new project. This is a version
 * range if the running package comes from a registry, otherwise the tarball, folder or Git address
 * that it was installed from.
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
 * Returns the address from which npm installed this package, according to npm's list of installed
 * packages. Returns null if it is not listed.
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
