import { posix } from "node:path"
import type { Node as JsonNode } from "jsonc-parser"
import { parseTree } from "jsonc-parser"
import type { Range } from "yaml"
import { isMap, isScalar, parseDocument, visit } from "yaml"
import type { ConfigFolder } from "../../compiler/1-parse/files/config-folder.js"
import { referencedAgents } from "../../compiler/edit/describe-agents.js"
import type { AgentRange } from "../api.js"

/** Names of config fields whose value is the name of the object that contains the field. */
const nameFields = ["id", "name", "agentId"]

/** Returns whether a config text may refer to other files that define agents. */
const hasReferences = (path: string, text: string): boolean =>
  /\.ya?ml$/i.test(path) && /\.(?:ya?ml|json)\b/i.test(text)

/**
 * Returns the text range that defines each agent of a workflow, by agent name. If another file
 * defines an agent, the range is the reference to that file.
 */
export function agentRanges(
  path: string,
  text: string,
  folder: ConfigFolder,
): Readonly<Record<string, AgentRange>> {
  const own = namedObjects(path, text)
  if (!hasReferences(path, text)) return own
  const lines = lineStarts(text)
  const references = referencedAgents({ text, folder }).map(({ name, file, from, to }) => [
    name,
    { from, to, ...positionOf(from, lines), file: posix.join(posix.dirname(path), file) },
  ])
  return { ...own, ...Object.fromEntries(references) }
}

/**
 * Returns the text range of each named object in a config, by name. If several objects have the
 * same name, the largest is used, because a definition is larger than a reference to it.
 */
function namedObjects(path: string, text: string): Readonly<Record<string, AgentRange>> {
  const found = new Map<string, { readonly from: number; readonly to: number }>()
  const add = (name: string, from: number, to: number): void => {
    const known = found.get(name)
    if (known === undefined || to - from > known.to - known.from) found.set(name, { from, to })
  }
  if (/\.ya?ml$/i.test(path)) addYaml(text, add)
  else addJson(parseTree(text), add)
  const lines = lineStarts(text)
  return Object.fromEntries(
    [...found].map(([name, { from, to }]) => [name, { from, to, ...positionOf(from, lines) }]),
  )
}

type AddRange = (name: string, from: number, to: number) => void

function addJson(root: JsonNode | undefined, add: AddRange): void {
  const nodes = root === undefined ? [] : [root]
  for (const { type, children = [], offset, length } of nodes) {
    if (type === "object")
      for (const { children: [key, value] = [] } of children)
        if (nameFields.includes(String(key?.value)) && typeof value?.value === "string")
          add(value.value, offset, offset + length)
    nodes.push(...children)
  }
}

function addYaml(text: string, add: AddRange): void {
  visit(parseDocument(text), {
    Map(_, map) {
      const range: Range | null | undefined = map.range
      if (range == null || !isMap(map)) return
      for (const { key, value } of map.items)
        if (
          isScalar(key) &&
          nameFields.includes(String(key.value)) &&
          isScalar(value) &&
          typeof value.value === "string"
        )
          add(value.value, range[0], range[1])
    },
  })
}

/** Returns the offset at which each line of a text starts. */
const lineStarts = (text: string): readonly number[] => [
  0,
  ...[...text.matchAll(/\r\n|\r|\n/g)].map(({ 0: end, index }) => index + end.length),
]

/**
 * Converts an offset in a text to a line and a column, both counted from 1. `starts` contains the
 * offset of each line.
 */
function positionOf(
  offset: number,
  starts: readonly number[],
): { readonly line: number; readonly column: number } {
  let [low, high] = [0, starts.length - 1]
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if ((starts[middle] ?? 0) <= offset) low = middle
    else high = middle - 1
  }
  return { line: low + 1, column: offset - (starts[low] ?? 0) + 1 }
}
