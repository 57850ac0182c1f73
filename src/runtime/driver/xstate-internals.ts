import type { MachineEvent } from "../../machines/contract/machine-event.js"

// This file contains all uses of XState that its public API does not cover. The test
// test/runtime/xstate-internals.test.ts fails if the installed version of XState was not checked.

/** An action that XState executes during a transition. */
export interface ExecutedAction {
  readonly type: string
  readonly params: unknown
  readonly info: { readonly event: MachineEvent }
}

/**
 * Returns the actor scope that the methods `getInitialSnapshot` and `transition` of a machine
 * expect. `actionExecutor` receives every action during the transition. The other fields do
 * nothing, because the flattened machine has no invokes.
 *
 * The public function `transition` is not usable here. It returns the actions after the macrostep,
 * but later guards of the same macrostep depend on them. It also creates an actor for each call,
 * which takes the initial transition again:
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
 * Returns whether XState stopped an endless loop of microsteps. XState throws a plain `Error`
 * without a code, so only its message identifies it:
 * https://github.com/statelyai/xstate/blob/xstate%405.33.3/packages/core/src/stateUtils.ts
 */
export const isEndlessLoop = (error: unknown): boolean =>
  error instanceof Error && error.message.startsWith("Infinite loop detected")
