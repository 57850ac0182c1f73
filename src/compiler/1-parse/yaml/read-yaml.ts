import type { CST, Document, Node } from "yaml"
import { Composer, isMap, isScalar, isSeq, Parser } from "yaml"
import type { ConfigDocument, DocumentName } from "../../document/config-document.js"
import { titleOf } from "../../document/config-document.js"
import { pointerKeys } from "../../document/json-pointer.js"
import { positionsIn } from "../../document/text-position.js"
import { configLimits } from "../../document/config-limits.js"
import type { DiagnosticDraft, Report } from "../../diagnostics/report.js"
import { keyText } from "./key-text.js"
import { explainSyntaxError } from "./syntax-error.js"
import { toData } from "./to-data.js"

const byteOrderMark = 0xfeff

/**
 * Parses YAML 1.2 text (core schema). Reports an error and returns null if the text contains no
 * valid data.
 */
export function readYaml(
  given: string,
  document: DocumentName,
  report: Report,
): ConfigDocument | null {
  const text = given.charCodeAt(0) === byteOrderMark ? given.slice(1) : given
  const position = positionsIn(text)
  const refuse = (
    code: DiagnosticDraft["code"],
    problem: string,
    fix: string,
    offset: number | null,
  ): null => {
    const lineAndColumn = offset === null ? {} : position(offset)
    report.add({
      code,
      severity: "error",
      message: `${titleOf(document)} ${problem}.`,
      fix,
      pointer: "",
      document,
      ...lineAndColumn,
    })
    return null
  }
  if (text.length > configLimits.yamlCharacters) {
    const fix = "Remove large data from the config, or split it into several files."
    return refuse(
      "config_too_large",
      `has ${text.length} characters; the limit for YAML is ${configLimits.yamlCharacters}`,
      fix,
      null,
    )
  }
  const tokens = [...new Parser().parse(text)]
  const tooDeepAt = tooDeepIn(tokens)
  if (tooDeepAt !== null) {
    return refuse(
      "nesting_too_deep",
      `is nested deeper than ${configLimits.documentDepth} levels`,
      "Move nested agents to separate files and refer to them with config_path.",
      tooDeepAt,
    )
  }
  // Duplicate keys are detected in `toData`, because the parser would compare every key with all
  // others.
  const documents = [
    ...new Composer({
      version: "1.2",
      schema: "core",
      merge: false,
      uniqueKeys: false,
      // Editing the text needs the tokens.
      keepSourceTokens: true,
    }).compose(tokens),
  ]
  const first = documents
    .flatMap(({ errors }) => errors)
    .toSorted((one, other) => one.pos[0] - other.pos[0])[0]
  if (first !== undefined) {
    const { problem, fix } = explainSyntaxError(first, text)
    return refuse("yaml_syntax", `is not valid YAML: ${problem}`, fix, first.pos[0])
  }
  const [only, second] = documents.filter(
    ({ contents }) => contents !== null && !(isScalar(contents) && contents.value === null),
  )
  if (only === undefined)
    return refuse(
      "yaml_syntax",
      "is empty",
      'Write an agent, starting with its name, such as "name: writer".',
      0,
    )
  if (second !== undefined) {
    return refuse(
      "yaml_syntax",
      'contains several YAML documents, separated by "---"',
      "Put each agent in a separate file, and refer to it with config_path.",
      second.contents?.range?.[0] ?? 0,
    )
  }
  for (const { message, pos } of only.warnings) {
    const fix =
      "Remove the YAML tag, because a config may contain only strings, numbers, true, false, null, lists and maps."
    report.add({
      code: "yaml_syntax",
      severity: "warning",
      message: `${titleOf(document)} has a tag that is not supported (${message}); the tag is ignored.`,
      fix,
      pointer: "",
      document,
      ...position(pos[0]),
    })
  }
  const data = toData(only.contents, { report, document, position })
  return data === null
    ? null
    : {
        ...document,
        format: "yaml",
        value: data.value,
        yaml: only.contents,
        locate: (pointer, part) => position(offsetOf(only, pointer, part)),
      }
}

/**
 * Returns the offset of the first value that is nested too deeply, or null if there is none. It
 * runs before the tokens are composed to a document, because composing is recursive and could
 * overflow the stack.
 */
function tooDeepIn(tokens: readonly CST.Token[]): number | null {
  const pending: (readonly [token: CST.Token, depth: number])[] = tokens.map((token) => [token, 0])
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const [token, depth] = next
    if (depth > configLimits.documentDepth) return token.offset
    if (token.type === "document" && token.value !== undefined) pending.push([token.value, depth])
    if (!("items" in token)) continue
    for (const { key, value } of token.items) {
      if (key !== undefined && key !== null) pending.push([key, depth + 1])
      if (value !== undefined) pending.push([value, depth + 1])
    }
  }
  return null
}

/**
 * Returns the offset of the value at a JSON pointer, or the offset of its key. If there is no such
 * value, returns the offset of the innermost existing value on the path to it.
 */
function offsetOf({ contents }: Document, pointer: string, part: "key" | "value"): number {
  let node: Node | null = contents
  let key: Node | null = null
  for (const name of pointerKeys(pointer)) {
    const child: readonly [Node | null, unknown] | undefined = childOf(node, name)
    if (child === undefined) return startOf(node)
    key = child[0]
    // In a composed document, the values of maps and lists are nodes, or null if a value is
    // missing.
    node = (child[1] ?? key) as Node | null
  }
  return startOf(part === "key" && key !== null ? key : node)
}

function childOf(
  node: Node | null,
  name: string,
): readonly [key: Node | null, value: unknown] | undefined {
  if (isSeq(node))
    return Object.hasOwn(node.items, name) ? [null, node.items[Number(name)]] : undefined
  const pair = isMap(node) ? node.items.findLast(({ key }) => keyText(key) === name) : undefined
  // In a composed document, keys are nodes.
  return pair && [pair.key as Node, pair.value]
}

const startOf = (node: Node | null): number => node?.range?.[0] ?? 0
