import type { ComponentChildren } from "preact"

/**
 * A panel of the run view. It is shown as a tab of the dock to the right of the drawing or of the
 * dock below it.
 */
export interface RunPanel {
  readonly id: string
  readonly name: string
  readonly dock: "side" | "bottom"
  /** The content of the panel. It is rendered only while the panel is selected. */
  readonly content: ComponentChildren
}
