import type { HostCodeInput, HostCodeOutput } from "./host-code.js"
import type { HookListInput, HookListOutput } from "./hook-list.js"
import { turnConfig } from "./llm-agent.config.js"
import { keepHostChanges, llmAgentKind, saveText } from "./llm-agent.js"
import type { LlmAgentContext } from "./llm-agent-context.js"
import type { MachineEvent, MachineKind } from "./step.js"
import type { TurnInput, TurnOutput } from "./turn.js"

type Context = LlmAgentContext

const hooks = (hook: "beforeAgent" | "afterAgent") => ({ id: hook, src: "hookList", input: { hook } })

/** After the turn its callbacks may replace the text; how the turn ended stays. */
const afterAgent = (final: string) => ({
  invoke: {
    ...hooks("afterAgent"),
    onDone: [
      { guard: { type: "hooksThrew" }, target: "#hookedLlmAgent.failed", actions: [{ type: "failByCallback" }] },
      { target: `#hookedLlmAgent.${final}`, actions: [{ type: "takeAgentAnswer" }] },
    ],
  },
})

/** The turn of an LlmAgent with host code around it: the same states, entered through callbacks and left through them. */
export const hookedLlmAgentConfig = withHooks()

function withHooks(): object {
  const base = turnConfig({
    id: "hookedLlmAgent",
    callModel: "hookedModel",
    ends: { done: "afterDone", exited: "afterExited", escalated: "afterEscalated" },
  })
  const start = [{ type: "startTurn" }]
  const instruct = { guard: { type: "hasInstructionService" }, target: "#hookedLlmAgent.instructing" }
  return {
    ...base,
    states: {
      ...base.states,
      preparing: { always: [{ target: "#hookedLlmAgent.beforeAgent", actions: start }] },
      beforeAgent: {
        invoke: {
          ...hooks("beforeAgent"),
          onDone: [
            { guard: { type: "hooksThrew" }, target: "#hookedLlmAgent.failed", actions: [{ type: "failByCallback" }] },
            { guard: { type: "hooksAnswered" }, target: "#hookedLlmAgent.done", actions: [{ type: "takeAgentAnswer" }] },
            { ...instruct, actions: [{ type: "keepHostChanges" }] },
            { target: "#hookedLlmAgent.callingModel", actions: [{ type: "keepHostChanges" }] },
          ],
        },
      },
      instructing: {
        invoke: {
          id: "instruction",
          src: "hostCode",
          input: {},
          onDone: [
            { guard: { type: "hostReturned" }, target: "#hookedLlmAgent.callingModel", actions: [{ type: "takeInstruction" }] },
            { target: "#hookedLlmAgent.failed", actions: [{ type: "failByCallback" }] },
          ],
        },
      },
      afterDone: afterAgent("done"),
      afterExited: afterAgent("exited"),
      afterEscalated: afterAgent("escalated"),
    },
  }
}

const hooksOutput = (event: MachineEvent): HookListOutput => event["output"] as HookListOutput

export const hookedLlmAgentKind: MachineKind<Context, TurnInput, TurnOutput> = {
  ...llmAgentKind,

  guards: {
    ...llmAgentKind.guards,
    hooksThrew: (_, event) => hooksOutput(event).error !== null,
    hooksAnswered: (_, event) => textOf(hooksOutput(event).answer) !== null,
    hasInstructionService: (context) => context.definition.adk?.instructionService !== undefined,
    hostReturned: (_, event) => (event["output"] as HostCodeOutput).outcome === "returned",
  },

  updates: {
    ...llmAgentKind.updates,
    keepHostChanges: (context, event) => keepHostChanges(context, event),
    takeAgentAnswer: (context, event, _params, step) => {
      keepHostChanges(context, event)
      const text = textOf(hooksOutput(event).answer)
      if (text === null) return
      context.text = text
      saveText(context, step)
    },
    takeInstruction: (context, event) => {
      keepHostChanges(context, event)
      const { value } = event["output"] as HostCodeOutput
      context.givenInstruction = typeof value === "string" ? value : JSON.stringify(value)
    },
    failByCallback: (context, event) => {
      keepHostChanges(context, event)
      const { error } = event["output"] as HookListOutput | HostCodeOutput
      context.error = error ?? { code: "host_code_failed", agent: context.input.agent, message: `host code of agent "${context.input.agent}" was stopped` }
    },
  },

  childInput(context, src, config, lookup): unknown {
    const { input, definition, state } = context
    const { runId, agent, branch, iteration } = input
    const here = { runId, agent, branch, iteration, state, at: context.at }
    if (src === "hookedModel") {
      const call = llmAgentKind.childInput(context, "callModel", config, lookup)
      return { call, hooks: definition.adk?.hooks ?? {}, state, iteration, activity: definition.activity, startedAt: context.callStartedAt, at: context.at }
    }
    if (src === "hookList") {
      const hook = config["hook"] as "beforeAgent" | "afterAgent"
      const services = definition.adk?.hooks?.[hook] ?? []
      const list: HookListInput = { ...here, path: `${input.path}/${hook}#${context.calls}`, services, input: { hook, text: context.text } }
      return list
    }
    if (src === "hostCode") {
      const service = definition.adk?.instructionService ?? ""
      const code: HostCodeInput = { ...here, path: `${input.path}/instruction#${context.calls}`, service, input: null, steps: [], agents: [] }
      return code
    }
    return llmAgentKind.childInput(context, src, config, lookup)
  },
}

/** `{content: text}` of a callback; anything else lets the turn be. */
function textOf(answer: unknown): string | null {
  if (typeof answer !== "object" || answer === null || !("content" in answer)) return null
  return typeof answer.content === "string" ? answer.content : null
}
