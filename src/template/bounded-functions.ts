import jsonata from "jsonata"
import { TemplateFailed } from "./template-errors.js"
import type { TemplateLimits } from "./template-limits.js"

export const tooLarge = (what: string): TemplateFailed =>
  new TemplateFailed(`an expression makes ${what}, more than a template may`)

/** Built-ins of JSONata that make much out of little in one step, bounded; they mean the same otherwise. */
export function boundFunctions(program: jsonata.Expression, limits: TemplateLimits): void {
  program.registerFunction(
    "pad",
    (text, width, char) => pad(text, width, char, limits),
    "<s-ns?:s>",
  )
  program.registerFunction(
    "join",
    (texts, separator) => join(texts, separator, limits),
    "<a<s>s?:s>",
  )
  program.registerFunction("toMillis", toMillis, "<s-s?:n>")
  // It would run whatever stands in the state.
  program.registerFunction("eval", () => {
    throw new TemplateFailed("$eval is not available in templates")
  })
}

function pad(
  text: string | undefined,
  width: number,
  char: string | undefined,
  limits: TemplateLimits,
): string | undefined {
  if (text === undefined) return undefined
  const wanted = Math.abs(Math.trunc(width))
  if (wanted > limits.size) throw tooLarge(`a text of ${wanted} characters`)
  const missing = wanted - [...text].length
  if (missing <= 0) return text
  const fill = char === undefined || char === "" ? [" "] : [...char]
  const padding = Array.from({ length: missing }, (_, index) => fill[index % fill.length]).join("")
  return width > 0 ? text + padding : padding + text
}

function join(
  texts: readonly string[] | undefined,
  separator = "",
  limits: TemplateLimits,
): string | undefined {
  if (texts === undefined) return undefined
  const size = texts.reduce((sum, text) => sum + text.length, separator.length * texts.length)
  if (size > limits.size) throw tooLarge(`a text of ${size} characters`)
  return texts.join(separator)
}

/** JSONata turns a picture into a pattern with one repetition per component, which digits can keep busy for ever. */
async function toMillis(text: string | undefined, picture: string | undefined): Promise<unknown> {
  if (text === undefined) return undefined
  if (
    text.length > 60 ||
    (picture !== undefined && (text.length > 40 || picture.split("[").length > 9))
  ) {
    throw new TemplateFailed(
      "$toMillis takes a text of at most 60 characters, with a picture of 40 characters and eight components",
    )
  }
  const program = jsonata(picture === undefined ? "$toMillis(text)" : "$toMillis(text, picture)")
  return program.evaluate({ text, picture })
}
