import { report } from "../../diagnostics/config-location.js"
import { describeValue } from "../../diagnostics/show.js"
import type { LocatedId } from "../config/named.js"
import type { Reader } from "./field-table.js"
import { refuseType } from "./plain-values.js"

const longest = 128
const allowed = /^[A-Za-z0-9_][A-Za-z0-9_.-]*$/
const transferTool = "transfer_to_agent"

/**
 * Parses an id. Ids become names of states, function names for models and parts of URLs, so only
 * characters that are safe in all three are allowed. An invalid id is reported but still returned,
 * so that references to it do not cause further errors.
 */
export const identifier: Reader<string> = (value, location) => {
  if (typeof value !== "string")
    return refuseType(value, location, "a string", 'a string such as "writer"')
  if (value === transferTool) {
    report(location, {
      code: "reserved_name",
      problem: `is "${transferTool}", which is reserved for the handoff tool`,
      fix: "Choose another id.",
    })
  } else if (value in Object.prototype || value === "prototype") {
    report(location, {
      code: "reserved_name",
      problem: `is "${value}", which is a reserved name in JavaScript`,
      fix: "Choose another id.",
    })
  } else if (value.length > longest || !allowed.test(value)) {
    report(location, {
      code: "bad_id",
      problem: value === "" ? "is empty" : `is ${describeValue(value)}, which is not a valid id`,
      fix: `Use letters, digits, "_", "-" and ".", starting with a letter, a digit or "_", and at most ${longest} characters.`,
    })
  }
  return value
}

/**
 * Parses a reference to an agent, a tool or a node by id. The resolve phase of the compiler checks
 * that the id exists.
 */
export const reference: Reader<LocatedId> = (value, location) =>
  typeof value === "string"
    ? { id: value, location }
    : refuseType(value, location, "an id", 'an id such as "writer"')
