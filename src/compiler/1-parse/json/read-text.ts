import type { Node, ParseError } from "jsonc-parser"
import { parseTree } from "jsonc-parser"
import { configLimits } from "../../document/config-limits.js"
import type { Report } from "../../diagnostics/report.js"
import type { ConfigDocument, DocumentName } from "../../document/config-document.js"
import { titleOf } from "../../document/config-document.js"
import { countPairs, duplicateKeys } from "./duplicate-keys.js"
import { scanBrackets } from "./scan-brackets.js"
import { explainSyntaxError } from "./syntax-error.js"
import { offsetOf, positionsIn } from "../../document/text-position.js"

const byteOrderMark = 0xfeff

/**
 * Parses JSON text with the parser of the JavaScript engine. A second parser, which provides
 * positions, is ten times slower. It only runs if there are problems to report.
 */
export function readText(
  given: string,
  document: DocumentName,
  report: Report,
): ConfigDocument | null {
  const text = given.charCodeAt(0) === byteOrderMark ? given.slice(1) : given
  const position = positionsIn(text)
  if (text.length > configLimits.characters) {
    report.add({
      code: "config_too_large",
      severity: "error",
      message: `${titleOf(document)} has ${text.length} characters; the limit is ${configLimits.characters}.`,
      fix: "Remove large data from the config, or split it into several workflows.",
      pointer: "",
      document,
    })
    return null
  }
  const { tooDeepAt, pairs, openAt } = scanBrackets(text, configLimits.documentDepth)
  if (tooDeepAt >= 0) {
    report.add({
      code: "nesting_too_deep",
      severity: "error",
      message: `${titleOf(document)} is nested deeper than ${configLimits.documentDepth} levels of brackets.`,
      fix: "Move nested agents to the list of agents and refer to them by id.",
      pointer: "",
      document,
      ...position(tooDeepAt),
    })
    return null
  }
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    reportSyntax(text, openAt, report, position, document)
    return null
  }
  const locate = locatorIn(text, position)
  if (countPairs(value) !== pairs) reportDuplicates(text, report, position, document)
  return { ...document, format: "json", value, locate }
}

function locatorIn(
  text: string,
  position: ReturnType<typeof positionsIn>,
): ConfigDocument["locate"] {
  let tree: Node | undefined
  return (pointer, part) => {
    tree ??= parseTree(text)
    return tree === undefined ? undefined : position(offsetOf(tree, pointer, part))
  }
}

function reportSyntax(
  text: string,
  openAt: number,
  report: Report,
  position: ReturnType<typeof positionsIn>,
  document: DocumentName,
): void {
  if (/^\s*$/.test(text.slice(0, 1000)) && text.trim() === "") {
    report.add({
      code: "json_syntax",
      severity: "error",
      message: `${titleOf(document)} is empty.`,
      fix: 'Write a workflow, for example {"rootAgentId": "writer", "agents": [...]}.',
      pointer: "",
      document,
      line: 1,
      column: 1,
    })
    return
  }
  const errors: ParseError[] = []
  parseTree(text, errors, { disallowComments: true, allowTrailingComma: false })
  const { offset, problem, fix } = explainSyntaxError(text, errors, openAt)
  report.add({
    code: "json_syntax",
    severity: "error",
    message: `${titleOf(document)} ${problem}.`,
    fix,
    pointer: "",
    document,
    ...position(offset),
  })
}

function reportDuplicates(
  text: string,
  report: Report,
  position: ReturnType<typeof positionsIn>,
  document: DocumentName,
): void {
  const tree = parseTree(text)
  if (tree === undefined) return
  for (const { key, pointer, first, second } of duplicateKeys(tree)) {
    const { line, column } = position(first)
    report.add({
      code: "duplicate_key",
      severity: "error",
      message: `${JSON.stringify(key)} is a duplicate key: the same object defines it at line ${line}, column ${column}.`,
      fix: "Remove one of the two keys. JSON parsers use the last value and ignore all others.",
      pointer,
      document,
      field: key,
      ...position(second),
    })
  }
}
