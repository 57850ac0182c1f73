import type { OnExpiry } from "../../../machines/contract/activity.js"
import { duration } from "./duration.js"
import { optional } from "./field-table.js"
import { oneOf } from "./plain-values.js"

/** The fields in the `args` of a tool that set when its requests expire. */
export const expiryFields = {
  expiresIn: optional(duration),
  onExpiry: optional(oneOf(["reject", "fail", "continue"])),
}

/** When a request to a person or a long-running tool expires, and what happens then. */
export interface Expiry {
  /** Time until the request expires, in milliseconds. null: the request never expires. */
  readonly expiresInMs: number | null
  /** What happens when the request expires. null: the default for this kind of request. */
  readonly onExpiry: OnExpiry | null
}

/** Returns the expiry from the `args` of a tool. */
export const expiryOf = ({
  expiresIn,
  onExpiry,
}: {
  readonly expiresIn: number | null
  readonly onExpiry: OnExpiry | null
}): Expiry => ({ expiresInMs: expiresIn, onExpiry })
