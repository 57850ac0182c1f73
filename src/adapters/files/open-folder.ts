import { systemErrorCode } from "../system-error-code.js"
import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readlinkSync,
  readSync,
  realpathSync,
  statSync,
} from "node:fs"
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path"
import type { ConfigFolder, OpenedFile } from "../../compiler/1-parse/files/config-folder.js"

export interface FolderOptions {
  /**
   * Whether a `config_path` in a config may refer to a file outside the opened folder. Default:
   * false.
   */
  readonly allowOutside?: boolean
  /** Maximum size of a file in bytes. Default: 1 MiB. */
  readonly maxFileBytes?: number
}

/**
 * Opens a folder with Agent Config YAML files for `compile`. `path` is the folder, or a
 * `root_agent.yaml` file in it. Unless `allowOutside` is true, files outside the folder are never
 * opened, not even through symbolic links. A file is read when the compiler needs it.
 *
 * @example
 * const { chart, diagnostics } = compile(openFolder("agents/claims"))
 */
export function openFolder(
  path: string,
  { allowOutside = false, maxFileBytes = 1024 * 1024 }: FolderOptions = {},
): ConfigFolder {
  const given = resolve(path)
  const isFolder = statSync(given, { throwIfNoEntry: false })?.isDirectory() ?? false
  const folder = isFolder ? given : dirname(given)
  const root = isFolder ? "root_agent.yaml" : basename(given)
  let real: string | undefined
  return {
    root,
    mayBeLeft: allowOutside,
    open(file) {
      if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return { refused: "missing" }
      real ??= realpathSync(folder)
      if (allowOutside) return readWhole(isAbsolute(file) ? file : join(real, file), maxFileBytes)
      const found = resolveInside(real, folder, file)
      return typeof found === "string" ? readWhole(found, maxFileBytes) : found
    },
  }
}

/** Maximum number of symbolic links to follow. A path with more links is treated as a cycle. */
const maxLinks = 40

/**
 * Resolves the symbolic links in a path, segment by segment. Returns the resolved path, or the
 * reason why the file cannot be opened. The target of a link is accessed only if it is inside the
 * folder. `realpath` is not used, because it would access targets outside the folder.
 */
function resolveInside(real: string, named: string, file: string): string | OpenedFile {
  let left = file.split("/")
  let path = real
  let links = 0
  for (let segment = left.shift(); segment !== undefined; segment = left.shift()) {
    if (segment === "" || segment === ".") continue
    const next = resolve(path, segment)
    if (!isInside(real, next)) return { refused: "outside" }
    const found = lstatSync(next, { throwIfNoEntry: false })
    if (found === undefined) return { refused: "missing" }
    if (!found.isSymbolicLink()) {
      path = next
      continue
    }
    if (++links > maxLinks)
      return { refused: "unreadable", problem: "is a link in a cycle of links" }
    const target = resolve(path, readlinkSync(next))
    const inside = [real, named].find((folder) => isInside(folder, target))
    if (inside === undefined) return { refused: "outside" }
    left = [...relative(inside, target).split(sep), ...left]
    path = real
  }
  return path
}

const isInside = (folder: string, path: string): boolean =>
  path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep)

/**
 * Reads a regular file as UTF-8, up to the size limit. Pipes and devices are rejected, because
 * reading them could block the process forever.
 */
function readWhole(path: string, maxBytes: number): OpenedFile {
  let handle: number
  try {
    handle = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
  } catch (error) {
    // The cast is safe. Errors of `node:fs` have a `code`.
    const { code } = error as NodeJS.ErrnoException
    return code === "ENOENT" || code === "ENOTDIR"
      ? { refused: "missing" }
      : { refused: "unreadable", problem: `cannot be read (${code ?? "unknown"})` }
  }
  try {
    const { size, isFile } = factsOf(handle)
    if (!isFile) return { refused: "unreadable", problem: "is not a regular file" }
    if (size > maxBytes)
      return { refused: "unreadable", problem: `has ${size} bytes; the limit is ${maxBytes}` }
    const bytes = Buffer.alloc(size)
    const length = readSync(handle, bytes, 0, size, 0)
    return decode(bytes.subarray(0, length))
  } catch (error) {
    return {
      refused: "unreadable",
      problem: `cannot be read (${systemErrorCode(error) ?? "unknown"})`,
    }
  } finally {
    closeSync(handle)
  }
}

function factsOf(handle: number): { readonly size: number; readonly isFile: boolean } {
  const stats = fstatSync(handle)
  return { size: stats.size, isFile: stats.isFile() }
}

function decode(bytes: Uint8Array): OpenedFile {
  try {
    return { text: new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes) }
  } catch {
    return { refused: "unreadable", problem: "is not UTF-8 text" }
  }
}
