import jsonata from "jsonata"

/** The `this` object with which JSONata calls a built-in function. */
export interface FunctionFocus {
  readonly environment: { lookup(name: string): unknown }
}

/**
 * A function in the form in which JSONata stores it internally: an implementation and a signature.
 */
interface FunctionDefinition {
  readonly implementation: (this: unknown, ...args: unknown[]) => unknown
}

/**
 * Returns a JSONata expression on which functions can be registered. {@link functionsOf} returns
 * them in the form that JSONata uses internally.
 */
export const functionHolder = (): jsonata.Expression => jsonata("$found()")

/**
 * Returns the functions with these names from the environment of an expression. Evaluates the
 * expression once, because JSONata exposes its environment only to a function that the expression
 * calls.
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
