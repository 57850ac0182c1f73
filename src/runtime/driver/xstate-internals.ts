import type { MachineEvent } from "../../machines/contract/machine-event.js"

// This file contains every use of XState that its public API does not cover. The test
// test/runtime/xstate-internals.test.ts fails if the installed XState is not one of the checked
// versions.

/** An action, as XState passes it to the action executor during a transition. */
export interface ExecutedAction {
  readonly type: string
  readonly params: unknown
  readonly info: { readonly event: MachineEvent }
}

/**
 * Returns the actor scope that the methods `getInitialSnapshot` and `transition` of an XState
 * machine require. XState passes every action to `actionExecutor` during the transition. The other
 * functions of the scope do nothing, because the executed machine has no `invoke`.
 *
 * XState's public function `transition` cannot be used here. It returns the actions after the
 * macrostep, but an action can change the result of a later guard in the same macrostep. It also
 * creates an actor for each call, which repeats the initial transition. See
 * https://github.com/statelyai/xstate/blob/xstate%405.33.3/packages/core/src/transition.ts and
 * https://stately.ai/docs/pure-transitions
 */
export function transitionScope(actionExecutor: (action: ExecutedAction) => void): object {
  const ignore = (): void => {}
  const self = { id: "driver", sessionId: "driver", send: ignore }
  const system = {
    _sendInspectionEvent: ignore,
    _relay: ignore,
    scheduler: { schedule: ignore, cancel: ignore },
  }
  return {
    self,
    system,
    id: "driver",
    sessionId: "driver",
    logger: ignore,
    defer: ignore,
    emit: ignore,
    stopChild: ignore,
    actionExecutor,
  }
}

/**
 * Returns true if `error` is XState's error about an endless loop of microsteps. XState throws a
 * plain `Error` without a code, so the function checks the message:
 * https://github.com/statelyai/xstate/blob/xstate%405.33.3/packages/core/src/stateUtils.ts
 */
export const isEndlessLoop = (error: unknown): boolean =>
  error instanceof Error && error.message.startsWith("Infinite loop detected")
