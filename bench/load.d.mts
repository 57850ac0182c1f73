export interface Loaded {
  readonly started: number
  readonly ended: number
  readonly events: number
  readonly calls: number
  /** Attempts that the events tell of. */
  readonly attempts: number
  readonly outOfOrder: number
  /** Happened, and no event told of it. */
  readonly missed: number
  readonly unfinished: number
  readonly failed: number
  readonly simulatedHours: number
  /** Growth of the heap for each 1,000 runs that ended, as a part of it; null where too few ended. */
  readonly heapSlope: number | null
  readonly p50: number
  readonly p99: number
}

export function load(sizes: {
  readonly concurrent: number
  readonly total: number
  readonly seed?: number
}): Promise<Loaded>
