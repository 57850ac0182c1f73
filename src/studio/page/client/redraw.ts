import type { DrawingOptions, DrawnText } from "../../api.js"
import { fetchJson } from "./fetch-json.js"

/**
 * A function that draws the chart again with other options. Resolves to null if the text has
 * errors.
 */
export type Redraw = (options: DrawingOptions, signal: AbortSignal) => Promise<string | null>

/** Returns a function that draws the chart of a run. */
export const redrawRun =
  (runId: string): Redraw =>
  async (options, signal) =>
    draw(`/runs/${encodeURIComponent(runId)}/drawing`, { options }, signal)

/** Returns a function that draws the text of a workflow file. */
export const redrawText =
  (file: string, text: string): Redraw =>
  async (options, signal) =>
    draw("/drawing", { file, text, options }, signal)

const draw = async (path: string, body: object, signal: AbortSignal): Promise<string | null> =>
  (await fetchJson<DrawnText>(path, { method: "POST", body, signal })).svg
