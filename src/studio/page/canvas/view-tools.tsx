import type { DrawingView } from "./use-drawing.js"

interface ViewToolsProps {
  readonly view: DrawingView
  readonly onChange: (change: Partial<DrawingView>) => void
}

const details: Readonly<Record<DrawingView["detail"], string>> = {
  agents: "Agents",
  tools: "Tools and keys",
  all: "Exits and failures",
  statechart: "Full statechart",
}

const isDetail = (value: string): value is DrawingView["detail"] => Object.hasOwn(details, value)

/**
 * Component with controls that select the detail level and the direction of drawings, and show or
 * hide the legend.
 */
export function ViewTools({ view, onChange }: ViewToolsProps) {
  const isRight = view.direction === "right"
  return (
    <div class="view-tools" role="group" aria-label="Drawing">
      <select
        aria-label="Detail"
        value={view.detail}
        onChange={({ currentTarget }) => {
          const { value } = currentTarget
          if (isDetail(value)) onChange({ detail: value })
        }}
      >
        {Object.entries(details).map(([detail, name]) => (
          <option key={detail} value={detail}>
            {name}
          </option>
        ))}
      </select>
      <button
        type="button"
        aria-pressed={isRight}
        title="Draw sequences from left to right"
        onClick={() => onChange({ direction: isRight ? "down" : "right" })}
      >
        Left to right
      </button>
      <button
        type="button"
        aria-pressed={view.legend}
        onClick={() => onChange({ legend: !view.legend })}
      >
        Legend
      </button>
    </div>
  )
}
