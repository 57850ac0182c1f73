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
 * Creates a JSONata expression that serves only to access functions. It contains the built-in
 * functions, and other functions can be registered on it. {@link functionsOf} returns them in
 * JSONata's internal form.
 */
export const functionHolder = (): jsonata.Expression => jsonata("$found()")

/**
 * Returns the functions with these names in JSONata's internal form. Only a function that an
 * expression calls has access to JSONata's functions. Therefore the expression `holder` is
 * evaluated once, and calls such a function.
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
