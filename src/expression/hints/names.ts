import { hintTable } from "../syntax/hint-table.js"
import { builtinNames, methodNames } from "../syntax/language.js"

/**
 * Names that users commonly write for the session state. The only valid name is `session_state`.
 */
export const stateNames: ReadonlySet<string> = new Set(
  "session_state state sessionState session ctx context tool_context callback_context this self".split(
    " ",
  ),
)

/**
 * Maps each name to its spelling in Python. Each key is a Python name, and its value lists the
 * names of other languages, such as `null` for `None`.
 */
const meanings = hintTable({
  session_state: [...stateNames].join(" "),
  True: "true TRUE",
  False: "false FALSE",
  None: "null Null NULL undefined none NONE nil NoneType",
  "float('nan')": "NaN",
  "float('inf')": "Infinity",
})

const functions = hintTable({
  "Write isinstance(value, str)": "type typeof",
  "Write 'key' in session_state": "hasattr exists defined isset",
  "Write session_state.get('key')": "getattr",
  "Write 'word' in value": "contains includes",
  "Write len(value)": "length size count",
  "Write value.lower()": "lowercase",
  "Write value.upper()": "uppercase",
  "Write value.strip()": "trim",
  "Write int(value)": "parseInt",
  "Write float(value)": "parseFloat Number",
  "Write str(value)": "String",
  "Write bool(value)": "Boolean",
  "Write not value": "empty isEmpty is_empty",
  "Write value != value": "isNaN",
  "Write int(value // 1)": "floor",
  "Write -int(-value // 1)": "ceil",
  "Write value ** 0.5": "sqrt",
  "Write value ** 2": "pow",
  "Write value // 2 and value % 2": "divmod",
  "Write sum(values) / len(values)": "avg mean average",
  "Write any(item > 3 for item in values)": "some",
  "Write all(item > 3 for item in values)": "every",
  "Write the comprehension over the value itself": "iter",
  "Write set(values)": "frozenset",
  "A condition only computes a value. Remove print()": "print",
  "A condition reads the session state only, never files": "open",
  "Write the expression itself": "eval exec",
  "Compare the characters themselves: 'a' <= value <= 'z'": "ord",
  "Values of the state are data and never functions": "callable",
})

/**
 * The syntactic position of an unknown name: a value, a called function, a key in brackets or an
 * operand of a comparison. It selects the suggested fix.
 */
export type NameUse = "value" | "callee" | "key" | "compared"

/** Returns the suggested fix for an unknown name in a condition. */
export function nameHint(id: string, use: NameUse): string {
  if (use === "callee") return functionHint(id)
  const meaning = meanings.get(id)
  if (meaning !== undefined) return `Did you mean "${meaning}"?`
  if (use === "key") return `Put quotes around the key: '${id}'`
  const read = `To read a key of the state, write session_state.get('${id}')`
  return use === "compared" ? `For the text, write '${id}'. ${read}` : read
}

function functionHint(id: string): string {
  const known = functions.get(id)
  if (known !== undefined) return known
  if (methodNames.has(id)) return `Write it behind the value: value.${id}(...)`
  const suggestion = [...builtinNames].find((name) => name === id.toLowerCase())
  if (suggestion !== undefined) return `Did you mean "${suggestion}"?`
  return `The functions are ${[...builtinNames].join(", ")}`
}
