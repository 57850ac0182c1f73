import { useEffect, useLayoutEffect, useState } from "preact/hooks"
import type { EditAction } from "./edit-actions.js"

/** A queue of actions that are executed as soon as the text is checked. */
export interface ActionQueue {
  readonly isEmpty: boolean
  readonly add: (action: EditAction) => void
}

/**
 * Executes queued actions in order while `isReady` is true. Selecting another agent empties the
 * queue.
 */
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
