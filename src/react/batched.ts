/**
 * Returns a function that schedules `task` as a microtask. If the function is called several times
 * before the microtask runs, `task` is executed only once.
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
