const text = "Write 'word' in value, value.startswith('a') or value.endswith('z')"
const clock =
  "Conditions have no clock: let a tool or an agent write the time to a key of the state"
const chance =
  "Conditions have no random numbers: let a tool or an agent write one to a key of the state"
const parsed =
  "Store the value as an object, for example with outputSchema, and read its keys: session_state['result']['score']"
const outside = "A condition reads the session state only"

const modules: ReadonlyMap<string, string> = new Map([
  ["re", text],
  ["regex", text],
  ["RegExp", text],
  ["json", parsed],
  ["JSON", parsed],
  ["datetime", clock],
  ["time", clock],
  ["date", clock],
  ["Date", clock],
  ["random", chance],
  ["uuid", chance],
  ["secrets", chance],
  ["os", outside],
  ["sys", outside],
  ["process", outside],
  ["console", outside],
  ["requests", outside],
  ["subprocess", outside],
  ["math", "Use the operators: //, % and **"],
  ["Math", "Use the operators: //, % and **"],
  ["statistics", "Write sum(values) / len(values)"],
  ["np", "Write sum(values) / len(values), min(values) or max(values)"],
  ["numpy", "Write sum(values) / len(values), min(values) or max(values)"],
  ["itertools", "Write a comprehension"],
  ["functools", "Write a comprehension, or sum(...)"],
  ["collections", "Write value.count(item), or set(values)"],
  ["operator", "Write the operator itself"],
  ["string", "Use the methods of the text, such as value.isalpha()"],
  ["Object", "Use the methods of the dict: .keys(), .values(), .items()"],
  ["Array", "Write isinstance(value, list)"],
  ["Number", "Write float(value)"],
  ["String", "Write str(value)"],
])

const members: ReadonlyMap<string, string> = new Map([
  ["floor", "Write int(value // 1)"],
  ["ceil", "Write -int(-value // 1)"],
  ["trunc", "Write int(value)"],
  ["sqrt", "Write value ** 0.5"],
  ["pow", "Write value ** 2"],
  ["abs", "Write abs(value)"],
  ["fabs", "Write abs(value)"],
  ["round", "Write round(value)"],
  ["max", "Write max(values)"],
  ["min", "Write min(values)"],
  ["sum", "Write sum(values)"],
  ["fsum", "Write sum(values)"],
  ["isnan", "Write value != value"],
  ["isinf", "Write value == float('inf')"],
  ["pi", "Write 3.141592653589793"],
  ["inf", "Write float('inf')"],
  ["nan", "Write float('nan')"],
])

/** Returns the fix for `module.member`, or null if the name is not a well-known module. */
export function moduleHint(name: string, member: string): string | null {
  const hint = modules.get(name)
  if (hint === undefined) return null
  const isMath = ["math", "Math", "np", "numpy", "statistics"].includes(name)
  return (isMath ? members.get(member) : undefined) ?? hint
}
