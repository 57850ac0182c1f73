import jsonata from "jsonata"

/** The `this` value that JSONata passes to a built-in function. */
export interface FunctionFocus {
  readonly environment: { lookup(name: string): unknown }
}

/** A function in JSONata's environment. It also has a signature. */
interface FunctionDefinition {
  readonly implementation: (this: unknown, ...args: unknown[]) => unknown
}

/**
 * Returns an expression on which functions can be registered. {@link functionsOf} reads them again.
 */
export const functionHolder = (): jsonata.Expression => jsonata("$found()")

/**
 * Returns the functions with these names in the environment of an expression. JSONata only exposes
 * its environment to a called function, so this evaluates the expression once.
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
