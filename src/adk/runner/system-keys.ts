import { isHiddenKey } from "../../machines/data/session-state.js"
import { systemKey, systemKeys } from "../../machines/data/system-keys.js"
import { isSummaryKey } from "../callbacks/summary-key.js"

/**
 * Returns a copy of the state without this package's system keys, which do not exist in ADK. Keeps
 * `branch_errors`, because agents can read it.
 */
export const withoutSystemKeys = (
  state: Readonly<Record<string, unknown>>,
): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(state).filter(
      ([key]) =>
        (!systemKeys.has(key) || key === systemKey.branchErrors) &&
        !isSummaryKey(key) &&
        !isHiddenKey(key),
    ),
  )
