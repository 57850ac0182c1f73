import { assign, fromPromise, setup } from "xstate"
import type { ReachedServer } from "./connect.js"
import { isPermanent } from "./classify-failure.js"

interface ConnectionContext {
  readonly reached: ReachedServer | null
  /**
   * Whether the MCP server was reached since the last event `closed`. If true, requests wait for a
   * reconnection. If false, a request fails immediately when the server cannot be reached.
   */
  readonly isKnown: boolean
  /**
   * Number of consecutive failures. A failure is a failed connection attempt, or a connection that
   * was lost before a request received a response.
   */
  readonly failures: number
  /** Error of the last failed connection attempt. null if the last attempt succeeded. */
  readonly problem: unknown
}

type ConnectionEvent =
  /** A request needs an open connection. */
  | { readonly type: "wanted" }
  /** A request has received its response. This event resets `failures` to 0. */
  | { readonly type: "answered" }
  /**
   * The connection `reached` was lost. This event is ignored if `reached` is not the current
   * connection.
   */
  | { readonly type: "lost"; readonly reached: ReachedServer }
  | { readonly type: "closed" }

/**
 * First and longest delay between attempts to connect to an MCP server, in milliseconds. Each delay
 * is twice as long as the previous delay, up to `longest`.
 */
const pauses = { first: 100, longest: 5_000 }

/**
 * Maximum number of consecutive failures to connect to an MCP server. Reaching this number takes
 * about half a minute. After that, the next attempt is made only when a request needs the
 * connection.
 */
const maxFailures = 12

export interface ConnectionEffects {
  connect(signal: AbortSignal): Promise<ReachedServer>
  release(reached: ReachedServer): void
}

/**
 * Creates the statechart of a connection to an MCP server. A lost connection is opened again
 * automatically. The delay between attempts grows until a request has received a response. After 12
 * consecutive failures, the connection stays closed until the next request, so that a program that
 * always crashes is not started again and again.
 */
export function connectionMachine({ connect, release }: ConnectionEffects) {
  return setup({
    types: {
      // This object only declares types for XState and has no values.
      context: {} as ConnectionContext,
      events: {} as ConnectionEvent,
    },
    actors: { connect: fromPromise<ReachedServer>(({ signal }) => connect(signal)) },
    delays: {
      pause: ({ context }) => Math.min(pauses.longest, pauses.first * 2 ** (context.failures - 1)),
    },
    guards: {
      isCurrent: ({ context, event }) => event.type === "lost" && event.reached === context.reached,
      hasTooManyFailures: ({ context }) => context.failures >= maxFailures,
    },
    actions: {
      release: ({ context }) => {
        if (context.reached !== null) release(context.reached)
      },
      restart: assign({ failures: 0, problem: null }),
      countFailure: assign({ failures: ({ context }) => context.failures + 1 }),
      resetFailures: assign({ failures: 0 }),
      forget: assign({ isKnown: false, problem: null }),
    },
  }).createMachine({
    id: "mcpConnection",
    initial: "disconnected",
    context: { reached: null, isKnown: false, failures: 0, problem: null },
    on: { closed: { target: ".disconnected", actions: "forget" } },
    states: {
      disconnected: { on: { wanted: { target: "connecting", actions: "restart" } } },
      connecting: {
        invoke: {
          src: "connect",
          onDone: {
            target: "connected",
            actions: assign({ reached: ({ event }) => event.output, isKnown: true, problem: null }),
          },
          onError: [
            {
              guard: ({ context, event }) => isPermanent(event.error, context.isKnown),
              target: "disconnected",
              actions: assign({ problem: ({ event }) => event.error }),
            },
            {
              target: "deciding",
              actions: ["countFailure", assign({ problem: ({ event }) => event.error })],
            },
          ],
        },
      },
      connected: {
        on: {
          answered: { actions: "resetFailures" },
          lost: { guard: "isCurrent", target: "deciding", actions: "countFailure" },
        },
        exit: ["release", assign({ reached: null })],
      },
      deciding: {
        always: [{ guard: "hasTooManyFailures", target: "disconnected" }, { target: "backingOff" }],
      },
      backingOff: { after: { pause: "connecting" } },
    },
  })
}
