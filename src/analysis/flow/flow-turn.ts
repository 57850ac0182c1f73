import type { AgentDefinition } from "../../machines/contract/agent-definition.js"
import type { HttpEndpoint } from "../../machines/contract/services.js"
import type { ToolDefinition } from "../../machines/contract/tool-definition.js"
import { endpointsOf, policyModelNamesOf } from "../../machines/model-call/agent-models.js"
import { functionFlow } from "./flow-functions.js"
import { inVerdicts, reachHelpers } from "./flow-helpers.js"
import { listedTools, prefixed } from "../behavior/listed-tools.js"
import { endpointKeys, instructionKeys, servicesOf } from "../../policies/agent-reads.js"
import { permissionsOf } from "../../policies/permissions-of.js"
import type { FlowRule } from "./flow-rule.js"
import type { FlowState, FlowStep, Undeclared } from "./flow-state.js"
import { anyKey, firstOf, flowStep, withHistory, withKey } from "./flow-state.js"

/**
 * The tainted data (data from a source of the policy) after an agent or container has ended.
 * `state` is the data in the session state, and `text` is the data in its output text.
 */
export interface Outflow {
  readonly state: FlowState
  /** Tainted data in the output text of the agent or container. null if there is none. */
  readonly text: FlowStep | null
  /**
   * The tainted data in the session state if a container ends early, because an agent in it exits
   * or fails. It is the union of the data after each step. If absent, it is the same as `state`.
   */
  readonly early?: FlowState
}

/**
 * The tainted data (data from a source of the policy) that an agent receives in addition to the
 * session state.
 */
export interface Inflow {
  /**
   * The input of a graph node, or of an agent that an AgentTool runs. `step` is the tainted data in
   * the input, or null if there is none. The field is null if the agent receives the prompt of the
   * user instead.
   */
  readonly input: { readonly step: FlowStep | null } | null
  /** Whether the agent receives the history of the session. Only in the adk dialect. */
  readonly seesHistory: boolean
}

type LlmDefinition = Extract<AgentDefinition, { type: "LlmAgent" }>

/**
 * Propagates tainted data (data from a source of the policy) through the machine that an AgentTool
 * runs. Returns the tainted data after the machine has ended.
 */
export type FollowMachine = (machine: string, state: FlowState, input: Inflow) => Outflow

/**
 * Propagates tainted data (data from a source of the policy) through a turn of an LlmAgent. Calls
 * `rule.reach` for each location that the data reaches and that can be a sink.
 */
export function turnFlow(
  agent: string,
  before: FlowState,
  input: Inflow,
  rule: FlowRule,
  runMachine: FollowMachine,
): Outflow {
  // Every position of an LlmAgent has a definition.
  const definition = rule.chart.agents[agent] as LlmDefinition
  const { adk, endpoint, outputKey } = definition
  let state = before
  let seen = firstOf(
    seenAtStart(agent, definition, state, input, rule),
    inVerdicts(agent, definition, rule),
  )
  const instructed = inInstructions(definition, state)
  rule.reach("instructions", agent, instructed)
  seen = firstOf(seen, instructed)
  for (const service of servicesOf(definition)) {
    const flow = functionFlow(service, agent, seen, state, rule)
    seen = firstOf(seen, flow.result)
    state = flow.state
  }
  // Each tool can be called after each other tool, so the turn is repeated until nothing changes.
  for (let isChanged = true; isChanged;) {
    const [seenBefore, stateBefore] = [seen, state]
    for (const { name, tool, assumes } of toolsOf(definition, rule)) {
      const input =
        assumes === null || seen === null ? seen : flowStep("tool", name, agent, seen, assumes)
      const called = callFlow(name, tool, agent, input, state, rule, runMachine, assumes)
      seen = firstOf(seen, called.text)
      state = called.state
    }
    seen = firstOf(
      seen,
      endpoint === null ? null : anyKey(state),
      inInstructions(definition, state),
    )
    isChanged = seenBefore !== seen || stateBefore !== state
  }
  rule.reach("input", agent, seen)
  for (const model of policyModelNamesOf(definition)) rule.reach("model", model, seen)
  const endpoints = endpointsOf(definition)
  for (const { url } of endpoints) rule.reach("server", url, seen)
  reachHelpers(definition, seen, state, rule)
  rule.reach("instructions", agent, inInstructions(definition, state))
  const text = textFlow(agent, seen, rule, endpoints)
  if (outputKey !== null) {
    state = withKey(state, outputKey, text)
    rule.reach("key", outputKey, text)
  }
  return {
    state: adk === undefined ? state : withHistory(state, firstOf(text, resultsIn(seen))),
    text,
  }
}

/**
 * Returns the tainted data (data from a source of the policy) in the output text of an agent's
 * model. A text or a model server that the policy names as a source is the first step of a data
 * path. Returns null if the text contains no tainted data, or if the policy lists the text under
 * `unless`.
 */
function textFlow(
  agent: string,
  seen: FlowStep | null,
  rule: FlowRule,
  endpoints: readonly HttpEndpoint[],
): FlowStep | null {
  if (rule.isCleaned("text", agent)) return null
  if (rule.isSource("text", agent)) return flowStep("text", agent, agent, null)
  if (endpoints.some(({ url }) => rule.isSource("server", url)))
    return flowStep("text", agent, agent, null)
  return seen === null ? null : flowStep("text", agent, agent, seen)
}

/**
 * Returns the step of a data path in which a tool result contains the data, or null if there is no
 * such step. The history of the session contains tool results. Therefore, it contains the data even
 * if the agent's text is not tainted.
 */
function resultsIn(seen: FlowStep | null): FlowStep | null {
  for (let step = seen; step !== null; step = step.from) if (step.kind === "result") return step
  return null
}

function seenAtStart(
  agent: string,
  { endpoint, byName }: LlmDefinition,
  state: FlowState,
  { input, seesHistory }: Inflow,
  rule: FlowRule,
): FlowStep | null {
  const found = firstOf(
    input === null ? state.prompt : input.step,
    seesHistory ? state.history : null,
    rule.isSource("answer", agent) ? flowStep("answer", agent, agent, null) : null,
    rule.isSource("prompt", "user") ? flowStep("prompt", "user", agent, null) : null,
    endpoint === null && byName?.state !== "appended" ? null : anyKey(state),
  )
  return found === null ? null : flowStep("conversation", agent, agent, found)
}

function inInstructions(definition: LlmDefinition, { keys }: FlowState): FlowStep | null {
  for (const key of instructionKeys(definition)) {
    const step = keys.get(key)
    if (step !== undefined) return flowStep("template", key, null, step)
  }
  return null
}

function toolsOf(
  { tools, toolsets = [] }: LlmDefinition,
  { chart, set, namedTools, isPessimistic }: FlowRule,
): readonly CallableTool[] {
  return [...tools, ...toolsets].flatMap((id): readonly CallableTool[] => {
    const tool = chart.tools[id]
    if (tool === undefined) return []
    if (tool.type !== "Toolset") return [{ name: id, tool, assumes: null }]
    const listed = listedTools(id, tool, set)
    if (listed !== null) return listed.map((name) => ({ name, tool, assumes: null }))
    const { prefix } = tool
    const possible = namedTools.filter(
      (name) => !tools.includes(name) && (prefix === undefined || name.startsWith(`${prefix}_`)),
    )
    // A tool that the policy does not name returns data from its arguments.
    const other = { name: prefixed("*", tool), tool, assumes: null }
    return isPessimistic
      ? [
          other,
          ...possible.map((name) => ({
            name,
            tool,
            assumes: { of: "toolset", name: id } as const,
          })),
        ]
      : [other]
  })
}

/**
 * A tool that a model can call. If it is uncertain whether the tool exists, `assumes` is the
 * undeclared toolset that may contain the tool. Otherwise, `assumes` is null.
 */
interface CallableTool {
  readonly name: string
  readonly tool: ToolDefinition
  readonly assumes: Undeclared | null
}

/**
 * Propagates tainted data (data from a source of the policy) through the calls of one tool. The
 * data can reach the result of the tool and the keys that it writes. `seen` is the data that the
 * model can send in the arguments.
 */
function callFlow(
  name: string,
  tool: ToolDefinition,
  agent: string,
  seen: FlowStep | null,
  before: FlowState,
  rule: FlowRule,
  runMachine: FollowMachine,
  assumes: Undeclared | null,
): Outflow {
  let state = before
  const sent = seen === null ? null : flowStep("arguments", name, agent, seen)
  const isApproved = rule.isCleanedByApproval && asksAPerson(tool, agent, rule)
  if (!isApproved) rule.reach("arguments", name, seen)
  let answer: FlowStep | null = sent
  switch (tool.type) {
    case "ExitLoopTool":
      return { state, text: null }
    case "HttpTool": {
      const isSentState = !["GET", "HEAD", "DELETE"].includes(tool.endpoint.method.toUpperCase())
      const inTemplate = endpointKeys(tool.endpoint)
        .map((key) => state.keys.get(key))
        .find((step) => step !== undefined)
      const request = firstOf(sent, isSentState ? anyKey(state) : null, inTemplate)
      if (!isApproved) {
        rule.reach("request", name, request)
        rule.reach("server", tool.endpoint.url, request)
      }
      const isSource = rule.isSource("server", tool.endpoint.url)
      answer = isSource ? flowStep("server", tool.endpoint.url, agent, null) : request
      break
    }
    case "FunctionTool": {
      if (!isApproved) rule.reach("request", name, seen)
      const flow = functionFlow(tool.service, agent, sent, state, rule)
      answer = flow.result
      state = flow.state
      break
    }
    case "Toolset": {
      const url = tool.mcp !== undefined && "url" in tool.mcp ? String(tool.mcp.url) : null
      if (!isApproved) rule.reach("request", name, seen)
      if (url !== null) {
        if (!isApproved) rule.reach("server", url, seen)
        if (rule.isSource("server", url)) answer = flowStep("server", url, agent, null)
      }
      break
    }
    case "AgentTool": {
      if (!isApproved) rule.reach("request", name, seen)
      const left = runMachine(
        tool.machine,
        { ...state, history: null },
        { input: { step: sent }, seesHistory: false },
      )
      // The state changes of the target become the caller's.
      for (const [key, step] of left.state.keys) state = withKey(state, key, step)
      answer = left.text
      break
    }
  }
  const result = rule.isCleaned("result", name)
    ? null
    : rule.isSource("result", name)
      ? flowStep("result", name, agent, null, assumes)
      : answer === null
        ? null
        : flowStep("result", name, agent, answer)
  if ("outputKey" in tool && tool.outputKey !== null) {
    state = withKey(state, tool.outputKey, result)
    rule.reach("key", tool.outputKey, result)
  }
  return { state, text: result }
}

/** Returns whether a person must approve every call of a tool by this agent. */
function asksAPerson(tool: ToolDefinition, agent: string, { chart, set }: FlowRule): boolean {
  if ("requireConfirmation" in tool && tool.requireConfirmation === true) return true
  const definition = chart.agents[agent]
  const engines = definition?.type === "LlmAgent" ? (definition.adk?.policies ?? []) : []
  return engines.some((engine) => {
    const decides = permissionsOf(set, engine)?.decides
    return decides != null && Object.values(decides).every((each) => !each.includes("ALLOW"))
  })
}
