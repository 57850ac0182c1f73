/** Creates ids for new runs. */
export interface Ids {
  next(): string
}

export const randomIds: Ids = {
  next() {
    const id = crypto.randomUUID()
    // V8 stores a UUID as 20 joined strings, which take five times the memory. Reading a character
    // flattens them.
    id.charCodeAt(0)
    return id
  },
}
