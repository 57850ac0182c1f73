import { useEffect, useMemo, useRef, useState } from "preact/hooks"
import { agentAt, DrawnChart, highlightStyles } from "../../../run-chart/drawn-chart.js"
import type { AgentActivity } from "../../../serving/display/agent-activity.js"
import type { DrawnState, FoundState } from "../canvas/drawn-states.js"
import type { Redraw } from "../client/redraw.js"
import { drawnStates } from "../canvas/drawn-states.js"
import { Minimap } from "../canvas/minimap.js"
import { StateSearch } from "../canvas/state-search.js"
import { useDrawing } from "../canvas/use-drawing.js"
import { usePanZoom } from "../canvas/use-pan-zoom.js"
import type { CanvasSize } from "../canvas/view.js"
import { centerOn, showsBox, zoomAt } from "../canvas/view.js"
import { ViewTools } from "../canvas/view-tools.js"
import "./chart-view.css"

interface ChartViewProps {
  readonly svg: string
  /** The agents and transitions to highlight. Absent if the chart is shown without a run. */
  readonly activity?: AgentActivity
  /** The selected agent. Its state is outlined, and moved into view when the agent changes. */
  readonly selected?: string | null
  /** Draws the chart with other options. Absent if the options cannot be changed. */
  readonly redraw?: Redraw
  readonly onAgent?: (agent: string) => void
}

/**
 * Minimum ratio of the size of the drawing to the size of the canvas at which the minimap is shown.
 */
const minimapFrom = 1.4

/**
 * Shows the drawing of a chart on a canvas that can be moved and scaled. For a run, highlights its
 * agents by status.
 */
export function ChartView({
  svg: given,
  activity,
  selected = null,
  redraw,
  onAgent,
}: ChartViewProps) {
  const chosen = useDrawing(given, redraw)
  const { svg } = chosen
  const container = useRef<HTMLDivElement>(null)
  const drawn = useRef<DrawnChart | null>(null)
  const [drawing, setDrawing] = useState<CanvasSize | null>(null)
  const [states, setStates] = useState<readonly DrawnState[]>([])
  /** The agent or state to move into view when the next drawing, which contains it, is loaded. */
  const awaited = useRef<string | null>(null)
  const { view, canvas, isFitted, wasDragged, show, zoom, fit, onKey } = usePanZoom(
    container,
    drawing,
    `${chosen.view.direction} ${chosen.view.detail}`,
  )

  useEffect(() => {
    if (container.current === null) return
    const chart = new DrawnChart(container.current, svg)
    drawn.current = chart
    const { width, height } = chart.svg.viewBox.baseVal
    setDrawing({ width, height })
    setStates(drawnStates(chart.svg))
  }, [svg])

  useEffect(() => {
    const element = drawn.current?.svg
    if (element !== undefined)
      element.style.transform = `translate(${view.x}px, ${view.y}px) scale(${view.scale})`
  }, [svg, view])

  useEffect(() => {
    if (activity !== undefined) drawn.current?.highlight(activity)
  }, [svg, activity])

  useEffect(() => {
    const marked = states.filter(({ agents, isFolded }) =>
      isFolded ? agents.includes(selected ?? "") : agents[0] === selected,
    )
    for (const { element } of marked) element.classList.add("is-selected")
    const [first] = marked
    if (first !== undefined && !showsBox(view, first.box, canvas))
      show((before, size) => centerOn(before, first.box, size))
    return () => {
      for (const { element } of marked) element.classList.remove("is-selected")
    }
    // The selection moves the view once. After this, the user moves it.
  }, [states, selected])

  const bringIntoView = (state: DrawnState): void => {
    show((before, size) => centerOn(before, state.box, size))
    for (const { element } of states) element.classList.remove("is-found")
    state.element.classList.add("is-found")
  }
  useEffect(() => {
    const name = awaited.current
    const state = states.find(({ id, agents, isFolded }) =>
      isFolded ? false : agents[0] === name || id === name,
    )
    if (name === null || state === undefined) return
    awaited.current = null
    bringIntoView(state)
  }, [states])

  const isLarger = useMemo(
    () =>
      drawing !== null &&
      canvas.width > 0 &&
      Math.max(drawing.width / canvas.width, drawing.height / canvas.height) * view.scale >
        minimapFrom,
    [drawing, view, canvas],
  )
  const openState = (id: string, name: string): void => {
    awaited.current = name
    chosen.open(id)
  }
  const select = (event: MouseEvent): void => {
    if (wasDragged()) return
    const target = event.target instanceof Element ? event.target : null
    const folded = target?.closest("[data-state]")?.closest("[data-folded]")
    const id = folded?.getAttribute("data-state") ?? null
    if (id !== null && redraw !== undefined) return openState(id, id)
    const agent = agentAt(event.target)
    if (agent !== null) onAgent?.(agent)
  }
  const find = ({ agent, state }: FoundState): void => {
    if (state.isFolded && agent !== null && redraw !== undefined) openState(agent, agent)
    else bringIntoView(state)
    if (agent !== null) onAgent?.(agent)
  }
  return (
    <section class="chart" aria-label="Statechart">
      <style>{highlightStyles}</style>
      <div class="chart-tools">
        <StateSearch states={states} onFind={find} />
        {redraw !== undefined && <ViewTools view={chosen.view} onChange={chosen.setView} />}
        <div class="zoom-tools" role="group" aria-label="Zoom">
          <button type="button" aria-label="Smaller" onClick={() => zoom(1 / 1.25)}>
            −
          </button>
          <button
            type="button"
            class="scale"
            aria-label={`${Math.round(view.scale * 100)} %, Actual size`}
            title="Actual size"
            aria-pressed={view.scale === 1}
            onClick={() =>
              show((before, { width, height }) =>
                zoomAt(before, { x: width / 2, y: height / 2 }, 1 / before.scale),
              )
            }
          >
            {Math.round(view.scale * 100)} %
          </button>
          <button type="button" aria-label="Larger" onClick={() => zoom(1.25)}>
            +
          </button>
          <button type="button" aria-pressed={isFitted} onClick={fit}>
            Fit
          </button>
          {chosen.opened.length > 0 && (
            <button type="button" onClick={chosen.fold}>
              Fold
            </button>
          )}
        </div>
      </div>
      {chosen.error !== null && (
        <p role="alert" class="trouble">
          {chosen.error}
        </p>
      )}
      <div class="canvas">
        <div
          class="drawing"
          ref={container}
          tabIndex={0}
          role="group"
          aria-label="Drawing of the statechart. The arrow keys move it, plus and minus change its size, 0 shows the whole drawing."
          onClick={select}
          onKeyDown={onKey}
        />
        {drawing !== null && isLarger && (
          <Minimap
            states={states}
            drawing={drawing}
            canvas={canvas}
            view={view}
            onMove={({ x, y }) =>
              show(({ scale }, size) => ({
                scale,
                x: size.width / 2 - x * scale,
                y: size.height / 2 - y * scale,
              }))
            }
          />
        )}
      </div>
    </section>
  )
}
