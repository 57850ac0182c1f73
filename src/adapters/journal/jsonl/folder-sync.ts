import { open } from "node:fs/promises"

/**
 * Makes the names in a folder as durable as the files. Those who ask while a sync is going on share the next one: the one that
 * is going on may have begun before their file was there.
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
    // The outcome of the one before is told to those who wait for it.
    next ??= going.then(begin, begin)
    return next
  }
}
