import { taskGraphOf } from "../contract/graphs/task-graph-of.js"
import type { Deadline } from "../requests/expiry.js"
import { expiryTime } from "../requests/expiry.js"
import type { LlmAgentContext } from "../model-call/llm-agent-context.js"
import { locationOf } from "../model-call/llm-agent-context.js"
import type { OrchestrationContext } from "./orchestration-context.js"
import type { Step, Update } from "../contract/machine-kind.js"

const start = (step: Step, awaits: string, until: number): void => {
  const input: Deadline = { until, awaits }
  step.start("deadline", "sleepUntil", input)
}

/**
 * Actions that enforce the `maxDuration` of the workflow. The root machine starts a timer for the
 * run or, in the adk dialect, for each invocation.
 */
export const runDeadlineUpdates: Readonly<Record<string, Update<OrchestrationContext>>> = {
  startDeadline: (context, event, params: { ms: number }, step) => {
    // A machine that runs as the target of an AgentTool has no timer of its own. Its time counts as
    // time of the calling run.
    if (!context.top) return
    const at = typeof event["at"] === "number" ? event["at"] : context.at
    start(step, "the run", at + params.ms)
  },
  stopDeadline: (_context, _event, _params, step) => step.stop("deadline"),
  /**
   * Emits `deadline.passed` and sets the error. The interpreter then stops the run, starting with
   * the innermost machine, so that finished work is kept.
   */
  passDeadline: (context, event, params: { ms: number }, step) => {
    const { agent, path, branch } = context.input
    context.at = expiryTime(event)
    context.overdue = true
    context.error = {
      code: "limit_reached",
      agent,
      message: `the run has taken longer than its ${taskGraphOf(step.chart) === null ? "maxDuration" : "workflowExecutionTimeout"} (${params.ms} ms)`,
    }
    step.emit({ agent, path, branch, type: "deadline.passed", ms: params.ms })
  },
}

/**
 * Actions that enforce the `maxDuration` of an LlmAgent. Each turn of the agent has its own timer.
 */
export const turnDeadlineUpdates: Readonly<Record<string, Update<LlmAgentContext>>> = {
  passTurnDeadline: (context, event, _params, step) => {
    const { agent } = context.input
    const ms = context.definition.maxDurationMs ?? 0
    context.at = expiryTime(event)
    context.request = null
    context.error = {
      code: "deadline_passed",
      agent,
      message: `the turn of agent "${agent}" has taken longer than its maxDuration (${ms} ms)`,
    }
    step.emit({ type: "deadline.passed", ms, ...locationOf(context.input) })
  },
}

export function startTurnDeadline({ definition, input }: LlmAgentContext, step: Step): void {
  const { maxDurationMs } = definition
  if (maxDurationMs !== undefined) start(step, input.path, input.at + maxDurationMs)
}
