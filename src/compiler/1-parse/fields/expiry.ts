import type { OnExpiry } from "../../../machines/contract/activity.js"
import { duration } from "./duration.js"
import { optional } from "./field-table.js"
import { oneOf } from "./plain-values.js"

/** The fields for the expiry of requests, for the `args` of a tool. */
export const expiryFields = {
  expiresIn: optional(duration),
  onExpiry: optional(oneOf(["reject", "fail", "continue"])),
}

/** When a request expires, and what happens then. */
export interface Expiry {
  /** In milliseconds; null: never. */
  readonly expiresInMs: number | null
  /** Null: the default of the request kind. */
  readonly onExpiry: OnExpiry | null
}

/** Returns the expiry that the `args` of a tool define. */
export const expiryOf = ({
  expiresIn,
  onExpiry,
}: {
  readonly expiresIn: number | null
  readonly onExpiry: OnExpiry | null
}): Expiry => ({ expiresInMs: expiresIn, onExpiry })
