/** Returns the state without keys that start with `_`, which the library uses internally. */
export const withoutPrivateKeys = (
  state: Readonly<Record<string, unknown>>,
): Record<string, unknown> =>
  Object.fromEntries(Object.entries(state).filter(([key]) => !key.startsWith("_")))
