import { useCallback, useEffect, useState } from "preact/hooks"
import type { DrawingOptions } from "../../api.js"
import { messageOf } from "../client/fetch-json.js"
import type { Redraw } from "../client/redraw.js"
import { useStoredValue } from "../client/stored-value.js"

/** The drawing options that the user has selected. They are stored in the browser. */
export type DrawingView = Required<Pick<DrawingOptions, "detail" | "direction" | "legend">>

const initial: DrawingView = { detail: "tools", direction: "down", legend: false }

const isDrawingView = (value: unknown): value is DrawingView =>
  typeof value === "object" &&
  value !== null &&
  "detail" in value &&
  ["agents", "tools", "all", "statechart"].includes(String(value.detail)) &&
  "direction" in value &&
  ["down", "right"].includes(String(value.direction)) &&
  "legend" in value &&
  typeof value.legend === "boolean"

export interface ChosenDrawing {
  readonly svg: string
  readonly view: DrawingView
  readonly setView: (change: Partial<DrawingView>) => void
  /** Ids of the agents and states that the user has unfolded in the drawing. */
  readonly opened: readonly string[]
  readonly open: (id: string) => void
  readonly fold: () => void
  readonly error: string | null
}

/**
 * Hook that returns the drawing of a chart with the options that the user has selected. `svg` is
 * the drawing with the default options. `redraw` draws the chart with other options. If `redraw` is
 * undefined, the hook always returns `svg`.
 */
export function useDrawing(svg: string, redraw: Redraw | undefined): ChosenDrawing {
  const [view, store] = useStoredValue("drawing", initial, isDrawingView)
  const [opened, setOpened] = useState<readonly string[]>([])
  const [drawn, setDrawn] = useState<string | null>(null)
  const [error, setError] = useState<string | null>(null)
  const isDefault =
    redraw === undefined ||
    (opened.length === 0 &&
      view.detail === initial.detail &&
      view.direction === initial.direction &&
      view.legend === initial.legend)

  useEffect(() => {
    if (isDefault || redraw === undefined) {
      setDrawn(null)
      return
    }
    const controller = new AbortController()
    redraw({ ...view, open: opened }, controller.signal).then(
      (text) => {
        if (text !== null && !controller.signal.aborted) setDrawn(text)
        setError(null)
      },
      (cause: unknown) => {
        if (!controller.signal.aborted) setError(messageOf(cause))
      },
    )
    return () => controller.abort()
    // `svg` is a dependency, because it changes with the chart, which is then drawn again.
  }, [svg, isDefault, view.detail, view.direction, view.legend, opened])

  const open = useCallback((id: string) => setOpened((before) => [...before, id]), [])
  return {
    // The previous drawing is shown until the new drawing is loaded.
    svg: isDefault ? svg : (drawn ?? svg),
    view,
    setView: (change) => store({ ...view, ...change }),
    opened,
    open,
    fold: () => setOpened([]),
    error,
  }
}
