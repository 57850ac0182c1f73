import { rootAgentSettings } from "../../agent-types/workflow.js"
import { fieldsIn, namesOf } from "../agents/agent-fields.js"
import type { IndexedAgent } from "../agents/named-agents.js"
import type { WorkflowText } from "../agents/workflow-text.js"
import type { TextEdit } from "../contract/edit-command.js"
import { blockField, flowText, keyTextOf, unsupportedLayout } from "../layout/layout.js"
import { indentAt, indented, lineStart, reindent } from "../layout/lines.js"
import { entryIndent, rowOf } from "../layout/splice.js"
import { valueAt } from "../layout/splice-at.js"
import type { SourceEntry, SourceNode } from "../source/source-node.js"
import { replaceScalar } from "./replace-scalar.js"
import { define, referenceTo } from "./structure.js"

/**
 * The container that the command `wrapAgents` creates around the root agent. `list` is the name of
 * the field for its sub-agents.
 */
interface Wrapper {
  readonly name: string
  readonly fields: Readonly<Record<string, unknown>>
  readonly list: string
}

/** Makes a new container the root agent. The old root agent becomes its only sub-agent. */
export function wrapRoot(root: IndexedAgent, wrapper: Wrapper, config: WorkflowText): void {
  const { parsed, layout, index } = config
  if (index.definesList) {
    const rootAt = parsed.workflow.root?.location
    if (rootAt === undefined) throw unsupportedLayout("The config does not name its root agent")
    config.edit(replaceScalar(rootAt.pointer, wrapper.name, layout))
    const pieces = [referenceTo(root.name, config)]
    define({ kind: "draft", fields: wrapper.fields, list: { name: wrapper.list, pieces } }, config)
    return
  }
  config.requireHere(root)
  const node = valueAt(layout, parsed.location.pointer)?.node
  if (node?.kind !== "map" || (node.isFlow && layout.source.format === "yaml"))
    throw unsupportedLayout("The root agent is written in brackets")
  config.edit(
    node.isFlow ? wrappedFlow(node, wrapper, config) : wrappedBlock(node, wrapper, config),
  )
}

/**
 * Returns the indexes of the fields in a root agent's object, separated into workflow settings
 * (`settings`) and fields of the agent (`own`).
 */
function partsOf({ entries }: SourceNode, { parsed: { dialect } }: WorkflowText) {
  const names = new Set(
    fieldsIn(rootAgentSettings, dialect).flatMap(([key, field]) => namesOf(key, field, dialect)),
  )
  const isSetting = ({ key }: SourceEntry): boolean => key !== null && names.has(key)
  return {
    settings: entries.flatMap((entry, index) => (isSetting(entry) ? [index] : [])),
    own: entries.flatMap((entry, index) => (isSetting(entry) ? [] : [index])),
  }
}

function wrappedFlow(node: SourceNode, wrapper: Wrapper, config: WorkflowText): TextEdit {
  const { layout } = config
  const { unit, lineEnd, source, hasLines } = layout
  const outer = indentAt(source.text, node.from)
  const [first, second, third] = [outer + unit, outer + unit + unit, outer + unit + unit + unit]
  const { settings, own } = partsOf(node, config)
  const textOf = (index: number, indent: string): string => {
    const entry = node.entries[index]
    if (entry === undefined) return ""
    const old = indentAt(source.text, entry.from)
    const text = source.text.slice(entry.from, entry.to)
    return reindent(text, { old, indent, isFirstKept: true })
  }
  const head = Object.entries(wrapper.fields).map(
    ([key, value]) => `${keyTextOf(key, layout)}: ${flowText(value, layout, null)}`,
  )
  const fields = [...head, ...settings.map((index) => textOf(index, first))]
  const agent = own.map((index) => textOf(index, third))
  const list = keyTextOf(wrapper.list, layout)
  const text = hasLines
    ? [
        "{",
        `${first}${[...fields, `${list}: [`].join(`,${lineEnd}${first}`)}`,
        `${second}{`,
        `${third}${agent.join(`,${lineEnd}${third}`)}`,
        `${second}}`,
        `${first}]`,
        `${outer}}`,
      ].join(lineEnd)
    : `{ ${[...fields, `${list}: [{ ${agent.join(", ")} }]`].join(", ")} }`
  return { from: node.from, to: node.to, text }
}

function wrappedBlock(node: SourceNode, wrapper: Wrapper, config: WorkflowText): TextEdit {
  const { layout } = config
  const { source, dashIndent, lineEnd } = layout
  const { text } = source
  const indent = entryIndent(node, layout)
  const start = lineStart(text, node.from)
  if (text.slice(start, node.from).trim() !== "" || config.parsed.location.pointer !== "")
    throw unsupportedLayout("The root agent does not start on a line of its own")
  const starts = node.entries.map((_, index) =>
    index === 0 ? start : rowOf(node, index, layout).from,
  )
  const end = rowOf(node, node.entries.length - 1, layout).to
  // The chunk also contains the text after the field, such as comments.
  const chunk = (index: number): string => text.slice(starts[index], starts[index + 1] ?? end)
  const { settings, own } = partsOf(node, config)
  const head = Object.entries(wrapper.fields).map(([key, value]) =>
    blockField(key, value, layout, indent),
  )
  const dash = indent + dashIndent
  const agent = indented(own.map(chunk).join(""), `${dashIndent}  `)
  const firstField = agent.search(/[^\s#]/)
  const isFieldFirst = agent.slice(0, firstField).trim() === ""
  const item = isFieldFirst
    ? agent.slice(0, firstField - 2) + `- ` + agent.slice(firstField)
    : `${dash}-${lineEnd}${agent}`
  return {
    from: start,
    to: end,
    text: [
      ...head,
      ...settings.map(chunk),
      `${indent}${keyTextOf(wrapper.list, layout)}:${lineEnd}`,
      item,
    ].join(""),
  }
}
