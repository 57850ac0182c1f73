import { builtinNames, methodNames } from "../syntax/language.js"

/** Names that users commonly write for the state. */
export const stateNames: ReadonlySet<string> = new Set(
  "session_state state sessionState session ctx context tool_context callback_context this self".split(
    " ",
  ),
)

/** Names from other languages with their Python name. */
const meanings: ReadonlyMap<string, string> = new Map([
  ...[...stateNames].map((name): [string, string] => [name, "session_state"]),
  ["true", "True"],
  ["TRUE", "True"],
  ["false", "False"],
  ["FALSE", "False"],
  ["null", "None"],
  ["Null", "None"],
  ["NULL", "None"],
  ["undefined", "None"],
  ["none", "None"],
  ["NONE", "None"],
  ["nil", "None"],
  ["NoneType", "None"],
  ["NaN", "float('nan')"],
  ["Infinity", "float('inf')"],
])

const functions: ReadonlyMap<string, string> = new Map([
  ["type", "Write isinstance(value, str)"],
  ["typeof", "Write isinstance(value, str)"],
  ["hasattr", "Write 'key' in session_state"],
  ["getattr", "Write session_state.get('key')"],
  ["exists", "Write 'key' in session_state"],
  ["defined", "Write 'key' in session_state"],
  ["isset", "Write 'key' in session_state"],
  ["contains", "Write 'word' in value"],
  ["includes", "Write 'word' in value"],
  ["length", "Write len(value)"],
  ["size", "Write len(value)"],
  ["count", "Write len(value)"],
  ["lowercase", "Write value.lower()"],
  ["uppercase", "Write value.upper()"],
  ["trim", "Write value.strip()"],
  ["parseInt", "Write int(value)"],
  ["parseFloat", "Write float(value)"],
  ["Number", "Write float(value)"],
  ["String", "Write str(value)"],
  ["Boolean", "Write bool(value)"],
  ["empty", "Write not value"],
  ["isEmpty", "Write not value"],
  ["is_empty", "Write not value"],
  ["isNaN", "Write value != value"],
  ["floor", "Write int(value // 1)"],
  ["ceil", "Write -int(-value // 1)"],
  ["sqrt", "Write value ** 0.5"],
  ["pow", "Write value ** 2"],
  ["divmod", "Write value // 2 and value % 2"],
  ["avg", "Write sum(values) / len(values)"],
  ["mean", "Write sum(values) / len(values)"],
  ["average", "Write sum(values) / len(values)"],
  ["some", "Write any(item > 3 for item in values)"],
  ["every", "Write all(item > 3 for item in values)"],
  ["iter", "Write the comprehension over the value itself"],
  ["frozenset", "Write set(values)"],
  ["print", "A condition only computes a value. Remove print()"],
  ["open", "A condition reads the session state only, never files"],
  ["eval", "Write the expression itself"],
  ["exec", "Write the expression itself"],
  ["ord", "Compare the characters themselves: 'a' <= value <= 'z'"],
  ["callable", "Values of the state are data and never functions"],
])

/** How an unknown name is used. The suggested fix depends on it. */
export type NameUse = "value" | "callee" | "key" | "compared"

/** Returns the fix for an unknown name. */
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
  const meant = [...builtinNames].find((name) => name === id.toLowerCase())
  if (meant !== undefined) return `Did you mean "${meant}"?`
  return `The functions are ${[...builtinNames].join(", ")}`
}
