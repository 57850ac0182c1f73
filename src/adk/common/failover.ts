import { AgentStatechartsError } from "../../errors.js"

/**
 * The failures of previous attempts: all keys that have failed, and the last error. A router
 * receives them when it is called again.
 */
export interface RouterError {
  readonly failedKeys: ReadonlySet<string>
  readonly lastError: unknown
}

/**
 * A function that chooses the item to run, such as a model or an agent, and returns its key. It is
 * called again if the item fails. If it then returns undefined, the last error is thrown.
 */
export type Router<Item, Input> = (
  items: Readonly<Record<string, Item>>,
  input: Input,
  errorContext?: RouterError,
) => Promise<string | undefined> | string | undefined

/**
 * Runs the item that a router chooses. If the item fails before its first result, the router is
 * called again. Rethrows the error if the router then returns undefined or a key that has already
 * failed.
 *
 * @param owner Subject of the error message, such as `the RoutedAgent "desk"`.
 * @throws AgentStatechartsError `unknown_route` if the router chooses an item that does not exist,
 * or if its first choice is undefined.
 */
export async function* runWithRouting<Item, Input, Result>(
  owner: string,
  items: Readonly<Record<string, Item>>,
  choose: (errorContext?: RouterError) => ReturnType<Router<Item, Input>>,
  run: (item: Item) => AsyncGenerator<Result, void, void>,
): AsyncGenerator<Result, void, void> {
  const failedKeys = new Set<string>()
  let key = await choose()
  for (;;) {
    const item = key === undefined || !Object.hasOwn(items, key) ? undefined : items[key]
    if (key === undefined || item === undefined) throw unknownChoice(owner, items, key)
    let hasResult = false
    try {
      for await (const result of run(item)) {
        hasResult = true
        yield result
      }
      return
    } catch (lastError) {
      if (hasResult) throw lastError
      failedKeys.add(key)
      key = await choose({ failedKeys, lastError })
      if (key === undefined || failedKeys.has(key)) throw lastError
    }
  }
}

const unknownChoice = (owner: string, items: object, key: string | undefined): Error =>
  new AgentStatechartsError(
    "unknown_route",
    `the router of ${owner} chose ${key === undefined ? "nothing" : JSON.stringify(key)}; return one of these keys: ${Object.keys(items).join(", ")}`,
  )

/**
 * Returns the items that a router can choose, such as models or agents, by key. If `items` is a
 * list, the keys are the names of the items.
 */
export const candidatesOf = <Item>(
  items: Readonly<Record<string, Item>> | readonly Item[],
  nameOf: (item: Item) => string,
): Readonly<Record<string, Item>> =>
  isList(items) ? Object.fromEntries(items.map((item) => [nameOf(item), item])) : items

/**
 * Returns whether the items are a list. Unlike `Array.isArray`, narrows the type of a readonly
 * list.
 */
const isList = <Item>(
  items: Readonly<Record<string, Item>> | readonly Item[],
): items is readonly Item[] => Array.isArray(items)
