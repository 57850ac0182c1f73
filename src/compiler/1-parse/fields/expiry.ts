import type { OnExpiry } from "../../../machines/contract/activity.js"
import { duration } from "./duration.js"
import { optional } from "./field-table.js"
import { oneOf } from "./plain-values.js"

/**
 * The config fields in the `args` of a tool that set when its requests to a person expire, and the
 * effect of the expiry.
 */
export const expiryFields = {
  expiresIn: optional(duration),
  onExpiry: optional(oneOf(["reject", "fail", "continue"])),
}

/** Sets when a request to a person or a long-running tool expires, and the effect of the expiry. */
export interface Expiry {
  /** Time until the request expires, in milliseconds. Null if the request never expires. */
  readonly expiresInMs: number | null
  /** The effect when the request expires. Null selects the default for this kind of request. */
  readonly onExpiry: OnExpiry | null
}

/** Returns the expiry settings in the parsed `args` of a tool. */
export const expiryOf = ({
  expiresIn,
  onExpiry,
}: {
  readonly expiresIn: number | null
  readonly onExpiry: OnExpiry | null
}): Expiry => ({ expiresInMs: expiresIn, onExpiry })
