import type { OnExpiry } from "../../../machines/contract/activity.js"
import { duration } from "./duration.js"
import { optional } from "./field-table.js"
import { oneOf } from "./plain-values.js"

/** How long requests stay open, and what it means when nobody has answered by then. */
export const expiryFields = {
  expiresIn: optional(duration),
  onExpiry: optional(oneOf(["reject", "fail", "continue"])),
}

export interface Expiry {
  /** In milliseconds; null: for ever. */
  readonly expiresInMs: number | null
  /** Absent: what is usual for the kind of request. */
  readonly onExpiry?: OnExpiry
}

export const expiryOf = ({
  expiresIn,
  onExpiry,
}: {
  readonly expiresIn: number | null
  readonly onExpiry: OnExpiry | null
}): Expiry => ({
  expiresInMs: expiresIn,
  ...(onExpiry !== null && { onExpiry }),
})

/** The two of a config, for what is made of it. */
export const expiryIn = ({ expiresInMs, onExpiry }: Expiry): Expiry => ({
  expiresInMs,
  ...(onExpiry !== undefined && { onExpiry }),
})
