import { useEffect, useLayoutEffect, useState } from "preact/hooks"
import type { EditAction } from "./edit-actions.js"

/** Actions that start when the text is checked. */
export interface ActionQueue {
  readonly isEmpty: boolean
  readonly add: (action: EditAction) => void
}

/** Runs queued actions in their order when `isReady` is true. Another selected agent empties the queue. */
export function useActionQueue(
  isReady: boolean,
  selected: string | null,
  run: (action: EditAction) => void,
): ActionQueue {
  const [waiting, setWaiting] = useState<readonly EditAction[]>([])
  useLayoutEffect(() => setWaiting([]), [selected])
  useEffect(() => {
    const [next, ...others] = waiting
    if (next === undefined || !isReady) return
    setWaiting(others)
    run(next)
  }, [waiting, isReady])
  return {
    isEmpty: waiting.length === 0,
    add: (action) => setWaiting((before) => [...before, action]),
  }
}
