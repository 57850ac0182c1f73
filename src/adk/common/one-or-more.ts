/**
 * One callback or a list of callbacks. Callbacks run in order until one of them returns a result.
 */
export type OneOrMore<Callback> = Callback | readonly Callback[]

export const listOf = <Callback>(callbacks: OneOrMore<Callback> | undefined): readonly Callback[] =>
  callbacks === undefined ? [] : isList(callbacks) ? callbacks : [callbacks]

/**
 * Returns whether the callbacks are a list. Unlike `Array.isArray`, narrows the type of a readonly
 * list.
 */
const isList = <Callback>(callbacks: OneOrMore<Callback>): callbacks is readonly Callback[] =>
  Array.isArray(callbacks)
