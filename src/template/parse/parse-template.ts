import jsonata from "jsonata"
import { expressionFacts } from "./expression-rules.js"
import { guardExpression } from "../guard/guard-expression.js"
import { pathStepsOf } from "../limits/parse-budget.js"
import { scanTemplate } from "./scan-template.js"
import { TemplateRefused } from "../limits/template-errors.js"
import { type TemplateLimits, templateLimits } from "../limits/template-limits.js"

/** A text with `{{ JSONata }}` in it, read once and filled as often as needed. */
export interface Template {
  readonly text: string
  readonly parts: readonly TemplatePart[]
  /** The secrets that filling may ask for. */
  readonly secretNames: readonly string[]
}

type TemplatePart = { readonly type: "text"; readonly text: string } | TemplateExpression

export interface TemplateExpression {
  readonly type: "expression"
  readonly source: string
  /** Where `source` starts in the text. */
  readonly offset: number
  readonly secretNames: readonly string[]
  /** Reads one value by its path; all else works on a copy of the state. */
  readonly plainPath: boolean
  readonly program: jsonata.Expression
  /** Resolves when the program can be evaluated. */
  ready(): Promise<void>
}

/**
 * Reads the templates of a text. Throws {@link TemplateRefused}, with the offset, for `{{` without `}}`, for what JSONata
 * cannot parse, and for `$secret` with anything but a quoted name.
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
  // A path yields no more than the state holds, so a long list in the state is no reason to refuse it.
  if (facts.plainPath)
    program = compile(source, offset, { ...limits, sequence: Number.MAX_SAFE_INTEGER })
  const ready = facts.plainPath ? atOnce : firstTime(() => guardExpression(program))
  return { type: "expression", source: source.trim(), offset, ...facts, program, ready }
}

const atOnce = (): Promise<void> => Promise.resolve()

/** Whoever only checks a template does not pay for what its evaluation needs. */
function firstTime(prepare: () => Promise<void>): () => Promise<void> {
  let prepared: Promise<void> | null = null
  return () => (prepared ??= prepare())
}

/** Checked before JSONata's parser sees the text, which takes quadratic time for long paths. */
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
    // JSONata throws plain objects, with the position behind the token that it stumbled over.
    const {
      position = 0,
      token,
      message = "it cannot be parsed",
    } = error as Partial<jsonata.JsonataError>
    const length = typeof token === "string" && token !== "(end)" ? token.length : 0
    const at = offset + Math.min(source.length, Math.max(0, position - length))
    throw new TemplateRefused(at, `{{${source}}} is not a JSONata expression: ${message}.`, {
      cause: error,
    })
  }
}
