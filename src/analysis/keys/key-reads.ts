import type { CompiledCondition } from "../../expression/index.js"
import { ConditionFailed } from "../../expression/index.js"
import { guardrailServices } from "../../machines/contract/guardrails/guardrails.js"
import type { ToolDefinition } from "../../machines/contract/tool-definition.js"
import type { AgentDefinition } from "../../machines/contract/agent-definition.js"
import type { HttpEndpoint } from "../../machines/contract/services.js"
import { keysInPrompt } from "../../machines/human/prompt-template.js"
import { keysIn } from "../../machines/model-call/instruction-template.js"
import { endpointExpressions, keysInExpression } from "../../policies/agent-reads.js"
import { readCondition } from "../conditions/read-condition.js"

/** The session state keys that an agent, a tool or a condition reads. */
export interface Reads {
  readonly keys: readonly KeyRead[]
  /** Whether the agent or tool receives the whole session state, so that it can read any key. */
  readonly everything: boolean
  /**
   * Whether a host function (a function that you register) can read and write any key of the
   * session state.
   */
  readonly hostCode: boolean
}

export interface KeyRead {
  readonly key: string
  /**
   * The part of the agent that reads the key, as text for messages. For example `the instruction`
   * or `the prompt`.
   */
  readonly by: string
  /** Whether the run fails if the session state does not contain the key. */
  readonly required: boolean
}

type LlmAgent = Extract<AgentDefinition, { type: "LlmAgent" }>

/** Returns the session state keys that an agent reads in each turn before its first model call. */
export function readsOfTurn(definition: LlmAgent): Reads {
  const { adk, endpoint, byName, instructions, toolsets, guardrails } = definition
  const templates = [
    adk?.globalInstruction,
    adk?.instruction,
    byName?.state === "filled" ? instructions : null,
  ].flatMap((template) => (template == null ? [] : keysIn(template)))
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
    // Endpoints receive the whole state with every call. Most models called by name do not.
    everything: endpoint !== null || byName?.state === "appended",
    hostCode:
      isServed ||
      adk?.hooks !== undefined ||
      guardrailServices(guardrails).length > 0 ||
      (adk?.policies ?? []).length > 0 ||
      toolsets !== undefined,
  }
}

/**
 * Returns the session state keys that a HumanAgent shows to the person, including the keys in its
 * prompt. All keys are optional. If a key is missing, its placeholder is shown unchanged.
 */
export const readsOfHumanAgent = ({
  prompt,
  show = [],
}: {
  readonly prompt: string | null
  readonly show?: readonly string[]
}): readonly KeyRead[] => [
  ...(prompt === null ? [] : keysInPrompt(prompt)).map(({ key }) => ({
    key,
    by: "the prompt",
    required: false,
  })),
  ...show.map((key) => ({ key, by: '"show"', required: false })),
]

/**
 * Returns the session state keys in the `until` template of a WaitAgent. The text of the template
 * is the time at which the agent continues. If a key without `?` is missing, the agent fails.
 */
export const readsOfWaitAgent = ({ until }: { readonly until?: string }): readonly KeyRead[] =>
  (until === undefined ? [] : keysInPrompt(until)).map(({ key, optional }) => ({
    key,
    by: '"until"',
    required: !optional,
  }))

/**
 * Returns the session state keys that a WorkflowAgent inserts into the prompt and the input of the
 * workflow that it calls. All keys are optional.
 */
export const readsOfWorkflowAgent = ({
  prompt,
  input = {},
}: {
  readonly prompt: string | null
  readonly input?: Readonly<Record<string, string>>
}): readonly KeyRead[] => [
  ...(prompt === null ? [] : keysInPrompt(prompt)).map(({ key }) => ({
    key,
    by: "the prompt",
    required: false,
  })),
  ...Object.values(input).map((key) => ({ key, by: '"input"', required: false })),
]

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

/**
 * Returns the session state keys in the templates of an HTTP endpoint. A key is required if a
 * template consists only of a path such as `state.city`, because a template without a value is an
 * error.
 */
const readsOfEndpoint = (endpoint: HttpEndpoint): readonly KeyRead[] =>
  endpointExpressions(endpoint).flatMap((expression) => {
    const isPath = /^state(\.[\p{L}_][\p{L}\p{N}_]*)+$/u.test(expression)
    return keysInExpression(expression).map((key) => ({
      key,
      by: "a template in the endpoint",
      required: isPath,
    }))
  })

/**
 * Returns the session state keys that a condition reads. A key is required if the condition fails
 * without it. To test this, the condition is evaluated without the key. For example,
 * `state.get('key')` does not require its key.
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
