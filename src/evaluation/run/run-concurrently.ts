/**
 * Executes tasks in order, at most `concurrency` at a time. After the first failure, starts no
 * further task, waits for the active tasks, and throws the failure.
 */
export async function runConcurrently<Task>(
  tasks: Iterable<Task>,
  concurrency: number,
  execute: (task: Task) => Promise<void>,
): Promise<void> {
  const queue = tasks[Symbol.iterator]()
  let failure: { readonly cause: unknown } | null = null
  const work = async (): Promise<void> => {
    for (let next = queue.next(); next.done !== true && failure === null; next = queue.next())
      try {
        await execute(next.value)
      } catch (cause) {
        failure ??= { cause }
      }
  }
  await Promise.all(Array.from({ length: concurrency }, work))
  // The workers have assigned the failure.
  const thrown = failure as { readonly cause: unknown } | null
  if (thrown !== null) throw thrown.cause
}
