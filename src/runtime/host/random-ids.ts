/** Names for new runs. */
export interface Ids {
  next(): string
}

export const randomIds: Ids = { next: () => crypto.randomUUID() }
