import type { Template, TemplateExpression } from "../parse/parse-template.js"
import { NotPlain, plainValue } from "./plain-value.js"
import { meterName } from "../functions/charged-functions.js"
import { TemplateFailed } from "../limits/template-errors.js"
import { TemplateMeter } from "../limits/template-meter.js"

/** What expressions can read. They get a copy where they could change it. */
export interface TemplateScope {
  readonly state: Readonly<Record<string, unknown>>
  readonly context: Readonly<Record<string, unknown>>
}

export interface FillOptions {
  /** Where `$secret('name')` gets its value; undefined = there is none. Without it there are no secrets at all. */
  readonly secret?: (name: string) => string | undefined | Promise<string | undefined>
  /** Told what an expression made of secrets, `$base64encode('user:' & $secret('password'))` for one: it is as secret as they are. */
  readonly onSecretValue?: (value: unknown, names: readonly string[]) => void
  /** What all templates of one call spend together. Default: each template has a budget of its own. */
  readonly meter?: TemplateMeter
}

/** A literal stretch, or the value of an expression. */
export type FilledPart =
  | { readonly type: "text"; readonly text: string }
  | {
      readonly type: "value"
      readonly value: unknown
      readonly expression: TemplateExpression
      readonly secrets: readonly string[]
    }

/**
 * The value of a text with templates. One template alone keeps the type of its value; otherwise all values are joined into
 * text. Rejects with {@link TemplateFailed}, also where an expression yields nothing; a missing secret has the code `secret_missing`.
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

/** As {@link fillTemplate}, but always a text: null, too, is an empty result then. */
export async function fillText(
  template: Template,
  scope: TemplateScope,
  options: FillOptions = {},
): Promise<string> {
  return (await fillParts(template, scope, options)).map(textOfPart).join("")
}

/** The parts one by one, for callers who treat what was filled in differently from what was written. */
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

/** Texts as they are, all else as compact JSON. */
export function textOfPart(part: FilledPart): string {
  if (part.type === "text") return part.text
  if (part.value === null)
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
    await meter.rest()
    await expression.ready()
    // JSONata marks lists that it reads, so it gets a copy, except where it cannot.
    const whole = { state: scope.state, context: scope.context }
    const input = plainPath ? whole : copyOf(whole, meter)
    const result: unknown = await program.evaluate(input, { secret, [meterName]: meter })
    value = result === undefined ? undefined : copyOf(result, meter)
  } catch (error) {
    throw failed(source, error, secretNames.length > 0)
  }
  if (value === undefined)
    throw new TemplateFailed(
      `{{ ${brief(source)} }} has no value; check the name, and check that the value is written before this call`,
    )
  if (used.size > 0) options.onSecretValue?.(value, [...used])
  return { type: "value", value, expression, secrets: [...used] }
}

/** The state may be larger than what an expression may make, so it is only paid for. */
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

/** JSONata puts values into its messages: where a secret took part, only its error code is told. */
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
