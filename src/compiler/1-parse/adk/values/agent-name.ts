import type { Reader } from "../../fields/field-table.js"
import { identifier } from "../../fields/identifier.js"
import { report } from "../../../diagnostics/config-location.js"

/** ADK calls the person `user` in every history, so no agent may have this name. */
export const agentName: Reader<string> = (value, at) => {
  if (value === "user") {
    report(at, {
      code: "reserved_name",
      says: 'is "user", which is reserved for the user of the agents',
      fix: "Choose another name.",
    })
  }
  return identifier(value, at)
}
