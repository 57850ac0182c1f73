import type { AgentChart } from "../contract/agent-chart.js"
import { templateValues } from "../contract/graphs/graph-values.js"
import type { AgentDefinition, RemoteAgentDefinition } from "../contract/agent-definition.js"
import { lastUserEntry } from "../contract/history.js"
import type { PendingRequest, Reply } from "../contract/pending-request.js"
import type { AgentLocation, Outcome, RunError } from "../contract/run-event.js"
import type { TurnInput } from "../contract/turn.js"
import type { UserContent } from "../contract/user-content.js"
import type { ChildProgress, WorkflowRequest } from "./workflow-call.js"
import { hasKey, readKey } from "../data/session-state.js"
import { fillPrompt } from "../human/prompt-template.js"
import { withState } from "../requests/request-state.js"
import type { RemoteIds, RemoteRequest } from "./remote-call.js"
import { contextIdIn } from "./remote-context.js"

type WorkflowAgentDefinition = Extract<AgentDefinition, { type: "WorkflowAgent" }>

/** Result of a child run or a remote task that has ended. */
export type FinishedChild = Exclude<ChildProgress, { readonly status: "running" | "waiting" }>

/** Context of one turn of a WorkflowAgent, which runs another workflow as a child run. */
export interface WorkflowAgentContext {
  readonly input: TurnInput
  readonly definition: WorkflowAgentDefinition
  /** Number of this call among all calls at the agent's path. The first call has the number 0. */
  readonly calls: number
  at: number
  /**
   * Pending requests of the child run that are also pending requests of this run, by their id in
   * this run.
   */
  requests: Readonly<Record<string, PendingRequest>>
  /** Answers to requests of the child run that the child run has not confirmed yet. */
  answers: readonly Reply[]
  /** Whether the child run was waiting for people when it last reported its progress. */
  isWaiting: boolean
  paused: boolean
  /**
   * The ids of the remote agent's task and conversation, as the server has assigned them. Absent
   * before the server has assigned them, and for agents that are not remote.
   */
  remote?: RemoteIds & {
    /**
     * Idempotency key of the call that started the task. A fork has another run id, so its own
     * calls have other keys. It therefore does not continue the task of the original run.
     */
    readonly key: string
  }
  /** Number of the current attempt to call a remote agent. Absent during the first attempt. */
  attempt?: number
  ended: FinishedChild | null
  signal: Outcome | null
  error: RunError | null
}

export const workflowAgentContext = (
  input: TurnInput,
  chart: AgentChart,
): WorkflowAgentContext => ({
  input,
  // The compiler uses this machine only for WorkflowAgents.
  definition: chart.agents[input.agent] as WorkflowAgentDefinition,
  calls: input.memory?.calls ?? 0,
  at: input.at,
  requests: {},
  answers: [],
  isWaiting: false,
  paused: false,
  ended: null,
  signal: null,
  error: null,
})

export const callLocation = ({ agent, path, branch }: TurnInput): AgentLocation => ({
  agent,
  path,
  branch,
})

/**
 * Returns the path and the number of the call, such as `flow/review#0`. This is the idempotency key
 * without the run id.
 */
export const callPath = ({ input, calls }: WorkflowAgentContext): string => `${input.path}#${calls}`

/** Returns the idempotency key of the call, such as `r1/flow/review#0`. */
export const callKey = (context: WorkflowAgentContext): string =>
  `${context.input.runId}/${callPath(context)}`

/**
 * Returns the user message of the child run, and the names of the placeholders in the prompt that
 * have no value.
 */
export function messageFor({ definition, input }: WorkflowAgentContext): {
  readonly content: UserContent | null
  readonly missing: readonly string[]
} {
  if (definition.prompt !== null) {
    const { text, missing } = fillPrompt(definition.prompt, input.state)
    return { content: text, missing }
  }
  const last =
    input.history === null
      ? input.prompt.findLast(({ role }) => role === "user")
      : lastUserEntry(input.history)?.message
  return { content: last?.role === "user" ? last.content : null, missing: [] }
}

/**
 * Returns the input for the next call of the child run. The call starts the child run, sends
 * answers to it, or waits for its progress.
 */
export function childRequest(context: WorkflowAgentContext, chart: AgentChart): WorkflowRequest {
  const { input, definition, answers, isWaiting, requests, attempt = 1 } = context
  const { runId, state } = input
  return {
    ...callLocation(input),
    runId,
    idempotencyKey: callKey(context),
    attempt,
    workflow: definition.workflow,
    prompt: messageFor(context).content,
    input: Object.fromEntries(
      Object.entries(definition.input ?? {}).flatMap(([key, from]) =>
        hasKey(state, from) ? [[key, readKey(state, from)]] : [],
      ),
    ),
    ...(definition.limits !== undefined && { limits: definition.limits }),
    seen: Object.values(requests).flatMap(({ child }) => child?.request ?? []),
    ...(answers.length > 0 && { answers }),
    ...(isWaiting && { watches: true as const }),
    ...(definition.remote !== undefined && {
      remote: remoteRequest(context, definition.remote, chart),
    }),
  }
}

function remoteRequest(
  context: WorkflowAgentContext,
  { activity, ...endpoint }: RemoteAgentDefinition,
  chart: AgentChart,
): RemoteRequest {
  const { input, remote } = context
  const isOwn = remote?.key === callKey(context)
  const task = isOwn ? remote.task : null
  const contextId = (isOwn ? remote.contextId : null) ?? contextIdIn(input.state, input.agent)
  const fields = {
    ...endpoint,
    ...(task !== null && { task }),
    ...(contextId !== null && { contextId }),
    ...templateValues(chart, input.state),
    timeoutMs: activity.startToCloseMs,
  }
  return withState(fields, input.state, input.iteration)
}
