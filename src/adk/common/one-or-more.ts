/** One callback or a list of callbacks. Callbacks run in order until one returns a result. */
export type OneOrMore<Callback> = Callback | readonly Callback[]

export const listOf = <Callback>(callbacks: OneOrMore<Callback> | undefined): readonly Callback[] =>
  callbacks === undefined ? [] : isList(callbacks) ? callbacks : [callbacks]

/** Like `Array.isArray`, but also narrows the type of a readonly list of callbacks. */
const isList = <Callback>(callbacks: OneOrMore<Callback>): callbacks is readonly Callback[] =>
  Array.isArray(callbacks)
