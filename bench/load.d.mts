export interface Loaded {
  readonly started: number
  readonly ended: number
  readonly events: number
  readonly calls: number
  /** Number of attempts that events reported. */
  readonly attempts: number
  readonly outOfOrder: number
  /** Number of attempts and answers that no event reported. */
  readonly missed: number
  readonly unfinished: number
  readonly failed: number
  readonly simulatedHours: number
  /** Relative growth of the heap for each 1,000 finished runs. null: too few runs have finished. */
  readonly heapSlope: number | null
  readonly p50: number
  readonly p99: number
}

export function load(sizes: {
  readonly concurrent: number
  readonly total: number
  readonly seed?: number
}): Promise<Loaded>
