import { AgentStatechartsError } from "../../errors.js"
import { createSuggest } from "./suggest.js"

/** Throws an `AgentStatechartsError` with the code `argument_invalid` and this message. */
export const refuseArgument = (message: string): never => {
  throw new AgentStatechartsError("argument_invalid", message)
}

/**
 * Returns a short description of an invalid argument for error messages, such as
 * `the string "runs"` or `a promise`.
 */
export function describeArgument(value: unknown): string {
  if (value === null || value === undefined) return String(value)
  if (typeof value === "string")
    return `the string ${JSON.stringify(value.length > 60 ? `${value.slice(0, 60)}...` : value)}`
  if (typeof value === "number" || typeof value === "boolean" || typeof value === "bigint")
    return `the ${typeof value} ${value}`
  if (Array.isArray(value)) return "a list"
  if (typeof value === "object" && "then" in value && typeof value.then === "function")
    return "a promise"
  if (typeof value === "function") return describeFunction(value)
  return typeof value === "object" ? "an object" : `a ${typeof value}`
}

const describeFunction = (value: Function): string =>
  /^class\b/.test(Function.prototype.toString.call(value)) && value.name !== ""
    ? `the class ${value.name}`
    : "a function"

/**
 * Checks the options object of a public function. Throws if the options are not an object, or if
 * the name of an option is probably a typo of a name in `known`. Other unknown options are ignored.
 * The error message contains `call` (the name of the function) and `example` (a text with valid
 * options).
 *
 * @throws AgentStatechartsError `argument_invalid`
 */
export function checkOptions(
  options: unknown,
  {
    call,
    example,
    known,
  }: { readonly call: string; readonly example: string; readonly known: readonly string[] },
): void {
  if (options === undefined) return
  if (typeof options !== "object" || options === null || Array.isArray(options))
    return refuseArgument(
      `the options of ${call} must be an object such as ${example}, but are ${describeArgument(options)}`,
    )
  for (const name of Object.keys(options)) {
    if (known.includes(name)) continue
    const suggestion = createSuggest()(name, known)
    if (suggestion !== null)
      refuseArgument(
        `${call} does not have the option "${name}". Did you mean "${suggestion}"? Its options are: ${known.join(", ")}.`,
      )
  }
}

/**
 * Checks that an argument is a string with at least one character. The error message starts with
 * `what` (the name of the argument) and ends with `fix` (a sentence that explains the solution).
 *
 * @throws AgentStatechartsError `argument_invalid`
 */
export function checkText(value: unknown, what: string, fix: string): void {
  if (typeof value !== "string" || value === "")
    refuseArgument(
      `${what} must be ${value === "" ? "a string that is not empty" : "a string"}, but is ${describeArgument(value)}. ${fix}`,
    )
}
