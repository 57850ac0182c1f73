/**
 * The path of a file that a file refers to, relative to the folder of the config; `..` and `.` are resolved by the names
 * alone. Null for a path that cannot be one.
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

/** Whether a path of {@link pathFrom} leads out of the folder. */
export const leavesFolder = (path: string): boolean =>
  isAbsolute(path) || path === ".." || path.startsWith("../")

/** Also `C:` and `https:`, which no path inside of a folder begins with. */
const isAbsolute = (path: string): boolean =>
  path.startsWith("/") || /^[A-Za-z][A-Za-z0-9+.-]*:/.test(path)
