import type { ComponentChildren } from "preact"

/** A panel of the run view. It is a tab in the dock on the right of the drawing or below it. */
export interface RunPanel {
  readonly id: string
  readonly name: string
  readonly dock: "side" | "bottom"
  /** Rendered only while the panel is selected. */
  readonly content: ComponentChildren
}
