import { outputOf } from "../contract/machine-event.js"
import type { HostFunctionInput, HostFunctionOutput } from "../host-functions/host-function.js"
import type { HookListInput, HookListOutput } from "../host-functions/hook-list.js"
import { callbackText } from "../host-functions/hook-list.js"
import type { PreparationSource } from "./hooked-llm-agent.config.js"
import { saveText } from "./answer-updates.js"
import { llmAgentKind } from "./llm-agent.js"
import { applyHostChanges } from "./model-call-updates.js"
import type { LlmAgentContext } from "../model-call/llm-agent-context.js"
import { locationOf } from "../model-call/llm-agent-context.js"
import type { Lookup, MachineKind } from "../contract/machine-kind.js"
import type { MachineEvent } from "../contract/machine-event.js"
import type { ToolsetInput } from "../model-call/toolset.js"
import { readToolList, selectTools } from "../model-call/toolset.js"
import { declarationsOf } from "../model-call/turn-tools.js"
import type { TurnInput, TurnOutput } from "../contract/turn.js"

type Context = LlmAgentContext

const hostOutput = (event: MachineEvent): HostFunctionOutput => outputOf(event)

const hooksOutput = (event: MachineEvent): HookListOutput => outputOf(event)

/**
 * The guards and actions of the XState config `hookedLlmAgentConfig`, by name. Also contains the
 * functions that create the context and the output of this machine.
 */
export const hookedLlmAgentKind: MachineKind<Context, TurnInput, TurnOutput> = {
  ...llmAgentKind,

  guards: {
    ...llmAgentKind.guards,
    hooksThrew: (_, event) => hooksOutput(event).error !== null,
    escalatesAtEnd: (context, event) => context.escalatesAtEnd || hooksOutput(event).escalates,
    hooksAnswerAndEscalate: (_, event) =>
      hooksOutput(event).escalates && callbackText(hooksOutput(event).answer) !== null,
    hooksAnswered: (_, event) => callbackText(hooksOutput(event).answer) !== null,
    hasInstructionService: (context) => context.definition.adk?.instructionService !== undefined,
    hasGlobalInstructionService: (context) =>
      context.definition.adk?.globalInstructionService !== undefined,
    hasToolsets: (context) => context.definition.toolsets !== undefined,
    hostFailed: (_, event) => hostOutput(event).outcome !== "returned",
    listsNoTools: (_, event) =>
      hostOutput(event).outcome !== "returned" || readToolList(hostOutput(event).value) === null,
    hasMoreToolsets: (context) =>
      context.toolsetsAsked + 1 < (context.definition.toolsets?.length ?? 0),
  },

  updates: {
    ...llmAgentKind.updates,
    applyHostChanges: (context, event) => applyHostChanges(context, event),
    useCallbackText: (context, event, _params, step) => {
      applyHostChanges(context, event)
      const text = callbackText(hooksOutput(event).answer)
      if (text === null) return
      context.text = text
      context.conversation = [...context.conversation, { role: "assistant", content: text }]
      saveText(context, step)
    },
    storeInstruction: (context, event) => {
      applyHostChanges(context, event)
      context.hostInstruction = textFrom(hostOutput(event))
    },
    storeGlobalInstruction: (context, event) => {
      applyHostChanges(context, event)
      context.hostGlobalInstruction = textFrom(hostOutput(event))
    },
    selectTools: (context, event, _params, step) => {
      applyHostChanges(context, event)
      const id = dueToolset(context)
      const definition = step.chart.tools[id]
      context.toolsetsAsked = context.toolsetsAsked + 1
      if (definition?.type !== "Toolset") return
      const known = new Set(declarationsOf(context).map((declaration) => declaration.function.name))
      const { tools, warnings } = selectTools(
        readToolList(hostOutput(event).value) ?? [],
        id,
        definition,
        known,
      )
      context.listed = [...context.listed, ...tools]
      for (const message of warnings)
        step.emit({ type: "warning", message, ...locationOf(context.input) })
    },
    failToolset: (context, event) => {
      applyHostChanges(context, event)
      const { error, outcome } = hostOutput(event)
      const { agent } = context.input
      const why =
        outcome === "returned"
          ? "it must return a list of { name, description?, parameters? }"
          : (error?.message ?? "it was stopped")
      context.error = {
        code: error?.code ?? "host_code_failed",
        agent,
        message: `the toolset "${dueToolset(context)}" of agent "${agent}" did not return its tools: ${why}`,
      }
    },
    failCallback: (context, event) => {
      applyHostChanges(context, event)
      const { error } = outputOf<HookListOutput | HostFunctionOutput>(event)
      context.error = error ?? {
        code: "host_code_failed",
        agent: context.input.agent,
        message: `a host function of agent "${context.input.agent}" was stopped`,
      }
    },
  },

  childInput(context, src, config, lookup): unknown {
    const { input, definition, state } = context
    const { runId, agent, branch, iteration } = input
    const common = { runId, agent, branch, iteration, state, at: context.at }
    if (src === "hookedModel") {
      const call = llmAgentKind.childInput(context, "callModel", config, lookup)
      return {
        call,
        hooks: definition.adk?.hooks ?? {},
        changedRequest: context.changedRequest ?? null,
        state,
        iteration,
        activity: definition.activity,
        startedAt: context.callStartedAt,
        at: context.at,
      }
    }
    if (src === "hookList") {
      const hook = config["hook"] as "beforeAgent" | "afterAgent"
      const services = definition.adk?.hooks?.[hook] ?? []
      const list: HookListInput = {
        ...common,
        path: `${input.path}/${hook}#${context.calls}`,
        services,
        input: { hook, text: context.text },
      }
      return list
    }
    if (src === "hostCode") {
      const of = config["of"] as PreparationSource
      const segment = of === "toolset" ? `toolset:${dueToolset(context)}` : of
      const asked: ToolsetInput | null = of === "toolset" ? { verb: "list" } : null
      const code: HostFunctionInput = {
        ...common,
        path: `${input.path}/${segment}#${context.calls}`,
        service: serviceFor(of, context, lookup),
        input: asked,
        steps: [],
        agents: [],
      }
      return code
    }
    return llmAgentKind.childInput(context, src, config, lookup)
  },
}

/** Returns the id of the first toolset that has not listed its tools in this turn. */
const dueToolset = ({ definition, toolsetsAsked }: Context): string =>
  definition.toolsets?.[toolsetsAsked] ?? ""

function serviceFor(of: PreparationSource, context: Context, { chart }: Lookup): string {
  const { adk } = context.definition
  if (of === "instruction") return adk?.instructionService ?? ""
  if (of === "globalInstruction") return adk?.globalInstructionService ?? ""
  const toolset = chart.tools[dueToolset(context)]
  return toolset?.type === "Toolset" ? toolset.service : ""
}

const textFrom = ({ value }: HostFunctionOutput): string =>
  typeof value === "string" ? value : JSON.stringify(value)
