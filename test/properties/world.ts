import type { NodeRequest } from "../../src/machines/contract/graphs/node-service.js"
import type { ModelRequest, ToolRequest } from "../../src/machines/contract/services.js"
import { CallFailedError } from "../../src/machines/contract/services.js"
import type { CallServices } from "../../src/runtime/host/call-services.js"
import type { SimulatedClock } from "../support/simulated-clock.js"
import { garbage } from "./garbage.js"
import { hashOf } from "./hash.js"
import type { HostWorld } from "./host-world.js"
import { hostWorld } from "./host-world.js"
import { answerOfNode } from "./node-world.js"

/**
 * The possible behavior of services, by agent and by tool: they fail (`{status, retryAfterMs?}`), throw (`{throws}`), never respond
 * (`{hangs}`), or return an invalid response (`{garbage}`). Any other value is the response itself.
 */
export interface Repertoire {
  readonly seed: number
  readonly models: Readonly<Record<string, readonly unknown[]>>
  readonly tools: Readonly<Record<string, readonly unknown[]>>
  /** Whether some calls ignore their cancellation and respond anyway. */
  readonly isDeaf: boolean
}

/** One call that the services received. */
export interface Call {
  readonly kind: "model" | "tool" | "node"
  readonly request: ModelRequest | ToolRequest | NodeRequest
  /** The time at which the call was first made, possibly before a restart of the run. */
  readonly since: number
  /** The time at which it was answered, failed or was cancelled. Null: it is open. */
  ended: number | null
  /** Whether it was answered or failed by itself. */
  isDone: boolean
}

/** Services outside of the run, which survive a restart. A repeated call with the same key ends when the first call would have ended. */
export interface World {
  services(
    clock: SimulatedClock,
    called: () => void,
  ): Pick<CallServices, "http" | "models" | "services">
  /** All calls, in the order in which they were made. */
  readonly calls: Call[]
  /** The executed actions of the steps of host functions, in their order. */
  readonly steps: { readonly step: string; readonly at: number }[]
  /** Stops the timers of the services. Returns the numbers of calls and host functions that are still open. */
  settle(): { readonly calls: number; readonly hosts: number }
}

/** Returns a text that identifies an attempt. A node evaluates its conditions under the key of its request. */
export const attemptOf = (request: Call["request"]): string =>
  `${request.idempotencyKey} ${request.attempt}${"task" in request ? ` ${request.task.type}` : ""}`

const has = <Key extends string>(
  value: unknown,
  key: Key,
): value is Readonly<Record<Key, unknown>> =>
  typeof value === "object" && value !== null && Object.hasOwn(value, key)

/** Returns the duration of a call in milliseconds. It is so precise that no two calls end at the same time. */
const takes = (text: string): number => 1 + hashOf(`time ${text}`) / 2 ** 22

/** Creates services. The result and the duration of a call depend only on its idempotency key and attempt, so a repeated call has the same result. */
export function worldOf({ seed, models, tools, isDeaf }: Repertoire): World {
  const calls: Call[] = []
  const steps: World["steps"] = []
  const begun = new Map<string, number>()
  const timers = new Set<() => void>()

  const come = (what: unknown): unknown => {
    if (has(what, "status")) {
      const status = Number(what.status)
      const wait = has(what, "retryAfterMs") ? { retryAfterMs: Number(what.retryAfterMs) } : {}
      throw new CallFailedError({
        code: "model_call_failed",
        message: `HTTP ${status}`,
        retryable: status === 429 || status >= 500,
        status,
        ...wait,
      })
    }
    if (has(what, "throws"))
      throw what.throws === "error"
        ? new Error("out of order")
        : what.throws === "no words"
          ? Object.create(null)
          : undefined
    return has(what, "garbage") ? garbage(Number(what.garbage)) : what
  }

  const call = (
    kind: Call["kind"],
    request: Call["request"],
    signal: AbortSignal,
    clock: SimulatedClock,
  ): Promise<unknown> => {
    const id = attemptOf(request)
    const since = begun.get(id) ?? clock.now()
    begun.set(id, since)
    const made: Call = { kind, request, since, ended: null, isDone: false }
    calls.push(made)
    const said =
      kind === "model" ? models[request.agent] : tools["tool" in request ? request.tool : ""]
    const what =
      said === undefined
        ? kind === "node" && hashOf(`${seed} hangs ${id}`) % 40 === 0
          ? { hangs: true }
          : { content: "as you say" }
        : said[hashOf(`${seed} ${id}`) % Math.max(1, said.length)]
    if (has(what, "throws") && what.throws === "at once") {
      // For the run, the call fails a moment after it was made.
      made.ended = Number.POSITIVE_INFINITY
      throw new Error("out of order")
    }
    const hears = !isDeaf || hashOf(`deaf ${id}`) % 4 !== 0
    return new Promise((resolve, reject) => {
      const time = takes(`${seed} ${id}`)
      // A response that was due while no process executed the run arrives soon, but still at a unique time.
      const due = since + time > clock.now() ? since + time : clock.now() + time / 1_000
      const wake = clock.wakeAt(due, () => {
        timers.delete(wake)
        if (has(what, "hangs")) return
        made.isDone = made.ended === null
        made.ended ??= clock.now()
        try {
          resolve("task" in request ? answerOfNode(seed, request) : come(what))
        } catch (error) {
          reject(error)
        }
      })
      timers.add(wake)
      signal.addEventListener("abort", () => {
        made.ended ??= clock.now()
        if (!hears) return
        wake()
        timers.delete(wake)
        reject(signal.reason as Error)
      })
    })
  }

  /** Delays a host function briefly. A function that is executed again ends when it would have ended. */
  const pause =
    (clock: SimulatedClock) =>
    (what: string): Promise<void> => {
      const since = begun.get(what) ?? clock.now()
      begun.set(what, since)
      return new Promise((resolve) => {
        const stop = clock.wakeAt(
          Math.max(since + takes(what) / 20, clock.now() + 1 / 2 ** 20),
          () => {
            timers.delete(stop)
            resolve()
          },
        )
        timers.add(stop)
      })
    }
  let host: HostWorld | null = null

  return {
    calls,
    steps,
    services: (clock, called) => ({
      models: {
        large: { call: (request, { signal }) => (called(), call("model", request, signal, clock)) },
      },
      services: (host = hostWorld(seed, pause(clock), (step) => {
        steps.push({ step, at: clock.now() })
      })).services,
      http: {
        model: { call: (request, { signal }) => (called(), call("model", request, signal, clock)) },
        tool: { call: (request, { signal }) => (called(), call("tool", request, signal, clock)) },
        node: { call: (request, { signal }) => (called(), call("node", request, signal, clock)) },
      },
    }),
    settle() {
      for (const stop of timers) stop()
      timers.clear()
      return { calls: calls.filter(({ ended }) => ended === null).length, hosts: host?.open() ?? 0 }
    },
  }
}
