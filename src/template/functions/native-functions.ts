import jsonata from "jsonata"

/** What JSONata passes to a built-in function as `this`. */
export interface FunctionFocus {
  readonly environment: { lookup(name: string): unknown }
}

/** How JSONata keeps a function: its code beside its signature. */
interface FunctionDefinition {
  readonly implementation: (this: unknown, ...args: unknown[]) => unknown
}

/** An expression that only calls {@link functionsOf}. */
export const functionHolder = (): jsonata.Expression => jsonata("$found()")

/** The functions that a holder knows by these names. JSONata shows them to a function that is called, and to nobody else. */
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
