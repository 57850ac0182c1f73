import { useEffect, useRef, useState } from "preact/hooks"
import { agentAt, DrawnChart, highlightStyles } from "../../../run-chart/drawn-chart.js"
import type { AgentActivity } from "../../../serving/display/agent-activity.js"
import "./chart-view.css"

interface ChartViewProps {
  readonly svg: string
  /** The agents and transitions to highlight. Absent if the chart is shown without a run. */
  readonly activity?: AgentActivity
  readonly onAgent?: (agent: string) => void
}

/** Shows the drawing of a chart. For a run, highlights its agents by status. */
export function ChartView({ svg, activity, onAgent }: ChartViewProps) {
  const container = useRef<HTMLDivElement>(null)
  const drawn = useRef<DrawnChart | null>(null)
  /** 1 is the actual size. null fits the drawing into its container. */
  const [scale, setScale] = useState<number | null>(null)

  useEffect(() => {
    if (container.current !== null) drawn.current = new DrawnChart(container.current, svg)
  }, [svg])

  useEffect(() => {
    const drawing = drawn.current?.svg
    if (drawing === undefined) return
    const { width } = drawing.viewBox.baseVal
    drawing.style.width = scale === null ? "" : `${width * scale}px`
    drawing.style.height = scale === null ? "" : "auto"
    // A small chart is not enlarged to the size of its container.
    drawing.style.maxWidth = scale === null ? `${1.4 * width}px` : "none"
  }, [svg, scale])

  useEffect(() => {
    if (activity !== undefined) drawn.current?.highlight(activity)
  }, [svg, activity])

  const selectAgent = (event: MouseEvent): void => {
    const agent = agentAt(event.target)
    if (agent !== null) onAgent?.(agent)
  }
  return (
    <section class="chart" aria-label="Statechart">
      <style>{highlightStyles}</style>
      <div class="chart-tools">
        <button
          type="button"
          aria-label="Smaller"
          onClick={() => setScale(Math.max(0.2, (scale ?? 1) / 1.25))}
        >
          −
        </button>
        <button
          type="button"
          aria-label="Larger"
          onClick={() => setScale(Math.min(4, (scale ?? 1) * 1.25))}
        >
          +
        </button>
        <button type="button" aria-pressed={scale === 1} onClick={() => setScale(1)}>
          Actual size
        </button>
        <button type="button" aria-pressed={scale === null} onClick={() => setScale(null)}>
          Fit
        </button>
      </div>
      {/* A drawing that is larger than its container can be scrolled, also with the keyboard. */}
      <div
        class={scale === null ? "drawing is-whole" : "drawing"}
        ref={container}
        tabIndex={0}
        role="group"
        aria-label="Drawing of the statechart"
        onClick={selectAgent}
      />
    </section>
  )
}
