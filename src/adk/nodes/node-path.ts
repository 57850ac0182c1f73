import type { NodePrefix } from "../context/node-runner.js"

/**
 * Returns the path of a node in ADK's format: the names of the graphs and of the node, joined by
 * dots.
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
