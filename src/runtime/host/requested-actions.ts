import type { HostOutcome } from "../../machines/contract/host/host-outcome.js"
import type { HostActions } from "./host-function.js"

/**
 * Converts the actions that a host function has requested (such as a transfer) to fields of a
 * `HostOutcome`. The types are checked at run time, because host functions may be written in
 * JavaScript.
 */
export const requestedActions = ({
  escalate,
  transferToAgent,
  skipSummarization,
}: HostActions): Pick<HostOutcome, "escalates" | "transfersTo" | "skipsSummarization"> => ({
  escalates: escalate === true,
  ...(typeof transferToAgent === "string" && { transfersTo: transferToAgent }),
  ...(skipSummarization === true && { skipsSummarization: true }),
})
