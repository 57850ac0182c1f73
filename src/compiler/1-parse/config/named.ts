import type { ConfigLocation } from "../../diagnostics/config-location.js"

/** An id or a reference to an id, with its location in the config. */
export interface Named {
  readonly id: string
  readonly at: ConfigLocation
}
