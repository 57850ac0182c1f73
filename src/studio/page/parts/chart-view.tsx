import type { ComponentChildren } from "preact"
import { useEffect, useMemo, useRef, useState } from "preact/hooks"
import { agentAt, DrawnChart, highlightStyles } from "../../../run-chart/drawn-chart.js"
import type { AgentActivity } from "../../../serving/display/agent-activity.js"
import type { DrawnState, FoundState } from "../canvas/drawn-states.js"
import type { Redraw } from "../client/redraw.js"
import { drawnStates } from "../canvas/drawn-states.js"
import { Minimap } from "../canvas/minimap.js"
import { StateSearch } from "../canvas/state-search.js"
import { useDrawing } from "../canvas/use-drawing.js"
import { DropMark } from "../canvas/drop-mark.js"
import type { AgentDrags } from "../canvas/use-state-drag.js"
import { draggedAgent, useStateDrag } from "../canvas/use-state-drag.js"
import { usePanZoom } from "../canvas/use-pan-zoom.js"
import type { CanvasSize } from "../canvas/view.js"
import { centerOn, showsBox } from "../canvas/view.js"
import { ViewTools } from "../canvas/view-tools.js"
import { ZoomTools } from "../canvas/zoom-tools.js"
import { ErrorMessage } from "./error-message.js"
import "./chart-view.css"

interface ChartViewProps {
  readonly svg: string
  /**
   * Status of the agents of a run, and the transitions to highlight. Absent if the chart does not
   * belong to a run.
   */
  readonly activity?: AgentActivity
  /**
   * Name of the selected agent. Its state is outlined. When another agent is selected, its state is
   * moved into view.
   */
  readonly selected?: string | null
  /**
   * Name of the agent whose failure ended the run. Its state is moved into view, unless the user
   * has already moved or scaled the drawing.
   */
  readonly failed?: string | null
  /** Function that draws the chart with other options. Absent if the options cannot be changed. */
  readonly redraw?: Redraw
  readonly onAgent?: (agent: string) => void
  /**
   * The agent to move into view as soon as the next drawing is loaded. To show the same agent
   * again, pass a new object.
   */
  readonly revealed?: { readonly agent: string } | null
  /**
   * Called before the drawing handles a key. If the handler calls `preventDefault`, the drawing
   * ignores the key.
   */
  readonly onKey?: (event: KeyboardEvent) => void
  /**
   * Called when the user opens the context menu of an agent. `x` and `y` are coordinates in the
   * browser window.
   */
  readonly onMenu?: (agent: string, x: number, y: number) => void
  /** The rules for dragging agents to other positions. Absent if the chart cannot be edited. */
  readonly drags?: AgentDrags
  /** Content to show between the toolbar and the drawing. */
  readonly children?: ComponentChildren
}

/**
 * Minimum ratio of the width or height of the drawing to the canvas at which the minimap is shown.
 */
const minimapFrom = 1.4

/**
 * Component that shows the drawing of a chart on a canvas, in which the user can move and scale it.
 * For a run, the agents are highlighted by status.
 */
export function ChartView({
  svg: given,
  activity,
  selected = null,
  failed = null,
  redraw,
  onAgent,
  revealed = null,
  onKey: onDrawingKey,
  onMenu,
  drags,
  children,
}: ChartViewProps) {
  const chosen = useDrawing(given, redraw)
  const { svg } = chosen
  const container = useRef<HTMLDivElement>(null)
  const drawn = useRef<DrawnChart | null>(null)
  const [drawing, setDrawing] = useState<CanvasSize | null>(null)
  const [states, setStates] = useState<readonly DrawnState[]>([])
  /**
   * Id of the agent or state to move into view. The view moves when a drawing that contains this
   * agent or state is loaded.
   */
  const awaited = useRef<string | null>(null)
  /**
   * The element on which the pointer was last pressed. If a new drawing replaces the element before
   * the pointer is released, the browser reports no click for it.
   */
  const pressed = useRef<Element | null>(null)
  const { view, canvas, isFitted, wasDragged, show, zoom, fit, onKey } = usePanZoom(
    container,
    drawing,
    `${chosen.view.direction} ${chosen.view.detail}`,
    (event) => draggedAgent(event, drags) !== null,
  )
  const drop = useStateDrag(container, { states, view, drags })

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
    for (const { element } of states) element.classList.remove("is-found")
    for (const { element } of marked) element.classList.add("is-selected")
    const [first] = marked
    if (first !== undefined && !showsBox(view, first.box, canvas))
      show((before, size) => centerOn(before, first.box, size))
    return () => {
      for (const { element } of marked) element.classList.remove("is-selected")
    }
    // A new selection moves the view once. After that, the user controls the view.
  }, [states, selected])

  useEffect(() => {
    const state = states.find(({ element }) => element.classList.contains("is-selected"))
    if (isFitted || state === undefined || showsBox(view, state.box, canvas)) return
    show((before, size) => centerOn(before, state.box, size))
    // Only a canvas of another size moves the selected state back into view.
  }, [canvas])

  useEffect(() => {
    const state = states.find(({ agents, isFolded }) =>
      isFolded ? agents.includes(failed ?? "") : agents[0] === failed,
    )
    if (!isFitted || state === undefined || canvas.height === 0) return
    if (!showsBox(view, state.box, canvas))
      show((before, size) => centerOn(before, state.box, size))
  }, [states, failed, view, canvas])

  const scrollToState = (state: DrawnState): void => {
    show((before, size) => centerOn(before, state.box, size))
    for (const { element } of states) element.classList.remove("is-found")
    state.element.classList.add("is-found")
  }
  useEffect(() => {
    awaited.current = revealed?.agent ?? null
  }, [revealed])
  useEffect(() => {
    const name = awaited.current
    const state = states.find(({ id, agents, isFolded }) =>
      isFolded ? false : agents[0] === name || id === name,
    )
    if (name === null) return
    if (state === undefined) {
      const isFolded = states.some((folded) => folded.isFolded && folded.agents.includes(name))
      if (isFolded && redraw !== undefined && !chosen.opened.includes(name)) chosen.open(name)
      return
    }
    awaited.current = null
    scrollToState(state)
  }, [states])

  const isLarger = useMemo(
    () =>
      drawing !== null &&
      canvas.width > 0 &&
      canvas.height > 0 &&
      Math.max(drawing.width / canvas.width, drawing.height / canvas.height) * view.scale >
        minimapFrom,
    [drawing, view, canvas],
  )
  const openState = (id: string, name: string): void => {
    awaited.current = name
    chosen.open(id)
  }
  const select = (target: EventTarget | null): void => {
    if (wasDragged() || !(target instanceof Element)) return
    const folded = target.closest("[data-state]")?.closest("[data-folded]")
    const id = folded?.getAttribute("data-state") ?? null
    if (id !== null && redraw !== undefined) return openState(id, id)
    const agent = agentAt(target)
    if (agent !== null) onAgent?.(agent)
  }
  const press = ({ target }: PointerEvent): void => {
    pressed.current = target instanceof Element ? target : null
  }
  const release = (): void => {
    // If a new drawing replaces the pressed state, the browser reports no click.
    if (pressed.current?.isConnected === false) select(pressed.current)
    pressed.current = null
  }
  const openMenu = (event: MouseEvent): void => {
    // A key opens the menu of the selected agent.
    const isKey = event.target === container.current && event.button !== 2
    const agent = isKey ? selected : agentAt(event.target)
    if (agent === null || onMenu === undefined) return
    event.preventDefault()
    const state = states.find(({ agents }) => agents[0] === agent)
    const box = isKey ? state?.element.getBoundingClientRect() : undefined
    onMenu(agent, box?.left ?? event.clientX, box?.top ?? event.clientY)
  }
  const find = ({ agent, state }: FoundState): void => {
    if (state.isFolded && agent !== null && redraw !== undefined) openState(agent, agent)
    else scrollToState(state)
    if (agent !== null) onAgent?.(agent)
  }
  return (
    <section class="chart" aria-label="Statechart">
      <style>{highlightStyles}</style>
      <div class="chart-tools">
        <StateSearch states={states} onFind={find} />
        {redraw !== undefined && <ViewTools view={chosen.view} onChange={chosen.setView} />}
      </div>
      {children}
      <ErrorMessage text={chosen.error} />
      <div class="canvas">
        <div
          class="drawing"
          ref={container}
          tabIndex={0}
          role="group"
          aria-label="Drawing of the statechart. The arrow keys move it, plus and minus change its size, 0 shows the whole drawing."
          onPointerDown={press}
          onPointerUp={release}
          onClick={({ target }) => select(target)}
          onContextMenu={openMenu}
          onKeyDown={(event) => {
            onDrawingKey?.(event)
            if (!event.defaultPrevented) onKey(event)
          }}
        />
        {drop !== null && <DropMark dropTarget={drop} view={view} />}
        <ZoomTools
          scale={view.scale}
          onZoom={zoom}
          onFit={fit}
          {...(chosen.opened.length > 0 && { onFold: chosen.fold })}
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
