/** Starts the models and tools of `workflow.mjs` over HTTP, which count their calls. */
export function startService(): Promise<{
  readonly base: string
  of(runId: string): {
    readonly withoutKey: number
    readonly asked: ReadonlyMap<string, number>
    readonly carriedOut: ReadonlyMap<string, number>
  }
  withoutRun(): number
  close(): Promise<void>
}>
