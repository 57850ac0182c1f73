/** Generates ids for new runs. */
export interface Ids {
  next(): string
}

export const randomIds: Ids = {
  next() {
    const id = crypto.randomUUID()
    // V8 stores a UUID as 20 joined strings, which use five times the memory. Reading one character
    // makes V8 store a single flat string.
    id.charCodeAt(0)
    return id
  },
}
