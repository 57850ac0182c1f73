import type { HostContext, HostFunction } from "../../runtime/host/host-function.js"
import { runWatched, type UnsteadySource } from "./watched-globals.js"

/**
 * A read of the clock or of a random number by a host function, outside of a step (`context.step`).
 * Such a read makes the function nondeterministic.
 */
export interface UnsteadyRead {
  readonly service: string
  readonly source: UnsteadySource
  /** The global function that the host function called for this read, such as `Date.now`. */
  readonly name: string
}

/**
 * Callbacks that observe a host function. They are called when it starts or ends. `read` is called
 * when it reads the clock or a random number outside of a step (`context.step`).
 */
export interface FunctionWatch {
  readonly isShifted: boolean
  started(service: string, key: string, context: HostContext): void
  ended(context: HostContext): void
  read(read: UnsteadyRead): void
}

/**
 * Wraps a host function so that `watch` is notified of its calls. `watch` is also notified of each
 * read of the clock or of a random number outside of a step (`context.step`). Reads inside steps
 * are allowed and not reported, because their values depend only on the step.
 */
export const watchedFunction =
  (service: string, own: HostFunction, watch: FunctionWatch): HostFunction =>
  async (context, input) => {
    const { runId, idempotencyKey } = context
    const key = idempotencyKey.slice(runId.length + 1)
    const seed = `${service} ${key}`
    watch.started(service, key, context)
    try {
      return await runWatched(
        {
          seed,
          isShifted: watch.isShifted,
          onRead: (source, name) => watch.read({ service, source, name }),
        },
        () => own(withFreeSteps(context, seed), input),
      )
    } finally {
      watch.ended(context)
    }
  }

/**
 * Wraps the context of a host function. Code in its steps may read the clock and random numbers
 * without a report. `seed` determines the values that this code reads.
 */
function withFreeSteps(context: HostContext, seed: string): HostContext {
  const free = (of: HostContext["step"]): HostContext["step"] => {
    return (name, action) =>
      of(name, () =>
        runWatched({ seed: `${seed} ${name}`, isShifted: false, onRead: null }, action),
      )
  }
  // Use a proxy, because the members of the context are created only when they are read.
  return new Proxy(context, {
    get: (target, name) =>
      name === "step" || name === "concurrent"
        ? free(target[name])
        : Reflect.get(target, name, target),
  })
}
