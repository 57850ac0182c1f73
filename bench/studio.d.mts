export interface StudioLoad {
  readonly events: number
  readonly seconds: number
  readonly framesPerSecond: number
  /** Number of frames in the second with the fewest frames. */
  readonly slowestSecond: number
  readonly longestTaskMs: number
  /** CPU time of the task that used most of it. */
  readonly longestTaskCpuMs: number
  /** Share of the time in which the main thread of the page used the CPU. */
  readonly busyShare: number
  /** Number of requests that were shown. */
  readonly requests: number
  /** Time from the emission of a request until the page has shown it. */
  readonly slowestRequestMs: number
  /** Number of tabs that were opened. */
  readonly tabs: number
  readonly slowestTab: { readonly name: string; readonly ms: number }
}

export const limits: {
  readonly framesPerSecond: number
  readonly requestMs: number
  readonly taskMs: number
  readonly tabMs: number
}

export function studioLoad(options: {
  readonly events: number
  readonly seconds: number
  readonly browserPath?: string
}): Promise<StudioLoad>
