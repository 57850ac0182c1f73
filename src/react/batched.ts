/**
 * Returns a function that schedules `task` as a microtask. Several calls in the same task execute
 * `task` only once.
 */
export function batched(task: () => void): () => void {
  let isPlanned = false
  return () => {
    if (isPlanned) return
    isPlanned = true
    queueMicrotask(() => {
      isPlanned = false
      task()
    })
  }
}
