/** A callback or a list of callbacks. Callbacks run in order until one returns a result. */
export type OneOrMore<Callback> = Callback | readonly Callback[]

export const listOf = <Callback>(given: OneOrMore<Callback> | undefined): readonly Callback[] =>
  given === undefined ? [] : isList(given) ? given : [given]

/** `Array.isArray` does not narrow a readonly list. */
const isList = <Callback>(given: OneOrMore<Callback>): given is readonly Callback[] =>
  Array.isArray(given)
