import { readFileSync } from "node:fs"
import { dirname, join } from "node:path"

/** Returns the names that a declaration file exports, by kind: value or type. */
export function exportsOf(file, found = new Map(), visited = new Set()) {
  if (visited.has(file)) return found
  visited.add(file)
  const text = readFileSync(file, "utf8").replaceAll(/\/\*[^]*?\*\//g, "")
  const note = (name, kind) => {
    if (found.get(name) !== "value") found.set(name, kind)
  }
  for (const [, kind, names] of text.matchAll(/export (type )?\{([^}]*)\}/g))
    for (const entry of names.split(",").map((name) => name.trim())) {
      if (entry === "") continue
      const isType = kind !== undefined || entry.startsWith("type ")
      note(
        entry
          .replace(/^type /, "")
          .split(" as ")
          .at(-1),
        isType ? "type" : "value",
      )
    }
  const declared =
    /export (?:declare )?(?:abstract )?(class|function|const|let|enum|interface|type) (\w+)/g
  for (const [, kind, name] of text.matchAll(declared))
    note(name, kind === "interface" || kind === "type" ? "type" : "value")
  for (const [, path] of text.matchAll(/export \* from '([^']+)'/g))
    exportsOf(join(dirname(file), path.replace(/\.js$/, ".d.ts")), found, visited)
  return found
}
