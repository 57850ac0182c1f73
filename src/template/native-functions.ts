import jsonata from "jsonata"

/** What JSONata passes to a built-in function as `this`. */
export interface FunctionFocus {
  readonly environment: { lookup(name: string): unknown }
}

export type NativeFunction = (this: unknown, ...args: unknown[]) => unknown

/** JSONata's own functions by name. They can only be read by evaluating their names. */
export async function nativeFunctions(
  names: readonly string[],
): Promise<ReadonlyMap<string, NativeFunction>> {
  const source = `[${names.map((name) => `$${name}`).join(", ")}]`
  const found: unknown = await jsonata(source).evaluate(undefined)
  const definitions = Array.isArray(found) ? (found as readonly unknown[]) : []
  return new Map(
    names.map((name, index) => {
      const { implementation } = definitions[index] as { readonly implementation: NativeFunction }
      return [name, implementation]
    }),
  )
}
