import type { AgentChart } from "../contract/agent-chart.js"
import type { AgentDefinition } from "../contract/agent-definition.js"
import { timeOf } from "../contract/machine-event.js"
import type { MachineKind } from "../contract/machine-kind.js"
import type { Outcome, RunError } from "../contract/run-event.js"
import type { TurnInput, TurnOutput } from "../contract/turn.js"
import { emptyPatch } from "../data/session-state.js"
import { expiryTime } from "../requests/expiry.js"
import { waitTime } from "./wait-time.js"

/**
 * The XState config of a WaitAgent, which starts a timer and waits for its end
 * (docs/semantics.md#waiting).
 */
export const waitAgentConfig = {
  id: "waitAgent",
  initial: "starting",
  on: { "run.stopped": [{ target: "#waitAgent.stopped", actions: [{ type: "stopWaiting" }] }] },
  states: {
    starting: {
      always: [{ target: "#waitAgent.choosing", actions: [{ type: "startWaiting" }] }],
    },
    choosing: {
      always: [
        { guard: { type: "hasNoTime" }, target: "#waitAgent.failed" },
        { target: "#waitAgent.waiting" },
      ],
    },
    waiting: {
      entry: [{ type: "startTimer" }],
      on: {
        "xstate.done.actor.timer": [
          { target: "#waitAgent.done", actions: [{ type: "endWaiting" }] },
        ],
      },
    },
    done: { type: "final", entry: [{ type: "finishWaiting", params: { signal: "done" } }] },
    failed: { type: "final", entry: [{ type: "finishWaiting", params: { signal: "failed" } }] },
    stopped: { type: "final", entry: [{ type: "finishWaiting", params: { signal: "stopped" } }] },
  },
} as const

interface WaitAgentContext {
  readonly input: TurnInput
  readonly definition: Extract<AgentDefinition, { type: "WaitAgent" }>
  at: number
  /** Time at which the wait ends, in milliseconds since the epoch. */
  until: number
  signal: Outcome | null
  error: RunError | null
}

const locationOf = ({ agent, path, branch }: TurnInput) => ({ agent, path, branch })

export const waitAgentKind: MachineKind<WaitAgentContext, TurnInput, TurnOutput> = {
  contextFrom: (input: TurnInput, chart: AgentChart) => ({
    input,
    definition: chart.agents[input.agent] as WaitAgentContext["definition"],
    at: input.at,
    until: input.at,
    signal: null,
    error: null,
  }),

  guards: {
    hasNoTime: ({ error }) => error !== null,
  },

  updates: {
    startWaiting: (context, _event, _params, step) => {
      const { definition, input, at } = context
      step.emit({ type: "agent.started", kind: "WaitAgent", ...locationOf(input) })
      if (definition.until === undefined) {
        context.until = at + (definition.durationMs ?? 0)
        return
      }
      const found = waitTime(definition.until, input.state)
      if ("time" in found) context.until = found.time
      else
        context.error = {
          code: "time_invalid",
          agent: input.agent,
          message: `agent "${input.agent}" cannot wait until ${JSON.stringify(definition.until)}: ${found.problem}`,
        }
    },
    // The time depends only on the records of the run, so a resumed run wakes at the same time.
    startTimer: ({ until, input }, _event, _params, step) =>
      step.start("timer", "sleepUntil", { until, waits: input.path }),
    endWaiting: (context, event) => {
      context.at = expiryTime(event)
    },
    stopWaiting: (context, event) => {
      context.at = timeOf(event)
    },
    finishWaiting: (context, _event, params: { signal: Outcome }, step) => {
      context.signal = params.signal
      step.emit({
        type: "agent.finished",
        kind: "WaitAgent",
        outcome: params.signal,
        text: null,
        ...(context.error !== null && { error: context.error }),
        ...locationOf(context.input),
      })
    },
  },

  childInput: () => ({}),

  output: ({ signal, error, input, at }) => ({
    signal: signal ?? "stopped",
    text: null,
    lastText: null,
    patch: emptyPatch,
    handoffTo: null,
    error,
    answeredByTool: false,
    newEntries: [],
    escalates: false,
    memory: input.remember ? { conversation: [], calls: 0 } : null,
    at,
  }),

  pending: () => [],
}
