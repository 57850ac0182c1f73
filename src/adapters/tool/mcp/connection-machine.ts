import { assign, fromPromise, setup } from "xstate"
import type { ReachedServer } from "./connect.js"
import { isPermanent } from "./classify-failure.js"

interface ConnectionContext {
  readonly reached: ReachedServer | null
  /** Whether the server has ever been reached: one that was is waited for, one that was not is told at once. */
  readonly isKnown: boolean
  /** Attempts and connections in a row that nothing was answered over. */
  readonly failures: number
  /** Why the last attempt failed. */
  readonly problem: unknown
}

type ConnectionEvent =
  /** Somebody has a question. */
  | { readonly type: "wanted" }
  /** A question was answered. */
  | { readonly type: "answered" }
  /** This connection has ended. */
  | { readonly type: "lost"; readonly reached: ReachedServer }
  | { readonly type: "closed" }

/** Pauses between attempts, in milliseconds: each twice as long as the one before it. */
const pauses = { first: 100, longest: 5_000 }

/** As many attempts in a row are made by itself, over half a minute; the next question begins anew. */
const mostFailures = 12

export interface ConnectionEffects {
  connect(signal: AbortSignal): Promise<ReachedServer>
  letGo(reached: ReachedServer): void
}

/**
 * The connection to an MCP server as a statechart. One that is lost is made again by itself, after pauses that grow until a question
 * is answered: a program that ends whenever it is started is not started for ever.
 */
export function connectionMachine({ connect, letGo }: ConnectionEffects) {
  return setup({
    types: {
      // Types for XState to infer from; no values.
      context: {} as ConnectionContext,
      events: {} as ConnectionEvent,
    },
    actors: { connect: fromPromise<ReachedServer>(({ signal }) => connect(signal)) },
    delays: {
      pause: ({ context }) => Math.min(pauses.longest, pauses.first * 2 ** (context.failures - 1)),
    },
    guards: {
      isThisOne: ({ context, event }) => event.type === "lost" && event.reached === context.reached,
      isUsedUp: ({ context }) => context.failures >= mostFailures,
    },
    actions: {
      letGo: ({ context }) => {
        if (context.reached !== null) letGo(context.reached)
      },
      beginAnew: assign({ failures: 0, problem: null }),
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
      disconnected: { on: { wanted: { target: "connecting", actions: "beginAnew" } } },
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
          lost: { guard: "isThisOne", target: "deciding", actions: "countFailure" },
        },
        exit: ["letGo", assign({ reached: null })],
      },
      deciding: {
        always: [{ guard: "isUsedUp", target: "disconnected" }, { target: "backingOff" }],
      },
      backingOff: { after: { pause: "connecting" } },
    },
  })
}
