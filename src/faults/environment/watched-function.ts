import type { HostContext, HostFunction } from "../../runtime/host/host-function.js"
import { runWatched, type UnsteadySource } from "./watched-globals.js"

/** A read of the clock or of a random number outside a step. */
export interface UnsteadyRead {
  readonly service: string
  readonly source: UnsteadySource
  /** The function that was called, such as `Date.now`. */
  readonly name: string
}

/** Receives the starts and ends of watched functions, and their reads outside steps. */
export interface FunctionWatch {
  readonly isShifted: boolean
  started(service: string, key: string, context: HostContext): void
  ended(context: HostContext): void
  read(read: UnsteadyRead): void
}

/**
 * Returns a host function that reports its calls and its reads of the clock and of random numbers.
 * Inside steps, reads are allowed, and they depend only on the step.
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

/** Returns the context of a function whose steps may read the clock and random numbers. */
function withFreeSteps(context: HostContext, seed: string): HostContext {
  const free = (of: HostContext["step"]): HostContext["step"] => {
    return (name, action) =>
      of(name, () =>
        runWatched({ seed: `${seed} ${name}`, isShifted: false, onRead: null }, action),
      )
  }
  // A proxy, because the members of the context are created when they are read.
  return new Proxy(context, {
    get: (target, name) =>
      name === "step" || name === "concurrent"
        ? free(target[name])
        : (Reflect.get(target, name, target) as unknown),
  })
}
