/**
 * Returns an error and its chain of causes, outermost error first. The list contains at most 10
 * errors.
 */
export function causesOf(error: unknown): readonly unknown[] {
  const causes: unknown[] = []
  for (let cause = error; cause instanceof Error && causes.length < 10; cause = cause.cause)
    causes.push(cause)
  return causes
}
