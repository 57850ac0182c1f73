import { open } from "node:fs/promises"

/**
 * Makes the entries of a folder as durable as the files. Calls during a sync share the next one,
 * because the current sync may have started before their file existed.
 */
export function folderSync(folder: string): () => Promise<void> {
  let going: Promise<void> | null = null
  let next: Promise<void> | null = null
  const sync = async (): Promise<void> => {
    const handle = await open(folder, "r")
    try {
      await handle.sync()
    } finally {
      await handle.close()
    }
  }
  const begin = (): Promise<void> => {
    next = null
    going = sync().finally(() => {
      going = null
    })
    return going
  }
  return () => {
    if (going === null) return begin()
    // The callers already receive the outcome of the previous sync.
    next ??= going.then(begin, begin)
    return next
  }
}
