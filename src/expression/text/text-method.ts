import type { CallArguments } from "../collections/call-arguments.js"
import type { Value } from "../values/values.js"

/**
 * Implements a method of Python's `str` for conditions. For wrong arguments, throws
 * `ConditionFailed` with the same message as Python.
 */
export type TextMethod = (text: string, args: CallArguments) => Value
