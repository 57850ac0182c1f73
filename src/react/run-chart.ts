import { createElement, useEffect, useRef } from "react"
import type { CSSProperties, ReactElement } from "react"
import type { RunEvent } from "../machines/index.js"
import type { ChartDrawing, ChartedRun, RunChartElement } from "../run-chart/index.js"
import { defineRunChart } from "../run-chart/index.js"

/** Props of the component {@link RunChart}. */
export interface RunChartProps {
  /**
   * The run to show, for example the result of `runner.start()` (a run in this process) or
   * `client.start()` (a run on a server).
   */
  readonly run?: ChartedRun | null
  /**
   * The drawing of the run's chart, as the text of an SVG file. Default: the drawing that the run's
   * server returns. For a run in this process, pass the result of `drawSvg(chart)`.
   */
  readonly drawing?: ChartDrawing | null
  /**
   * Events to show, for example the `events` that `useRun` returns. If this prop is set, the
   * component does not read events from `run`.
   */
  readonly events?: readonly RunEvent[] | null
  /** Called with the id of an agent when the user clicks the state of this agent in the drawing. */
  readonly onAgent?: (agent: string) => void
  /**
   * Called with the error if the drawing or the events cannot be read. The component also shows the
   * error message.
   */
  readonly onError?: (error: unknown) => void
  readonly className?: string
  readonly style?: CSSProperties
}

/**
 * React component that shows the drawing of a chart and highlights the active, waiting, finished
 * and failed agents of a run. It also lists these agents as text for screen readers.
 *
 * @example
 * const { events } = useRemoteRun(run)
 * return <RunChart run={run} events={events} />
 */
export function RunChart({
  run = null,
  drawing = null,
  events = null,
  onAgent,
  onError,
  className,
  style,
}: RunChartProps): ReactElement {
  const element = useRef<RunChartElement>(null)
  const handlers = useRef({ onAgent, onError })
  handlers.current = { onAgent, onError }
  useEffect(() => {
    defineRunChart()
    const chart = element.current
    if (chart === null) return
    const onSelect = (event: Event): void =>
      handlers.current.onAgent?.((event as CustomEvent<{ readonly agent: string }>).detail.agent)
    const onFailure = (event: Event): void =>
      handlers.current.onError?.((event as CustomEvent<{ readonly error: unknown }>).detail.error)
    chart.addEventListener("agent-select", onSelect)
    chart.addEventListener("chart-error", onFailure)
    return () => {
      chart.removeEventListener("agent-select", onSelect)
      chart.removeEventListener("chart-error", onFailure)
    }
  }, [])
  // React 18 sets props of custom elements as attributes, so the properties are assigned here.
  useEffect(() => {
    if (element.current !== null) Object.assign(element.current, { drawing, events, run })
  }, [drawing, events, run])
  // Custom elements have `class` in every version of React.
  return createElement("run-chart", { ref: element, class: className, style })
}
