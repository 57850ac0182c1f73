export interface Growth {
  readonly kind: string
  readonly name: string
  readonly points: readonly {
    readonly n: number
    readonly records: number
    readonly recordBytes: number
  }[]
  /** The exponent in bytes ~ records^k. */
  readonly k: number
}

export function journalGrowth(options: {
  readonly sizes: readonly number[]
  readonly kinds?: readonly string[]
  readonly print?: boolean
}): Promise<readonly Growth[]>
