import type { Reader } from "../../fields/field-table.js"
import { identifier } from "../../fields/identifier.js"
import { report } from "../../../diagnostics/config-location.js"

/**
 * Parses the name of an agent. Rejects the name `user`, which ADK uses as the author of the user's
 * messages.
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
