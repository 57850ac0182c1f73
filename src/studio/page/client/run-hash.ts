/**
 * A position in the history of a run. `count` is the number of journal records or events before it.
 */
export interface RunPosition {
  readonly by: "record" | "event"
  readonly count: number
}

/**
 * Returns the URL fragment of a page that shows a run, for example `#/run/r1?record=12`. If
 * `position` is null, the page shows the end of the run.
 */
export const runHash = (runId: string, position: RunPosition | null = null): string =>
  `#/run/${encodeURIComponent(runId)}${position === null ? "" : `?${position.by}=${position.count}`}`

/**
 * Returns the position in a run's history from a URL fragment such as `#/run/r1?record=12`. Returns
 * null if the fragment contains no position.
 */
export function positionIn(hash: string): RunPosition | null {
  const [, by, count] = /\?(record|event)=(\d{1,9})$/.exec(hash) ?? []
  return by === "record" || by === "event" ? { by, count: Number(count) } : null
}

/**
 * Returns the name of the run panel from a URL fragment such as `#/run/r1?panel=state`. Returns
 * null if the fragment contains no panel.
 */
export const panelIn = (hash: string): string | null => /\?panel=([a-z]+)$/.exec(hash)?.[1] ?? null

/**
 * Returns the URL fragment of a page that compares two runs, for example `#/compare/r1/r2`. If `b`
 * is null, the page asks the user to select the second run.
 */
export const compareHash = (a: string, b: string | null = null): string =>
  `#/compare/${encodeURIComponent(a)}${b === null ? "" : `/${encodeURIComponent(b)}`}`
