import { useEffect, useRef, useState } from "preact/hooks"
import type { AgentActivity } from "./agent-activity.js"

interface ChartViewProps {
  readonly svg: string
  /** The agents and transitions to highlight. Absent if the chart is shown without a run. */
  readonly activity?: AgentActivity
  readonly onAgent?: (agent: string) => void
}

/** CSS classes of highlighted states and transitions. */
const highlights = ["is-active", "is-waiting", "is-finished", "is-failed", "is-walked"]

/** Shows the drawing of a chart. For a run, highlights its agents by status. */
export function ChartView({ svg, activity, onAgent }: ChartViewProps) {
  const container = useRef<HTMLDivElement>(null)
  /** 1 is the actual size. null fits the drawing into its container. */
  const [scale, setScale] = useState<number | null>(null)

  useEffect(() => {
    const box = container.current
    if (box === null) return
    // The drawing comes from the server of the studio. The content security policy blocks scripts.
    box.innerHTML = svg
    const drawing = box.querySelector("svg")
    drawing?.setAttribute("aria-label", drawing.querySelector("title")?.textContent ?? "statechart")
    drawing?.querySelector("title")?.remove()
  }, [svg])

  useEffect(() => {
    const drawing = container.current?.querySelector("svg")
    if (drawing == null) return
    const { width } = drawing.viewBox.baseVal
    drawing.style.width = scale === null ? "" : `${width * scale}px`
    drawing.style.height = scale === null ? "" : "auto"
    // A small chart is not enlarged to the size of its container.
    drawing.style.maxWidth = scale === null ? `${1.4 * width}px` : "none"
  }, [svg, scale])

  useEffect(() => {
    const box = container.current
    if (box === null) return
    for (const name of highlights)
      for (const element of box.querySelectorAll(`.${name}`)) element.classList.remove(name)
    if (activity === undefined) return
    const statesOf = (agent: string): readonly Element[] => [
      ...box.querySelectorAll(`[data-agents~="${CSS.escape(agent)}"]`),
    ]
    const highlight = (agents: ReadonlySet<string>, name: string): void => {
      for (const agent of agents) for (const state of statesOf(agent)) state.classList.add(name)
    }
    highlight(activity.finished, "is-finished")
    highlight(activity.failed, "is-failed")
    highlight(activity.active, "is-active")
    highlight(activity.waiting, "is-waiting")
    for (const [from, to] of activity.transitions) {
      for (const start of statesOf(from))
        for (const end of statesOf(to)) {
          const [one, other] = [
            start.getAttribute("data-state") ?? "",
            end.getAttribute("data-state") ?? "",
          ]
          for (const wire of box.querySelectorAll(
            `.wire[data-from="${CSS.escape(one)}"][data-to="${CSS.escape(other)}"]`,
          ))
            wire.classList.add("is-walked")
        }
    }
  }, [svg, activity])

  const selectAgent = (event: MouseEvent): void => {
    const agents = (event.target as Element | null)
      ?.closest("[data-agents]")
      ?.getAttribute("data-agents")
    if (agents != null && !agents.includes(" ")) onAgent?.(agents)
  }
  return (
    <section class="chart" aria-label="Statechart">
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
