import type { MachineKind } from "../contract/machine-kind.js"
import type { TurnInput, TurnOutput } from "../contract/turn.js"
import type { LlmAgentContext } from "../model-call/llm-agent-context.js"
import { summaryCallInput } from "../model-call/summary-call.js"
import { visibleMessages } from "../model-call/stored-summary.js"
import { compactionGuards, compactionUpdates, reportingUpdates } from "./compaction-updates.js"
import { memoryCallInput, memoryGuards, memoryUpdates } from "./memory-updates.js"
import { hookedLlmAgentKind } from "./hooked-llm-agent.js"

/**
 * The guards and actions of the XState config `compactingLlmAgentConfig`, by name. Also contains
 * the functions that create the context and the output of this machine.
 */
export const compactingLlmAgentKind: MachineKind<LlmAgentContext, TurnInput, TurnOutput> = {
  ...hookedLlmAgentKind,
  guards: { ...hookedLlmAgentKind.guards, ...compactionGuards, ...memoryGuards },
  updates: {
    ...hookedLlmAgentKind.updates,
    ...reportingUpdates(hookedLlmAgentKind.updates),
    ...compactionUpdates,
    ...memoryUpdates,
  },

  childInput(context, src, config, lookup): unknown {
    if (src === "callModel") return summaryCallInput(context, lookup)
    if (src === "hookedModel")
      return hookedLlmAgentKind.childInput(withSummary(context), src, config, lookup)
    if (src === "hostCode" && config["of"] === "memories") return memoryCallInput(context)
    if (src === "sleepUntil" && config["of"] === "summary")
      return { until: context.compacting?.retryAt ?? context.at }
    return hookedLlmAgentKind.childInput(context, src, config, lookup)
  },
}

/**
 * Returns the context with the conversation as the model receives it. In this conversation, a
 * summary replaces the older messages. Returns the context unchanged if there is no summary.
 */
function withSummary(context: LlmAgentContext): LlmAgentContext {
  const conversation = visibleMessages(context)
  return conversation === context.conversation ? context : { ...context, conversation }
}
