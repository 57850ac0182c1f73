/** A position in a run's past: the number of journal records or events before it. */
export interface RunPosition {
  readonly by: "record" | "event"
  readonly count: number
}

/**
 * Returns the URL fragment of a run at a position in its past. If `position` is null, the page
 * shows the end of the run.
 */
export const runHash = (runId: string, position: RunPosition | null = null): string =>
  `#/run/${encodeURIComponent(runId)}${position === null ? "" : `?${position.by}=${position.count}`}`

/** Returns the position in a run's past that a URL fragment contains; null if it contains none. */
export function positionIn(hash: string): RunPosition | null {
  const [, by, count] = /\?(record|event)=(\d{1,9})$/.exec(hash) ?? []
  return by === "record" || by === "event" ? { by, count: Number(count) } : null
}

/** Returns the run panel that a URL fragment selects, or null if it selects none. */
export const panelIn = (hash: string): string | null => /\?panel=([a-z]+)$/.exec(hash)?.[1] ?? null

/**
 * Returns the URL fragment that compares two runs. If `b` is null, the page asks the user to select
 * the second run.
 */
export const compareHash = (a: string, b: string | null = null): string =>
  `#/compare/${encodeURIComponent(a)}${b === null ? "" : `/${encodeURIComponent(b)}`}`
