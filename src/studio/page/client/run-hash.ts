/** Returns the fragment of the URL of a run. */
export const runHash = (runId: string): string => `#/run/${encodeURIComponent(runId)}`
