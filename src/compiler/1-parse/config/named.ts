import type { ConfigLocation } from "../../diagnostics/config-location.js"

/** An id of an agent, tool or node, with the location of this id in the config. */
export interface LocatedId {
  readonly id: string
  readonly location: ConfigLocation
}
