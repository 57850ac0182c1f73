import type { Step } from "../contract/machine-kind.js"
import type { CallFailure } from "../contract/services.js"
import { nextAttemptAt } from "../model-call/retry-policy.js"
import { workflowNamed } from "./called-charts.js"
import type { WorkflowAgentContext } from "./workflow-agent-context.js"
import { callKey, callLocation, childRequest } from "./workflow-agent-context.js"

type Context = WorkflowAgentContext

/**
 * Returns the fields that events of this agent have in common. They contain the called workflow,
 * and the id of the child run or of the remote agent's task.
 */
export function calledBy(context: Context) {
  const { definition, remote } = context
  const { workflow } = definition
  if (definition.remote === undefined)
    return { kind: "WorkflowAgent", workflow, childRun: callKey(context) }
  const task = remote?.task ?? null
  return { kind: "RemoteA2AAgent", workflow, ...(task !== null && { remoteTask: task }) }
}

/**
 * Returns the id of the child run. For a remote agent, returns the id of its task, or the
 * idempotency key of the call while there is no task.
 */
export const childId = (context: Context): string => context.remote?.task ?? callKey(context)

export const childName = ({ definition }: Context): string =>
  definition.remote === undefined ? "child run" : "remote task"

/**
 * Calls the child run. The call starts the child run, sends answers to it, or waits for its
 * progress. An unfinished earlier call is cancelled, but the child run itself continues.
 */
export function callChild(context: Context, step: Step): void {
  const request = childRequest(context, step.chart)
  const called =
    request.remote === undefined
      ? workflowNamed(request.workflow, [step.chart.workflows])
      : undefined
  step.start("call", "callWorkflow", {
    request: called === undefined ? request : { ...request, fingerprint: called.fingerprint },
  })
}

/**
 * Schedules the next attempt to call a remote agent after a failure. Returns false if there is no
 * further attempt, or if the agent is not remote.
 */
export function scheduleRetry(context: Context, error: CallFailure, step: Step): boolean {
  const { definition, at, attempt = 1 } = context
  if (definition.remote === undefined) return false
  const { activity } = definition.remote
  const until = nextAttemptAt(activity, attempt, context.input.at, error, at)
  if (until === null) return false
  context.attempt = attempt + 1
  step.emit({
    type: "retry.scheduled",
    of: callKey(context),
    attempt: attempt + 1,
    until,
    error,
    ...callLocation(context.input),
  })
  step.start("pause", "sleepUntil", { until })
  return true
}
