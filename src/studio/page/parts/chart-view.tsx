import { useEffect, useRef, useState } from "preact/hooks"
import type { AgentActivity } from "./agent-activity.js"

interface ChartViewProps {
  readonly svg: string
  /** What is lit; nothing while a chart is only looked at. */
  readonly work?: AgentActivity
  readonly onAgent?: (agent: string) => void
}

const marks = ["is-active", "is-waiting", "is-finished", "is-failed", "is-walked"]

/** The drawing of a chart. While a run is shown, its states say who is at work. */
export function ChartView({ svg, work, onAgent }: ChartViewProps) {
  const place = useRef<HTMLDivElement>(null)
  /** Of the real size; null fits the drawing into its place. */
  const [scale, setScale] = useState<number | null>(null)

  useEffect(() => {
    const box = place.current
    if (box === null) return
    // The server has drawn it: it holds no script, and the page's policy would not run one.
    box.innerHTML = svg
    const drawing = box.querySelector("svg")
    drawing?.setAttribute("aria-label", drawing.querySelector("title")?.textContent ?? "statechart")
    drawing?.querySelector("title")?.remove()
  }, [svg])

  useEffect(() => {
    const drawing = place.current?.querySelector("svg")
    if (drawing == null) return
    const { width } = drawing.viewBox.baseVal
    drawing.style.width = scale === null ? "" : `${width * scale}px`
    drawing.style.height = scale === null ? "" : "auto"
    // A small chart is not blown up to the size of its place.
    drawing.style.maxWidth = scale === null ? `${1.4 * width}px` : "none"
  }, [svg, scale])

  useEffect(() => {
    const box = place.current
    if (box === null) return
    for (const name of marks)
      for (const element of box.querySelectorAll(`.${name}`)) element.classList.remove(name)
    if (work === undefined) return
    const statesOf = (agent: string): readonly Element[] => [
      ...box.querySelectorAll(`[data-agents~="${CSS.escape(agent)}"]`),
    ]
    const mark = (agents: ReadonlySet<string>, name: string): void => {
      for (const agent of agents) for (const state of statesOf(agent)) state.classList.add(name)
    }
    mark(work.finished, "is-finished")
    mark(work.failed, "is-failed")
    mark(work.active, "is-active")
    mark(work.waiting, "is-waiting")
    for (const [from, to] of work.transitions) {
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
  }, [svg, work])

  const choose = (event: MouseEvent): void => {
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
          Real size
        </button>
        <button type="button" aria-pressed={scale === null} onClick={() => setScale(null)}>
          Fit
        </button>
      </div>
      {/* A drawing may be larger than its place: then it is scrolled, also with the keys. */}
      <div
        class={scale === null ? "drawing is-whole" : "drawing"}
        ref={place}
        tabIndex={0}
        role="group"
        aria-label="Drawing of the statechart"
        onClick={choose}
      />
    </section>
  )
}
