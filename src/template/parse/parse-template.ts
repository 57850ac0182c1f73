import jsonata from "jsonata"
import { expressionFacts } from "./expression-rules.js"
import { guardExpression } from "../guard/guard-expression.js"
import { pathStepsOf } from "../limits/parse-budget.js"
import { scanTemplate } from "./scan-template.js"
import { TemplateRefused } from "../limits/template-errors.js"
import { type TemplateLimits, templateLimits } from "../limits/template-limits.js"

/**
 * A parsed text with `{{ JSONata }}` expressions. The expressions can be evaluated any number of
 * times.
 */
export interface Template {
  readonly text: string
  readonly parts: readonly TemplatePart[]
  /** Names of all secrets that the expressions of the template read, without duplicates. */
  readonly secretNames: readonly string[]
}

type TemplatePart = { readonly type: "text"; readonly text: string } | TemplateExpression

export interface TemplateExpression {
  readonly type: "expression"
  readonly source: string
  /** Index in the template text at which the expression starts, directly after the opening `{{`. */
  readonly offset: number
  readonly secretNames: readonly string[]
  /**
   * Whether the expression is only a path such as `state.a.b`. All other expressions receive a copy
   * of the state, because they could modify it.
   */
  readonly plainPath: boolean
  readonly program: TemplateProgram
  /**
   * Prepares the expression for its first evaluation. Must be awaited before `program.evaluate` is
   * called.
   */
  ready(): Promise<void>
}

/**
 * A parsed JSONata expression. The type is declared here because the published types cannot import
 * `jsonata`, which is bundled and not installed with this package.
 */
export interface TemplateProgram {
  evaluate(input: unknown, bindings?: Record<string, unknown>): Promise<unknown>
  ast(): ExpressionNode
}

/** A node of a JSONata syntax tree, with the fields that the checks of templates read. */
export interface ExpressionNode {
  readonly type: string
  readonly value?: unknown
  readonly steps?: readonly ExpressionNode[]
  readonly expressions?: readonly ExpressionNode[]
  readonly then?: ExpressionNode
  readonly else?: ExpressionNode
  readonly rhs?: ExpressionNode
}

/**
 * Parses the `{{ }}` expressions of a text.
 *
 * @throws TemplateRefused if `}}` is missing, if JSONata cannot parse an expression, or if
 * `$secret` is not called with a string literal. The error contains the offset of the problem.
 */
export function parseTemplate(text: string, limits: TemplateLimits = templateLimits): Template {
  const parts = scanTemplate(text).map((piece): TemplatePart =>
    piece.type === "text" ? piece : parseExpression(piece.source, piece.offset, limits),
  )
  const secretNames = new Set(
    parts.flatMap((part) => (part.type === "expression" ? part.secretNames : [])),
  )
  return { text, parts, secretNames: [...secretNames] }
}

function parseExpression(
  source: string,
  offset: number,
  limits: TemplateLimits,
): TemplateExpression {
  if (source.trim() === "")
    throw new TemplateRefused(
      offset,
      'there is no expression between "{{" and "}}". Write an expression, such as {{ state.name }}.',
    )
  refuseLong(source, offset, limits)
  let program = compile(source, offset, limits)
  const facts = expressionFacts(program.ast(), offset)
  // A path only returns existing values of the state, so it may return a list of any length.
  if (facts.plainPath)
    program = compile(source, offset, { ...limits, sequence: Number.MAX_SAFE_INTEGER })
  const ready = facts.plainPath ? resolved : firstTime(() => guardExpression(program))
  return { type: "expression", source: source.trim(), offset, ...facts, program, ready }
}

const resolved = (): Promise<void> => Promise.resolve()

/**
 * Returns a function that runs `prepare` on its first call only, and returns the same promise on
 * later calls. The preparation is deferred, so that validating a template remains cheap.
 */
function firstTime(prepare: () => Promise<void>): () => Promise<void> {
  let prepared: Promise<void> | null = null
  return () => (prepared ??= prepare())
}

/**
 * Throws if an expression is too long to be parsed. JSONata's parser takes quadratic time for long
 * paths.
 */
function refuseLong(source: string, offset: number, limits: TemplateLimits): void {
  if (source.length > limits.source)
    throw new TemplateRefused(
      offset,
      `this expression has ${source.length} characters; the limit is ${limits.source}. Split it into several templates.`,
    )
  const steps = pathStepsOf(source)
  if (steps > limits.pathSteps)
    throw new TemplateRefused(
      offset,
      `this expression has ${steps} dots and percent signs; the limit is ${limits.pathSteps}. Split it into several templates.`,
    )
}

function compile(source: string, offset: number, limits: TemplateLimits): jsonata.Expression {
  const { stack, sequence } = limits
  try {
    return jsonata(source, { stack, sequence })
  } catch (error) {
    // JSONata throws plain objects. `position` is the end of the unexpected token.
    const {
      position = 0,
      token,
      message = "it cannot be parsed",
    } = error as Partial<jsonata.JsonataError>
    const length = typeof token === "string" && token !== "(end)" ? token.length : 0
    const errorOffset = offset + Math.min(source.length, Math.max(0, position - length))
    throw new TemplateRefused(
      errorOffset,
      `{{${source}}} is not a JSONata expression: ${message}.`,
      {
        cause: error,
      },
    )
  }
}
