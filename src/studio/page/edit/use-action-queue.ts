import { useEffect, useLayoutEffect, useState } from "preact/hooks"
import type { EditAction } from "./edit-actions.js"

/**
 * A queue of edit actions. The actions are executed as soon as the server has checked the text in
 * the editor.
 */
export interface ActionQueue {
  readonly isEmpty: boolean
  readonly add: (action: EditAction) => void
}

/**
 * Hook that executes queued edit actions in order while `isReady` is true. The queue is cleared
 * when another agent is selected.
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
