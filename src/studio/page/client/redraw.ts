import type { DrawingOptions, DrawnText } from "../../api.js"
import { fetchJson } from "./fetch-json.js"

/**
 * A function that draws a chart with the given options and resolves to the SVG. Resolves to null if
 * the workflow text has errors.
 */
export type Redraw = (options: DrawingOptions, signal: AbortSignal) => Promise<string | null>

/** Returns a function that draws the chart of a run with the requested options. */
export const redrawRun =
  (runId: string): Redraw =>
  async (options, signal) =>
    draw(`/runs/${encodeURIComponent(runId)}/drawing`, { options }, signal)

/**
 * Returns a function that compiles the text of a workflow file and draws the chart with the
 * requested options.
 */
export const redrawText =
  (file: string, text: string): Redraw =>
  async (options, signal) =>
    draw("/drawing", { file, text, options }, signal)

const draw = async (path: string, body: object, signal: AbortSignal): Promise<string | null> =>
  (await fetchJson<DrawnText>(path, { method: "POST", body, signal })).svg
