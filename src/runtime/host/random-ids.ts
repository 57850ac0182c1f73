/** Names for new runs. */
export interface Ids {
  next(): string
}

export const randomIds: Ids = {
  next() {
    const id = crypto.randomUUID()
    // The engine keeps it as the twenty pieces that it was put together from, five times its size, until somebody looks into it.
    id.charCodeAt(0)
    return id
  },
}
