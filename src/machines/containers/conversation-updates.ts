import { timeOf, requestIdOf, messageTextOf } from "../contract/machine-event.js"
import { keyScopeOf } from "../data/key-scope.js"
import { systemKey } from "../data/system-keys.js"
import { writeState } from "./leave-containers.js"
import { appendHistory, userEntry } from "../contract/history.js"
import type { StateParams, OrchestrationContext } from "./orchestration-context.js"
import { changeScope, getScope, locationOf } from "./orchestration-context.js"
import { noTeam } from "./teams.js"
import { keysWhere, readKey, removeKey } from "../data/session-state.js"
import type { Step, Update } from "../contract/machine-kind.js"
import { turnOutputOf } from "../contract/turn.js"
import { contentOfMessage } from "../contract/user-content.js"

type Context = OrchestrationContext
/**
 * Actions for handoffs between the agents of a team (docs/semantics.md#handoffs) and for cycles of
 * the root agent (docs/semantics.md#root-and-cycles). Other actions start and finish invocations,
 * which are the work that one user message starts (docs/semantics.md#sessions).
 */
export const conversationUpdates: Readonly<Record<string, Update<Context>>> = {
  enterTeam: (context, _event, params: StateParams) => {
    context.teams = { ...context.teams, [params.place]: noTeam }
    const memories = { ...context.memories }
    for (const place of Object.keys(memories))
      if (place.startsWith(`${params.place}.`)) delete memories[place]
    context.memories = memories
  },
  handOff: (
    context,
    event,
    params: { team: string; from: string; to: string; activates?: false },
    step,
  ) => {
    const team = context.teams[params.team] ?? noTeam
    const prompt =
      turnOutputOf(event).memory?.conversation.filter((message) => message.role === "user") ??
      team.prompt
    context.teams = {
      ...context.teams,
      [params.team]: {
        active: params.activates === false ? team.active : params.to,
        handoffs: team.handoffs + 1,
        prompt,
      },
    }
    const meta = step.metaOf(params.from)
    step.emit({
      type: "handoff",
      from: meta.agent,
      to: step.metaOf(params.to).agent,
      ...locationOf(context, meta),
    })
  },
  returnToParent: (context, _event, params: { team: string }) => {
    context.teams = {
      ...context.teams,
      [params.team]: { ...(context.teams[params.team] ?? noTeam), active: null },
    }
  },
  finishInvocation: (context, _event, params: StateParams, step) => {
    const meta = step.metaOf(params.place)
    const scope = getScope(context, "")
    const passing = keysWhere(scope.state, (key) => keyScopeOf(key) === "temp")
    changeScope(context, "", { state: passing.reduce(removeKey, scope.state) })
    step.emit({
      type: "invocation.finished",
      text: scope.lastText,
      ...locationOf(context, meta),
    })
  },
  beginInvocation: (context, event, params: StateParams, step) => {
    const meta = step.metaOf(params.place)
    const text = messageTextOf(event)
    context.at = timeOf(event)
    const scope = getScope(context, "")
    changeScope(context, "", {
      text: null,
      lastText: null,
      ...(scope.history !== null && {
        history: appendHistory(scope.history, [userEntry(contentOfMessage(event))]),
      }),
    })
    step.emit({
      type: "user.said",
      id: requestIdOf(event),
      text,
      ...locationOf(context, meta),
    })
    const messageCount = readKey(scope.state, systemKey.userMessageCount)
    writeState(
      context,
      meta,
      systemKey.userMessageCount,
      (typeof messageCount === "number" ? messageCount : 0) + 1,
      step,
    )
    nextCycle(context, params.place, step)
  },
  beginCycle: (context, _event, params: StateParams, step) => {
    context.cyclesSinceInput = context.cyclesSinceInput + 1
    nextCycle(context, params.place, step)
  },
  limitCycles: (context, _event, params: { max: number }) => {
    context.error = {
      code: "limit_reached",
      agent: context.input.agent,
      message: `"${context.input.agent}" was called ${params.max} times without ending the workflow (maxOrchestrationCycles); increase the setting, or make sure that the agent returns exitFlow`,
    }
  },
  limitHandoffs: (context, _event, params: { team: string; max: number }, step) => {
    const { agent } = step.metaOf(params.team)
    context.error = {
      code: "limit_reached",
      agent,
      message: `the team of "${agent}" reached maxHandoffs (${params.max}) in one cycle; increase the setting or find the agents that hand off in a circle`,
    }
  },
}

function nextCycle(context: Context, root: string, step: Step): void {
  context.cycle = context.cycle + 1
  const team = context.teams[root]
  if (team !== undefined) context.teams = { ...context.teams, [root]: { ...team, handoffs: 0 } }
  writeState(context, step.metaOf(root), systemKey.cycleCount, context.cycle, step)
}
