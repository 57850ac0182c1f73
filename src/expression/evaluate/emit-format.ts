import { formatValue } from "../text/format-value.js"
import { type PatternField, parsePattern } from "../text/format-pattern.js"
import { parseFormatSpec } from "../syntax/format-spec.js"
import type { Evaluate, EvaluationFrame } from "./evaluation-frame.js"
import { repr, textOf } from "../collections/repr.js"
import type { VariableScope } from "../check/variable-scope.js"
import type { FormattedText, SyntaxNode } from "../syntax/syntax-tree.js"
import { asciiOnly } from "../characters/text-repr.js"
import type { Value } from "../values/values.js"

type Emit = (node: SyntaxNode, scope: VariableScope) => Evaluate

/** Compiles an f-string to a function that returns the formatted text. */
export function emitFormatted(node: FormattedText, scope: VariableScope, emit: Emit): Evaluate {
  const parts = node.parts.map((part) => {
    if (part.type === "constant") return (): string => String(part.value)
    const value = emit(part.value, scope)
    const format = formatter(part.conversion, part.spec)
    return (frame: EvaluationFrame): string => format(value(frame), frame)
  })
  return (frame) => {
    let text = ""
    for (const part of parts) {
      text += part(frame)
      if (text.length > 1000) frame.budget.text(text)
    }
    return text
  }
}

/**
 * Compiles a call of `'...'.format(...)` to a function that returns the formatted text. The pattern
 * is a string literal that has already been validated.
 */
export function emitFormatCall(
  pattern: string,
  args: readonly Evaluate[],
  keywords: readonly (readonly [string, Evaluate])[],
): Evaluate {
  const parsed = parsePattern(pattern)
  const parts = (typeof parsed === "string" ? [] : parsed).map((part) =>
    typeof part === "string" ? part : { part, format: formatter(part.conversion, part.spec) },
  )
  const names = keywords.map(([name]) => name)
  const slot = ({ argument }: PatternField): number =>
    typeof argument === "number" ? argument : args.length + names.indexOf(argument)
  return (frame) => {
    frame.budget.spend(1)
    const values = [...args, ...keywords.map(([, value]) => value)].map((value) => value(frame))
    let text = ""
    for (const part of parts) {
      text += typeof part === "string" ? part : part.format(values[slot(part.part)]!, frame)
      if (text.length > 1000) frame.budget.text(text)
    }
    return text
  }
}

function formatter(
  conversion: "s" | "r" | "a" | null,
  specification: string,
): (value: Value, frame: EvaluationFrame) => string {
  const spec = specification === "" ? null : parseFormatSpec(specification)
  switch (conversion) {
    case null:
      return (value, { budget }) => formatValue(value, spec, budget)
    case "s":
      return (value, { budget }) => formatValue(textOf(value, budget), spec, budget)
    case "r":
      return (value, { budget }) => formatValue(repr(value, budget), spec, budget)
    case "a":
      return (value, { budget }) => formatValue(asciiOnly(repr(value, budget)), spec, budget)
  }
}
