import type { ConfigLocation } from "../../diagnostics/config-location.js"

/** The location in the config of a parsed agent or tool. Error messages use it. */
export interface ReadFrom {
  readonly location: ConfigLocation
  /**
   * Returns the location of a field. For a missing field, returns the location at which it would be
   * written.
   */
  readonly fieldAt: (field: string) => ConfigLocation
}
