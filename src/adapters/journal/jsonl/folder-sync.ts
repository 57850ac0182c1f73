import { open } from "node:fs/promises"

/**
 * Returns a function that syncs the directory entries of a folder to disk. A call during a running
 * sync waits for another sync, because the running sync may have started before the new file
 * existed. All waiting calls share one sync.
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
    // A failure of the running sync is reported to the callers of that sync.
    next ??= going.then(begin, begin)
    return next
  }
}
