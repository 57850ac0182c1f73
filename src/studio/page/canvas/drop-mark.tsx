import type { DropTarget } from "./use-state-drag.js"
import type { CanvasView } from "./view.js"

/** Component that marks the position in the drawing where a dragged agent would be dropped. */
export function DropMark({
  dropTarget: { placement, mark },
  view,
}: {
  readonly dropTarget: DropTarget
  readonly view: CanvasView
}) {
  return (
    <div
      class={"into" in placement ? "drop-mark is-inside" : "drop-mark"}
      style={{
        left: `${mark.x * view.scale + view.x}px`,
        top: `${mark.y * view.scale + view.y}px`,
        width: `${mark.width * view.scale}px`,
        height: `${mark.height * view.scale}px`,
      }}
    />
  )
}
