import type { ConfigLocation } from "../../diagnostics/config-location.js"

/**
 * An id of an agent, tool or node, with the location in the config that defines it or refers to it.
 */
export interface Named {
  readonly id: string
  readonly location: ConfigLocation
}
