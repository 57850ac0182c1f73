import { hintTable } from "../syntax/hint-table.js"

const modules = hintTable({
  "Write 'word' in value, value.startswith('a') or value.endswith('z')": "re regex RegExp",
  "Store the value as an object, for example with outputSchema, and read its keys: session_state['result']['score']":
    "json JSON",
  "Conditions have no clock: let a tool or an agent write the time to a key of the state":
    "datetime time date Date",
  "Conditions have no random numbers: let a tool or an agent write one to a key of the state":
    "random uuid secrets",
  "A condition reads the session state only": "os sys process console requests subprocess",
  "Use the operators: //, % and **": "math Math",
  "Write sum(values) / len(values)": "statistics",
  "Write sum(values) / len(values), min(values) or max(values)": "np numpy",
  "Write a comprehension": "itertools",
  "Write a comprehension, or sum(...)": "functools",
  "Write value.count(item), or set(values)": "collections",
  "Write the operator itself": "operator",
  "Use the methods of the text, such as value.isalpha()": "string",
  "Use the methods of the dict: .keys(), .values(), .items()": "Object",
  "Write isinstance(value, list)": "Array",
  "Write float(value)": "Number",
  "Write str(value)": "String",
})

const members = hintTable({
  "Write int(value // 1)": "floor",
  "Write -int(-value // 1)": "ceil",
  "Write int(value)": "trunc",
  "Write value ** 0.5": "sqrt",
  "Write value ** 2": "pow",
  "Write abs(value)": "abs fabs",
  "Write round(value)": "round",
  "Write max(values)": "max",
  "Write min(values)": "min",
  "Write sum(values)": "sum fsum",
  "Write value != value": "isnan",
  "Write value == float('inf')": "isinf",
  "Write 3.141592653589793": "pi",
  "Write float('inf')": "inf",
  "Write float('nan')": "nan",
})

/**
 * Returns the suggested fix for a use of a module or of a JavaScript global, such as `math.floor`
 * or `Date.now`. Returns null if there is no suggestion for the name.
 */
export function moduleHint(name: string, member: string): string | null {
  const hint = modules.get(name)
  if (hint === undefined) return null
  const isMath = ["math", "Math", "np", "numpy", "statistics"].includes(name)
  return (isMath ? members.get(member) : undefined) ?? hint
}
