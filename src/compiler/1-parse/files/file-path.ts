/**
 * Resolves the path `written` relative to the config file `file`, without accessing the file
 * system. Returns a path relative to the config folder, which starts with `../` if it leads out of
 * the folder. Returns an absolute path unchanged, and null for an invalid path.
 */
export function pathFrom(file: string, written: string): string | null {
  if (written === "" || written.includes("\0") || written.includes("\\")) return null
  if (isAbsolute(written)) return written
  const segments = file.split("/").slice(0, -1)
  for (const segment of written.split("/")) {
    if (segment === "" || segment === ".") continue
    if (segment !== "..") segments.push(segment)
    else if (segments.length === 0 || segments.at(-1) === "..") segments.push("..")
    else segments.pop()
  }
  return segments.join("/")
}

/** Returns whether a path that {@link pathFrom} returned is outside the config folder. */
export const leavesFolder = (path: string): boolean =>
  isAbsolute(path) || path === ".." || path.startsWith("../")

/**
 * Returns whether a path is absolute. A path that starts with a drive such as `C:` or a scheme such
 * as `https:` also counts as absolute.
 */
const isAbsolute = (path: string): boolean =>
  path.startsWith("/") || /^[A-Za-z][A-Za-z0-9+.-]*:/.test(path)
