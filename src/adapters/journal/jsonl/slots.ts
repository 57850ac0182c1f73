/**
 * A function that limits how many actions run at the same time. It executes an action as soon as a
 * slot is free, and resolves to the result of the action. Waiting actions start in the order in
 * which they were added.
 */
export type Slots = <Value>(act: () => Promise<Value>) => Promise<Value>

export function slots(limit: number): Slots {
  let taken = 0
  const waiting: (() => void)[] = []
  let first = 0
  const leave = (): void => {
    const next = waiting[first]
    if (next === undefined) {
      taken--
      return
    }
    first++
    if (first === waiting.length) first = waiting.length = 0
    next()
  }
  return async (act) => {
    if (taken < limit) taken++
    else await new Promise<void>((resolve) => waiting.push(resolve))
    try {
      return await act()
    } finally {
      leave()
    }
  }
}
