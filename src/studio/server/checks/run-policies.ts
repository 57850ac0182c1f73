import { isJsonObject } from "../../../machines/data/json-object.js"
import type { JournalHeader } from "../../../runtime/journal/journal.js"
import type { RunWithChart } from "../../api.js"

/**
 * Returns the policies that apply to a run, and the counterexample that the run executes. Each is
 * null if there is none.
 */
export function policiesOfRun({
  policies,
  about,
}: JournalHeader): Pick<RunWithChart, "policies" | "counterexample"> {
  const played = about?.["counterexample"]
  // Another program may have written `about`.
  const { policy, file, line, seq } = isJsonObject(played) ? played : {}
  return {
    policies:
      policies === undefined
        ? null
        : {
            enforce: policies.enforce,
            names: policies.sets.flatMap((set) => set.policies.map(({ name }) => name)),
          },
    counterexample:
      typeof policy === "string" &&
      typeof file === "string" &&
      typeof line === "number" &&
      typeof seq === "number"
        ? { policy, file, line, seq }
        : null,
  }
}
