import type { ConfigLocation } from "../../diagnostics/config-location.js"

/** The location in the config from which an agent or a tool was read, for messages about it. */
export interface ReadFrom {
  readonly location: ConfigLocation
  /** Returns the location of a field, or the location at which a missing field would be. */
  readonly fieldAt: (field: string) => ConfigLocation
}
