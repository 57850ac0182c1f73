import type { CompiledCondition } from "../../expression/index.js"
import { ConditionFailed } from "../../expression/index.js"
import type { ToolDefinition } from "../../machines/contract/tool-definition.js"
import type { AgentDefinition } from "../../machines/contract/agent-definition.js"
import type { HttpEndpoint } from "../../machines/contract/services.js"
import { keysIn } from "../../machines/model-call/instruction-template.js"
import { readCondition } from "../conditions/read-condition.js"

/** What something reads of the session state. */
export interface Reads {
  readonly keys: readonly KeyRead[]
  /** It is given the whole state, so that it may read any key. */
  readonly everything: boolean
  /** It is host code, which may read and write any key. */
  readonly hostCode: boolean
}

export interface KeyRead {
  readonly key: string
  /** What reads it, as in `the instruction`. */
  readonly by: string
  /** Where the key is missing, this fails. */
  readonly required: boolean
}

type LlmAgent = Extract<AgentDefinition, { type: "LlmAgent" }>

/** What a turn of an agent reads before its model is first called. */
export function readsOfTurn({ adk, endpoint, toolsets }: LlmAgent): Reads {
  const templates =
    adk === undefined
      ? []
      : [adk.globalInstruction, adk.instruction].flatMap((template) =>
          template === null ? [] : keysIn(template),
        )
  const isServed =
    adk?.instructionService !== undefined || adk?.globalInstructionService !== undefined
  return {
    keys: [
      ...templates.map(({ key, optional }) => ({
        key,
        by: "the instruction",
        required: !optional,
      })),
      ...(endpoint === null ? [] : readsOfEndpoint(endpoint)),
    ],
    // An endpoint is sent the state with every call; a model by name is not.
    everything: endpoint !== null,
    hostCode:
      isServed ||
      adk?.hooks !== undefined ||
      (adk?.policies ?? []).length > 0 ||
      toolsets !== undefined,
  }
}

/** What a question to a person reads: a key that is missing stays as it was written, for the person to see. */
export const readsOfPrompt = (prompt: string | null, isTemplate: boolean): readonly KeyRead[] =>
  prompt === null || !isTemplate
    ? []
    : keysIn(prompt).map(({ key }) => ({ key, by: "the prompt", required: false }))

export function readsOfTool(tool: ToolDefinition): Reads {
  const keys =
    tool.type === "HttpTool"
      ? readsOfEndpoint(tool.endpoint).map((read) => ({ ...read, required: false }))
      : []
  return {
    keys,
    everything: tool.type === "HttpTool",
    hostCode: tool.type === "FunctionTool" || tool.type === "Toolset",
  }
}

/** A template that comes to nothing is an error before the request, so what stands there alone has to be in the state. */
function readsOfEndpoint({ url, headers, body }: HttpEndpoint): readonly KeyRead[] {
  const expressions = [
    ...JSON.stringify([url, headers ?? {}, body ?? {}]).matchAll(/\{\{(.*?)\}\}/g),
  ].map(([, expression = ""]) => expression.trim())
  return expressions.flatMap((expression) => {
    const isPath = /^state(\.[\p{L}_][\p{L}\p{N}_]*)+$/u.test(expression)
    return [...expression.matchAll(/\bstate\.([\p{L}_][\p{L}\p{N}_]*)/gu)].map(([, key = ""]) => ({
      key,
      by: "a template of its endpoint",
      required: isPath,
    }))
  })
}

/**
 * What a condition reads. A key is required where the condition fails for want of it: it is asked itself, so that one that looks first
 * whether a key is there requires nothing.
 */
export function readsOfCondition(
  source: string,
  by: string,
  known: Readonly<Record<string, unknown>>,
): Reads {
  const condition = readCondition(source)
  if (condition === null) return { keys: [], everything: true, hostCode: false }
  const { reads, constant } = condition
  const given = { ...Object.fromEntries(reads.map((key) => [key, ""])), ...known }
  return {
    keys: reads.map((key) => ({ key, by, required: requires(condition, key, given) })),
    everything: !constant && reads.length === 0,
    hostCode: false,
  }
}

function requires(
  { evaluate }: CompiledCondition,
  key: string,
  { [key]: _missing, ...others }: Readonly<Record<string, unknown>>,
): boolean {
  try {
    evaluate(others)
    return false
  } catch (cause) {
    if (cause instanceof ConditionFailed) return cause.pyType === "KeyError"
    throw cause
  }
}
