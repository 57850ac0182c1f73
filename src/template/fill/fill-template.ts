import type { Template, TemplateExpression } from "../parse/parse-template.js"
import { NotPlain, plainValue } from "./plain-value.js"
import { scopeOf } from "./expression-scope.js"
import { meterName } from "../functions/charged-functions.js"
import { TemplateFailed } from "../limits/template-errors.js"
import { TemplateMeter } from "../limits/template-meter.js"

/**
 * The values that the expressions of a template can read, by name, such as `state` and `context`.
 * An expression that could modify these values receives a copy of them.
 */
export type TemplateScope = Readonly<Record<string, unknown>>

export interface FillOptions {
  /**
   * Looks up the secret that an expression reads with `$secret('name')`. Returns undefined if the
   * secret does not exist. Without this function, no secret exists.
   */
  readonly secret?: (name: string) => string | undefined | Promise<string | undefined>
  /**
   * Called with every value that an expression computes from secrets, such as
   * `$base64encode('user:' & $secret('password'))`, and with the names of these secrets. The value
   * must be protected like the secrets themselves.
   */
  readonly onSecretValue?: (value: unknown, names: readonly string[]) => void
  /**
   * Counts the work of templates, and throws if it exceeds the limit. All templates of a call share
   * the limit if they receive the same meter. By default, each template has a separate meter.
   */
  readonly meter?: TemplateMeter
  /**
   * Handling of expressions without a value. `fail` rejects the whole template. `omit` removes a
   * field that consists of the expression only, and inserts an empty string into a longer text.
   * Default: `fail`.
   */
  readonly missing?: "fail" | "omit"
  /**
   * If true, an expression inside a longer text may be null, and the text then contains `null`.
   * Default: false, so that null is an error.
   */
  readonly insertsNull?: boolean
  /**
   * Time that `$millis()` and `$now()` return, in milliseconds since the epoch. By default, they
   * return the time of the evaluation.
   */
  readonly now?: number
}

/** One part of a filled template: literal text, or the value of a `{{ }}` expression. */
export type FilledPart =
  | { readonly type: "text"; readonly text: string }
  | {
      readonly type: "value"
      readonly value: unknown
      readonly expression: TemplateExpression
      readonly secrets: readonly string[]
      /**
       * Set if the value is null and the longer text of the template contains it as `null`. The
       * option `insertsNull` allows such values.
       */
      readonly isInserted?: true
    }

/**
 * Replaces the expressions of a template by their values. If the template is a single expression,
 * the result keeps the type of its value. Otherwise, all parts are joined to a string.
 *
 * Rejects with {@link TemplateFailed} if an expression fails or has no value. For a missing secret,
 * the error code is `secret_missing`.
 */
export async function fillTemplate(
  template: Template,
  scope: TemplateScope,
  options: FillOptions = {},
): Promise<unknown> {
  const parts = await fillParts(template, scope, options)
  const [only, ...others] = parts
  if (only?.type === "value" && others.length === 0) return only.value
  return parts.map(textOfPart).join("")
}

/**
 * Replaces the expressions of a template by their values and always returns a string. Rejects if an
 * expression fails, has no value or is null.
 */
export async function fillText(
  template: Template,
  scope: TemplateScope,
  options: FillOptions = {},
): Promise<string> {
  return (await fillParts(template, scope, options)).map(textOfPart).join("")
}

/**
 * Evaluates the expressions of a template and returns its parts separately, for callers that treat
 * literal text and values differently.
 */
export async function fillParts(
  template: Template,
  scope: TemplateScope,
  options: FillOptions = {},
): Promise<readonly FilledPart[]> {
  const filled: FilledPart[] = []
  const meter = options.meter ?? new TemplateMeter()
  for (const part of template.parts) {
    filled.push(part.type === "text" ? part : await fillExpression(part, scope, options, meter))
  }
  return filled
}

/**
 * Converts one part of a filled template to text. Strings are unchanged, and all other values
 * become compact JSON. Throws if the value is null and null is not allowed.
 */
export function textOfPart(part: FilledPart): string {
  if (part.type === "text") return part.text
  if (part.value === undefined) return ""
  if (part.value === null && part.isInserted !== true)
    throw new TemplateFailed(
      `{{ ${brief(part.expression.source)} }} is null, which cannot be inserted into a string`,
    )
  return typeof part.value === "string" ? part.value : JSON.stringify(part.value)
}

async function fillExpression(
  expression: TemplateExpression,
  scope: TemplateScope,
  options: FillOptions,
  meter: TemplateMeter,
): Promise<FilledPart> {
  const { source, program, plainPath, secretNames } = expression
  const used = new Set<string>()
  const secret = (name: string): Promise<string> => {
    used.add(name)
    return secretValue(name, options)
  }
  let value: unknown
  try {
    await meter.pauseIfDue()
    await expression.ready()
    // JSONata adds flags to the lists that it reads. Pass it a copy, unless the expression is only
    // a path, which modifies nothing.
    const input = plainPath ? scope : copyOf(scopeOf(source, scope), meter)
    const result: unknown = await program.evaluate(input, {
      secret,
      [meterName]: meter,
      ...clockOf(options),
    })
    value = result === undefined ? undefined : copyOf(result, meter)
  } catch (error) {
    throw failed(source, error, secretNames.length > 0)
  }
  if (value === undefined && options.missing !== "omit")
    throw new TemplateFailed(
      `{{ ${brief(source)} }} has no value; check the name, and check that the value is written before this call`,
    )
  if (value === null && options.insertsNull === true)
    return { type: "value", value, expression, secrets: [...used], isInserted: true }
  if (used.size > 0) options.onSecretValue?.(value, [...used])
  return { type: "value", value, expression, secrets: [...used] }
}

/**
 * Returns a replacement for `$millis()` that returns the option `now`. `$now()` calls `$millis()`,
 * so it returns the same time. Returns an empty object if the option is missing.
 */
function clockOf({ now }: FillOptions): object {
  if (now === undefined) return {}
  const millis = (): number => now
  return { millis: Object.assign(millis, { implementation: millis }) }
}

/**
 * Copies a JSON value and charges the work to the meter, which limits the work of templates. Does
 * not limit the size of the copy, because the state may be larger than any value that an expression
 * may create.
 */
function copyOf(value: unknown, meter: TemplateMeter): unknown {
  let nodes = 0
  const copy = plainValue(value, () => {
    if (++nodes % 1024 === 0) meter.spend(1024 / 8)
  })
  return copy
}

async function secretValue(name: string, options: FillOptions): Promise<string> {
  const value = await options.secret?.(name)
  if (value === undefined || value === "") {
    throw new TemplateFailed(
      `the secret "${name}" is missing or empty; add it to the secrets of the runner`,
      { code: "secret_missing" },
    )
  }
  return value
}

/**
 * Converts an error of a JSONata expression to `TemplateFailed`. If the expression uses a secret,
 * the message contains only the error code, because JSONata's messages contain values.
 */
function failed(source: string, error: unknown, secret: boolean): TemplateFailed {
  const what = `{{ ${brief(source)} }}`
  if (error instanceof TemplateFailed)
    return new TemplateFailed(`${what}: ${error.message}`, { code: error.code })
  if (error instanceof NotPlain)
    return new TemplateFailed(`${what} returns ${error.message}, which is not a JSON value`)
  const { code, message } = error as { readonly code?: unknown; readonly message?: unknown }
  if (secret)
    return new TemplateFailed(
      `${what} failed${typeof code === "string" ? ` (JSONata ${code})` : ""}`,
    )
  return new TemplateFailed(`${what} failed: ${brief(String(message ?? error))}`, { cause: error })
}

const brief = (text: string): string => (text.length > 200 ? `${text.slice(0, 200)}…` : text)
