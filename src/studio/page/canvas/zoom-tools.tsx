interface ZoomToolsProps {
  /** The current scale of the drawing, as the number of screen pixels per pixel of the drawing. */
  readonly scale: number
  readonly onZoom: (factor: number) => void
  /** Called when the user clicks the button **Fit** to see the whole drawing. */
  readonly onFit: () => void
  /**
   * Called when the user clicks the button **Fold** to fold all unfolded states. Absent if no state
   * is unfolded.
   */
  readonly onFold?: () => void
}

const step = 1.25

/** Component with buttons that change the scale of the drawing. */
export function ZoomTools({ scale, onZoom, onFit, onFold }: ZoomToolsProps) {
  const percent = Math.round(scale * 100)
  return (
    <div class="zoom-tools" role="group" aria-label="Zoom">
      <button type="button" aria-label="Smaller" onClick={() => onZoom(1 / step)}>
        −
      </button>
      <button
        type="button"
        class="scale"
        aria-label={`${percent} %, Actual size`}
        title="Actual size"
        onClick={() => onZoom(1 / scale)}
      >
        {percent} %
      </button>
      <button type="button" aria-label="Larger" onClick={() => onZoom(step)}>
        +
      </button>
      <button type="button" title="Show the whole drawing" onClick={onFit}>
        Fit
      </button>
      {onFold !== undefined && (
        <button type="button" title="Fold the opened states" onClick={onFold}>
          Fold
        </button>
      )}
    </div>
  )
}
