/**
 * Returns the session state without keys that start with `_`, which this package uses internally.
 */
export const withoutPrivateKeys = (
  state: Readonly<Record<string, unknown>>,
): Record<string, unknown> =>
  Object.fromEntries(Object.entries(state).filter(([key]) => !key.startsWith("_")))
