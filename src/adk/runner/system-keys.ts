import { systemKey, systemKeys } from "../../machines/data/system-keys.js"

/**
 * Returns the state without the system keys, which ADK does not have. `branch_errors` stays, because
 * agents can read it.
 */
export const withoutSystemKeys = (
  state: Readonly<Record<string, unknown>>,
): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(state).filter(([key]) => !systemKeys.has(key) || key === systemKey.branchErrors),
  )
