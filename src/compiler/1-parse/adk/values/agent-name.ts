import type { Reader } from "../../fields/field-table.js"
import { identifier } from "../../fields/identifier.js"
import { report } from "../../../diagnostics/config-location.js"

/**
 * Reads the name of an agent. Rejects the name `user`, which ADK uses for the person in every
 * history.
 */
export const agentName: Reader<string> = (value, location) => {
  if (value === "user") {
    report(location, {
      code: "reserved_name",
      problem: 'is "user", which is reserved for the user of the agents',
      fix: "Choose another name.",
    })
  }
  return identifier(value, location)
}
