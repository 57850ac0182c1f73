import { execFileSync } from "node:child_process"
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
} from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"

export interface PackedFile {
  readonly path: string
  readonly size: number
  readonly mode: number
}

export interface Packed {
  readonly files: readonly PackedFile[]
  /** The size of the tarball and of its content, in bytes. */
  readonly size: number
  readonly unpackedSize: number
  readonly tarball: string
}

interface LockedPackage {
  readonly dev?: boolean
  readonly devOptional?: boolean
  readonly peer?: boolean
  readonly optional?: boolean
}

/** Packs packages into a folder as `npm publish` does. One npm process packs them all, because starting npm is slow. */
export function pack(roots: readonly string[], folder: string): readonly Packed[] {
  const args = [
    "pack",
    ...roots,
    "--json",
    "--ignore-scripts",
    "--offline",
    "--loglevel=error",
    "--pack-destination",
    folder,
  ]
  const packed = JSON.parse(execFileSync("npm", args, { encoding: "utf8" })) as readonly (Omit<
    Packed,
    "tarball"
  > & { readonly filename: string })[]
  return packed.map((one) => ({ ...one, tarball: join(folder, one.filename) }))
}

/** Creates a project in which only the tarball and the dependencies of the package are installed. */
export function installed(
  root: string,
  tarball: string,
): { readonly folder: string; readonly packageFolder: string; readonly remove: () => void } {
  const folder = mkdtempSync(join(tmpdir(), "agent-statecharts-installed-"))
  const packageFolder = join(folder, "node_modules/agent-statecharts")
  mkdirSync(packageFolder, { recursive: true })
  execFileSync("tar", ["-xzf", tarball, "-C", packageFolder, "--strip-components=1"])
  for (const path of neededPackages(root)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    symlinkSync(join(root, path), join(folder, path), "junction")
  }
  return { folder, packageFolder, remove: () => rmSync(folder, { recursive: true, force: true }) }
}

/** Installs a packed package with a command into a project, and puts the command into its `.bin`. */
export function installCommand(folder: string, name: string, tarball: string, file: string): void {
  const packageFolder = join(folder, "node_modules", name)
  mkdirSync(packageFolder, { recursive: true })
  execFileSync("tar", ["-xzf", tarball, "-C", packageFolder, "--strip-components=1"])
  mkdirSync(join(folder, "node_modules/.bin"), { recursive: true })
  symlinkSync(join(packageFolder, file), join(folder, "node_modules/.bin", name))
}

/** Returns the folders of the packages that `npm install agent-statecharts --omit=optional` installs. */
const neededPackages = (root: string): readonly string[] =>
  lockedPackages(root, ({ optional }) => optional !== true)

/** Returns the folders of the packages that `npm install agent-statecharts` installs on this platform. */
export const installedPackages = (root: string): readonly string[] =>
  lockedPackages(root, () => true).filter((path) => existsSync(join(root, path)))

/** Returns the size of the files in a folder, in bytes. */
export const sizeOf = (folder: string): number =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0)

function lockedPackages(
  root: string,
  isMeant: (locked: LockedPackage) => boolean,
): readonly string[] {
  const { packages } = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")) as {
    readonly packages: Readonly<Record<string, LockedPackage>>
  }
  return Object.entries(packages).flatMap(([path, locked]) =>
    /^node_modules\/(?!.*\/node_modules\/)/.test(path) &&
    !(locked.dev ?? locked.devOptional ?? locked.peer ?? false) &&
    isMeant(locked)
      ? [path]
      : [],
  )
}
