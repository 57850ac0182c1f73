/** A position in the past of a run: after a number of journal records, or of events. */
export interface RunPosition {
  readonly by: "record" | "event"
  readonly count: number
}

/** Returns the fragment of the URL of a run, at a position in its past or at its end. */
export const runHash = (runId: string, position: RunPosition | null = null): string =>
  `#/run/${encodeURIComponent(runId)}${position === null ? "" : `?${position.by}=${position.count}`}`

/** Returns the position that a fragment of the URL contains, or null. */
export function positionIn(hash: string): RunPosition | null {
  const [, by, count] = /\?(record|event)=(\d{1,9})$/.exec(hash) ?? []
  return by === "record" || by === "event" ? { by, count: Number(count) } : null
}

/** Returns the panel of a run that a fragment of the URL selects, or null. */
export const panelIn = (hash: string): string | null => /\?panel=([a-z]+)$/.exec(hash)?.[1] ?? null

/** Returns the fragment of the URL of a comparison. Without `b`, the user selects the other run. */
export const compareHash = (a: string, b: string | null = null): string =>
  `#/compare/${encodeURIComponent(a)}${b === null ? "" : `/${encodeURIComponent(b)}`}`
