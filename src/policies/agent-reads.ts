import type { AgentDefinition } from "../machines/contract/agent-definition.js"
import { guardrailServices } from "../machines/contract/guardrails/guardrails.js"
import type { HookUse } from "../machines/contract/hook-use.js"
import { serviceOfHook } from "../machines/contract/hook-use.js"
import type { HttpEndpoint } from "../machines/contract/services.js"
import { keysIn } from "../machines/model-call/instruction-template.js"

type LlmDefinition = Extract<AgentDefinition, { type: "LlmAgent" }>

/**
 * Returns the session state keys that an agent reads in the templates of its instructions and of
 * its endpoint.
 */
export const instructionKeys = ({
  adk,
  byName,
  instructions,
  endpoint,
}: LlmDefinition): readonly string[] => [
  ...[
    adk?.globalInstruction,
    adk?.instruction,
    byName?.state === "filled" ? instructions : null,
  ].flatMap((template) => (template == null ? [] : keysIn(template).map(({ key }) => key))),
  ...(endpoint === null ? [] : endpointKeys(endpoint)),
]

/**
 * Returns the session state keys that an agent's instructions require. If one of them is missing,
 * the instructions cannot be filled and the agent fails.
 */
export const requiredKeys = ({ adk }: LlmDefinition): readonly string[] =>
  [adk?.globalInstruction, adk?.instruction].flatMap((template) =>
    template == null ? [] : keysIn(template).flatMap(({ key, optional }) => (optional ? [] : key)),
  )

/** Returns the session state keys that the templates of an HTTP endpoint read. */
export const endpointKeys = (endpoint: HttpEndpoint): readonly string[] =>
  endpointExpressions(endpoint).flatMap(keysInExpression)

/**
 * Returns the expressions in the templates of an HTTP endpoint. For example, the URL
 * `https://shop.test/{{ state.city }}` contains the expression `state.city`.
 */
export const endpointExpressions = ({ url, headers, body }: HttpEndpoint): readonly string[] =>
  [...JSON.stringify([url, headers ?? {}, body ?? {}]).matchAll(/\{\{(.*?)\}\}/gu)].map(
    ([, expression = ""]) => expression.trim(),
  )

/**
 * Returns the session state keys that a template expression reads. For example, `state.city` reads
 * the key `city`.
 */
export const keysInExpression = (expression: string): readonly string[] =>
  [...expression.matchAll(/\bstate\.([\p{L}_][\p{L}\p{N}_]*)/gu)].map(([, key = ""]) => key)

/**
 * Returns the names of all host functions that an agent uses as guardrails, as callbacks or to
 * create its instructions.
 */
export const servicesOf = ({ adk, guardrails }: LlmDefinition): readonly string[] => [
  ...guardrailServices(guardrails),
  ...Object.values(adk?.hooks ?? {}).flatMap((uses: readonly HookUse[] = []) =>
    uses.map(serviceOfHook),
  ),
  ...[adk?.globalInstructionService, adk?.instructionService].filter((name) => name !== undefined),
]
