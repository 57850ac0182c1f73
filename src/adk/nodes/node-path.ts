import type { NodePrefix } from "../context/node-runner.js"

/**
 * Converts a path of a run, such as `flow/check#2`, to the path of a node in ADK's format, such as
 * `flow.check`. If `prefix` is set, replaces the leading path `prefix.from` with `prefix.to`.
 */
export function nodePathOf(path: string, prefix?: NodePrefix): string {
  const dotted = path
    .replace(/#\d+$/, "")
    .replaceAll(/\[\d+\]/g, "")
    .replaceAll("/", ".")
  if (prefix === undefined) return dotted
  return dotted === prefix.from || dotted.startsWith(`${prefix.from}.`)
    ? prefix.to + dotted.slice(prefix.from.length)
    : dotted
}
