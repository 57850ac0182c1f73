import type { CallArguments } from "../collections/call-arguments.js"
import type { Value } from "../values/values.js"

/** A method of a Python string. Throws ConditionFailed, with Python's message, for wrong arguments. */
export type TextMethod = (text: string, args: CallArguments) => Value
