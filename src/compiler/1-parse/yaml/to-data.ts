import type { Alias, Node, Pair, YAMLMap } from "yaml"
import { isAlias, isMap, isScalar, isSeq } from "yaml"
import type { DocumentName, TextPosition } from "../../document/config-document.js"
import { childPointer } from "../../document/json-pointer.js"
import { configLimits } from "../../document/config-limits.js"
import type { DiagnosticDraft, Report } from "../../diagnostics/report.js"
import { keyText } from "./key-text.js"

interface Source {
  readonly report: Report
  readonly document: DocumentName
  readonly position: (offset: number) => TextPosition
}

/**
 * Data from a YAML text, with the size that it would have if every alias were replaced by a copy.
 */
interface Sized {
  readonly value: unknown
  readonly values: number
  readonly characters: number
  readonly depth: number
}

const nothing: Sized = { value: null, values: 1, characters: 0, depth: 1 }

/**
 * Converts YAML nodes to plain JSON data and applies merge keys (`<<`). The value of an alias is
 * shared, not copied. Its size counts for each use, so that nested aliases cannot create huge data.
 * Returns null if the data is too large, nested too deeply, or contains itself.
 */
export function toData(
  root: Node | null,
  { report, document, position }: Source,
): { readonly value: unknown } | null {
  const anchors = new Map<string, Sized | "open">()
  let expanded = 0
  let failed = false

  function reportProblem(
    code: DiagnosticDraft["code"],
    node: Node | null,
    pointer: string,
    message: string,
    fix: string,
  ): Sized {
    report.add({
      code,
      severity: "error",
      message,
      fix,
      pointer,
      document,
      ...position(node?.range?.[0] ?? 0),
    })
    return nothing
  }

  function convert(node: unknown, pointer: string): Sized {
    if (failed) return nothing
    if (isAlias(node)) return aliased(node, pointer)
    const anchor = isMap(node) || isSeq(node) || isScalar(node) ? node.anchor : undefined
    if (anchor !== undefined) anchors.set(anchor, "open")
    const made = isMap(node)
      ? map(node, pointer)
      : isSeq(node)
        ? list(node.items, pointer)
        : isScalar(node)
          ? scalar(node.value, node, pointer)
          : nothing
    if (anchor !== undefined) anchors.set(anchor, made)
    return made
  }

  function aliased(alias: Alias, pointer: string): Sized {
    const known = anchors.get(alias.source)
    const name = `*${alias.source}`
    if (known === undefined)
      return reportProblem(
        "yaml_syntax",
        alias,
        pointer,
        `The alias ${name} is undefined: no value above it has the anchor &${alias.source}.`,
        `Write &${alias.source} before the value that the alias refers to. If this is a string that starts with *, put it in quotes.`,
      )
    failed ||= known === "open"
    if (known === "open")
      return reportProblem(
        "config_shape",
        alias,
        pointer,
        `The alias ${name} is inside the value that it refers to, so the value contains itself.`,
        "Replace the alias with a copy of the value.",
      )
    expanded += known.values + known.characters / 10
    if (expanded <= configLimits.values) return known
    failed = true
    const message = `The aliases, such as ${name}, make the config too large: when expanded, it has more than ${configLimits.values} values.`
    return reportProblem(
      "config_too_large",
      alias,
      pointer,
      message,
      "Remove the aliases, or remove large data from the config.",
    )
  }

  function scalar(value: unknown, node: Node, pointer: string): Sized {
    if (typeof value === "number" && !Number.isFinite(value)) {
      return reportProblem(
        "wrong_type",
        node,
        pointer,
        `The value at ${pointer} is ${value}, which JSON cannot represent.`,
        "Write a finite number, or a string in quotes.",
      )
    }
    return { value, values: 1, characters: typeof value === "string" ? value.length : 0, depth: 1 }
  }

  function list(items: readonly unknown[], pointer: string): Sized {
    const made = items.map((item, index) => convert(item, childPointer(pointer, index)))
    return collected(
      made.map(({ value }) => value),
      made,
    )
  }

  function map({ items }: YAMLMap, pointer: string): Sized {
    const entries = new Map<string, unknown>()
    const firsts = new Map<string, Node | null>()
    const reported = new Set<string>()
    const made: Sized[] = []
    const merged: Sized[] = []
    for (const { key, value } of items as readonly Pair<Node | null, unknown>[]) {
      const name = keyText(key)
      if (name === null) {
        reportProblem(
          "yaml_syntax",
          key,
          pointer,
          "A key is a list, a map or an alias, but must be a plain string.",
          "Write the name of a field.",
        )
        continue
      }
      const inner = childPointer(pointer, name)
      const sized = convert(value, inner)
      if (name === "<<") {
        merged.push(...mergeable(sized, key, inner))
        continue
      }
      const first = firsts.get(name)
      if (first !== undefined && !reported.has(name)) reportDuplicate(name, first, key, inner)
      if (first === undefined) firsts.set(name, key)
      else reported.add(name)
      entries.set(name, sized.value)
      made.push(sized)
    }
    for (const { value } of merged) {
      for (const [name, inner] of Object.entries(value ?? {}))
        if (!entries.has(name)) entries.set(name, inner)
    }
    // `Object.fromEntries` defines own properties, so that a key `__proto__` does not change the
    // prototype.
    return collected(Object.fromEntries(entries), [...made, ...merged])
  }

  /**
   * Returns the maps in the value of a merge key (`<<`), each with its size. The value is one map,
   * or a list of maps in which earlier maps take precedence.
   */
  function mergeable(sized: Sized, key: Node | null, pointer: string): readonly Sized[] {
    const { value } = sized
    const maps: readonly unknown[] = Array.isArray(value) ? value : [value]
    if (maps.every((one) => typeof one === "object" && one !== null && !Array.isArray(one))) {
      return maps.map((one, index) => ({
        ...sized,
        value: one,
        ...(index > 0 && { values: 0, characters: 0 }),
      }))
    }
    reportProblem(
      "wrong_type",
      key,
      pointer,
      'The value of the merge key "<<" must be a map or a list of maps, usually an alias.',
      "Write an alias such as *defaults, or remove the key.",
    )
    return []
  }

  function reportDuplicate(
    name: string,
    first: Node | null,
    second: Node | null,
    pointer: string,
  ): void {
    const { line, column } = position(first?.range?.[0] ?? 0)
    const message = `${JSON.stringify(name)} is a duplicate key: the same map defines it at line ${line}, column ${column}.`
    const fix = "Keep one of the two."
    report.add({
      code: "duplicate_key",
      severity: "error",
      message,
      fix,
      pointer,
      field: name,
      document,
      ...position(second?.range?.[0] ?? 0),
    })
  }

  function collected(value: unknown, inner: readonly Sized[]): Sized {
    let [values, characters, depth] = [1, 0, 0]
    for (const one of inner) {
      values += one.values
      characters += one.characters
      depth = Math.max(depth, one.depth)
    }
    if (!failed && depth >= configLimits.documentDepth) {
      failed = true
      reportProblem(
        "nesting_too_deep",
        null,
        "",
        `The aliases nest values deeper than ${configLimits.documentDepth} levels.`,
        "Make this data flatter.",
      )
    }
    return { value, values, characters, depth: depth + 1 }
  }

  const { value } = convert(root, "")
  return failed ? null : { value }
}
