import jsonata from "jsonata"

/**
 * The `this` object with which JSONata calls a built-in function. `environment.lookup` returns the
 * value of a variable or function by name.
 */
export interface FunctionFocus {
  readonly environment: { lookup(name: string): unknown }
}

/**
 * JSONata's internal representation of a function, which consists of an implementation and a
 * signature.
 */
interface FunctionDefinition {
  readonly implementation: (this: unknown, ...args: unknown[]) => unknown
}

/**
 * Creates a JSONata expression on which functions can be registered. {@link functionsOf} then
 * returns these functions in JSONata's internal form.
 */
export const functionHolder = (): jsonata.Expression => jsonata("$found()")

/**
 * Returns the functions with these names in JSONata's internal form. Evaluates the expression
 * `holder` once, because JSONata passes its environment only to functions that an expression calls.
 */
export async function functionsOf(
  holder: jsonata.Expression,
  names: readonly string[],
): Promise<ReadonlyMap<string, FunctionDefinition>> {
  const found = new Map<string, FunctionDefinition>()
  holder.registerFunction("found", function (this: FunctionFocus) {
    for (const name of names) found.set(name, this.environment.lookup(name) as FunctionDefinition)
  })
  await holder.evaluate(undefined)
  return found
}
