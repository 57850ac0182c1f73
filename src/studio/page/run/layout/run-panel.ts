import type { ComponentChildren } from "preact"

/**
 * A panel in the view of a run. It is shown as a tab to the right of the drawing (`side`) or below
 * the drawing (`bottom`).
 */
export interface RunPanel {
  readonly id: string
  readonly name: string
  readonly dock: "side" | "bottom"
  /** Content of the panel. It is rendered only while the panel is selected. */
  readonly content: ComponentChildren
}
