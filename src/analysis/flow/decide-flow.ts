import { isTurnMachine } from "../../machines/registry/turn-machines.js"
import type { AgentChart } from "../../machines/contract/agent-chart.js"
import type { ChartGraph, ChartGraphNode } from "../../machines/contract/chart-graph.js"
import type { ChartState } from "../../machines/contract/chart-machine.js"
import { type HookUse, serviceOfHook } from "../../machines/contract/hook-use.js"
import type { MachineAgentSpec } from "../containers/machine-agent-behavior.js"
import { NotAnalyzed } from "../behavior/setting.js"
import type { Policy, PolicySet } from "../../policies/policy.js"
import { functionFlow } from "./flow-functions.js"
import { graphFlow } from "./flow-graph.js"
import { machineFlow } from "./flow-machine.js"
import { runHuman } from "./flow-human.js"
import { type FlowFanInput, itemOf } from "./flow-items.js"
import { type FlowRule, flowRule } from "./flow-rule.js"
import type { FlowState, FlowStep, Undeclared } from "./flow-state.js"
import { firstOf, flowStep, sameState, union, pathOf, withHistory, withKey } from "./flow-state.js"
import { earlyState, joinOutputs, saveOutput, withEarlyState } from "./outflow.js"
import { type Inflow, type Outflow, turnFlow } from "./flow-turn.js"

/** The verdict on a `noFlow` policy, which forbids that data flows from a source to a sink. */
export type FlowVerdict =
  | { readonly verdict: "proved" }
  | { readonly verdict: "not_analyzed"; readonly construct: string }
  | { readonly verdict: "violated"; readonly path: readonly FlowStep[] }
  | {
      readonly verdict: "unknown"
      readonly undeclared: readonly Undeclared[]
      /** The steps of the data path from a source of the policy to a sink, in order. */
      readonly path: readonly FlowStep[]
    }

/**
 * Decides whether a chart satisfies a `noFlow` policy (docs/policies.md#data-flow). Follows the
 * data through the agents, and repeats loops and conversations until no new data appears. Returns
 * null for all other policies.
 */
export function decideFlow(chart: AgentChart, policy: Policy, set: PolicySet): FlowVerdict | null {
  const { rule: noFlow } = policy
  if (noFlow.pattern !== "noFlow") return null
  const follow = (isPessimistic: boolean): FlowRule => {
    const rule = flowRule(noFlow, policy.inside, chart, set, isPessimistic)
    followChart(rule)
    return rule
  }
  try {
    return answerOf(follow)
  } catch (cause) {
    if (cause instanceof NotAnalyzed) return { verdict: "not_analyzed", construct: cause.construct }
    throw cause
  }
}

function answerOf(follow: (isPessimistic: boolean) => FlowRule): FlowVerdict {
  const found = follow(false).shortestPath()
  if (found !== null) return { verdict: "violated", path: pathOf(found) }
  const { machines, shortestPath: findPossible } = follow(true)
  const possible = findPossible()
  if (possible === null) return { verdict: "proved" }
  const path = pathOf(possible)
  const byName = new Map(
    path.flatMap(({ assumes }) => (assumes === null ? [] : [[assumes.name, assumes] as const])),
  )
  // Without an undeclared function or toolset on the path, a MachineAgent makes it uncertain.
  const uncertain =
    byName.size > 0
      ? [...byName.values()]
      : [...machines].map((name): Undeclared => ({ of: "machine", name }))
  return { verdict: "unknown", undeclared: uncertain, path }
}

function followChart(rule: FlowRule): void {
  const { chart } = rule
  const keys = Object.keys(chart.input.state)
  const named = new Set([...keys, ...rule.sourceKeys.filter((key) => !key.includes("*"))])
  const start: FlowState = {
    keys: new Map(
      [...named].flatMap((key) =>
        rule.isSource("key", key) ? [[key, flowStep("key", key, null, null)] as const] : [],
      ),
    ),
    history:
      chart.dialect === "adk" && rule.set.assume.session === "any"
        ? flowStep("history", "session", null, null)
        : null,
    prompt: rule.isSource("prompt", "user") ? flowStep("prompt", "user", null, null) : null,
  }
  for (const [key, step] of start.keys) rule.reach("key", key, step)
  const isAdk = chart.dialect === "adk"
  let state = isAdk ? withHistory(start, start.prompt) : start
  // In later cycles, invocations and runs of a session, the root agent runs again with the data of
  // earlier ones.
  const isRepeated = repeats(chart) || rule.set.assume.session === "any"
  for (;;) {
    const output = runMachine(chart.root, state, { input: null, seesHistory: isAdk }, rule)
    const next = isRepeated ? union(state, output.state) : state
    if (sameState(next, state)) return
    state = next
  }
}

/** Returns whether the root agent can run several times in one run. */
const repeats = ({ machines, root }: AgentChart): boolean => {
  const { states = {} } = machines[root] ?? {}
  return "cycling" in states || Object.values(states).some(({ tags }) => tags?.includes("resting"))
}

function runMachine(key: string, state: FlowState, input: Inflow, rule: FlowRule): Outflow {
  const machine = Object.hasOwn(rule.chart.machines, key) ? rule.chart.machines[key] : undefined
  if (machine === undefined) throw new NotAnalyzed(`the machine "${key}"`)
  return withEarlyState(runInOrder(Object.values(machine.states), state, input, rule))
}

/**
 * Propagates tainted data (data from a source of the policy) through a list of states. With the
 * order `sequence`, the states run in order, except those that a condition skips. With `any`, the
 * states may run in any order, as in handoff teams and custom agents.
 */
function runInOrder(
  states: readonly ChartState[],
  before: FlowState,
  input: Inflow,
  rule: FlowRule,
  order: "sequence" | "any" = "sequence",
): Outflow {
  let output: Outflow = { state: before, text: null, early: before }
  let isOptional = false
  for (const state of states) {
    if (state.meta === undefined && state.states === undefined && state.invoke === undefined) {
      isOptional ||= state.tags?.includes("choice") === true
      continue
    }
    const next = runState(state, output.state, input, rule)
    output = {
      state: isOptional || order === "any" ? union(next.state, output.state) : next.state,
      text: firstOf(next.text, output.text),
      early: union(earlyState(output), earlyState(next)),
    }
    isOptional = false
  }
  return output
}

function runState(state: ChartState, before: FlowState, input: Inflow, rule: FlowRule): Outflow {
  const agents = state.meta?.path.split("/").map((segment) => segment.replace(/[~[].*$/u, ""))
  return rule.inside(agents ?? [], () => followState(state, before, input, rule))
}

function followState(state: ChartState, before: FlowState, input: Inflow, rule: FlowRule): Outflow {
  const { meta, invoke, states, type } = state
  if (invoke !== undefined) return runInvoked(state, before, input, rule)
  const children = Object.values(states ?? {})
  if (type === "parallel") {
    const branches = children.map((region) =>
      withEarlyState(runInOrder(Object.values(region.states ?? {}), before, input, rule)),
    )
    return saveOutput(state, joinOutputs(branches, before), rule)
  }
  const hasOrder = meta?.kind !== "CustomAgent" && meta?.team !== true
  if (meta?.kind !== "LoopAgent" && hasOrder)
    return saveOutput(state, runInOrder(children, before, input, rule), rule)
  const order = hasOrder ? "sequence" : "any"
  let output = runInOrder(children, before, input, rule, order)
  for (let isStable = false; !isStable;) {
    const start = union(before, output.state)
    const next = runInOrder(children, start, input, rule, order)
    isStable = sameState(next.state, output.state)
    output = {
      state: union(output.state, next.state),
      text: firstOf(output.text, next.text),
      early: union(earlyState(output), earlyState(next)),
    }
  }
  return saveOutput(state, withEarlyState(output), rule)
}

function runInvoked(
  { meta, invoke }: ChartState,
  before: FlowState,
  given: Inflow,
  rule: FlowRule,
): Outflow {
  const { src = "", input = {} } = invoke ?? {}
  const agent = meta?.agent ?? ""
  switch (src) {
    case "hookList": {
      // The compiler writes the callbacks here.
      const services = (input["services"] ?? []) as readonly HookUse[]
      return services.map(serviceOfHook).reduce<Outflow>(
        (output, service) => {
          const flow = functionFlow(service, agent, output.text, output.state, rule)
          return { state: flow.state, text: firstOf(flow.result, output.text) }
        },
        { state: before, text: null },
      )
    }
    case "hostCode": {
      const flow = functionFlow(
        String(input["service"]),
        agent,
        given.input?.step ?? before.prompt,
        before,
        rule,
      )
      return { state: flow.state, text: flow.result }
    }
    case "fan":
      // The machine `fan` expects its input in this shape.
      return runFan(input as unknown as FlowFanInput, before, given, rule)
    case "machineAgent": {
      // The machine `machineAgent` expects its input in this shape.
      const spec = input["spec"] as MachineAgentSpec
      return machineFlow(agent, spec, before, given, rule, (...one) => runAgent(...one, rule))
    }
    case "workflowGraph":
      // The machine `workflowGraph` expects its input in this shape.
      return runGraph(input["graph"] as ChartGraph, before, given, rule)
    default:
      return runAgent(agent, src, before, given, rule)
  }
}

/**
 * Propagates tainted data (data from a source of the policy) through the branches of a parallel
 * block. Each branch starts with the data from before the block. In a `forEach` block, it also
 * starts with the data of its item.
 */
function runFan(
  { branches, forEach }: FlowFanInput,
  before: FlowState,
  input: Inflow,
  rule: FlowRule,
): Outflow {
  const item = forEach === undefined ? null : itemOf(forEach, before)
  const start = forEach === undefined ? before : withKey(before, forEach.as, item)
  const output = branches.map((branch) => runAgent(branch.agent, branch.src, start, input, rule))
  const all = joinOutputs(output, before)
  if (forEach === undefined) return all
  let { state } = all
  for (const [target, source] of Object.entries(forEach.collect)) {
    const step = state.keys.get(source) ?? null
    rule.reach("key", target, step)
    state = withKey(state, target, step)
  }
  return { ...all, state }
}

const runGraph = (graph: ChartGraph, before: FlowState, input: Inflow, rule: FlowRule): Outflow =>
  graphFlow(graph, before, input, (node, state, nodeInput) => runNode(node, state, nodeInput, rule))

const runNode = (node: ChartGraphNode, before: FlowState, input: Inflow, rule: FlowRule): Outflow =>
  rule.inside([node.id], () => followNode(node, before, input, rule))

function followNode(
  node: ChartGraphNode,
  before: FlowState,
  given: Inflow,
  rule: FlowRule,
): Outflow {
  const { id, src, service, tool, graph } = node
  const input = given.input === null ? before.prompt : given.input.step
  if (graph !== undefined) return runGraph(graph, before, given, rule)
  if (node.kind === "WaitAgent") return { state: before, text: input }
  if (src === null) return { state: before, text: input }
  if (src !== "hostCode" && src !== "toolNode") return runAgent(id, src, before, given, rule)
  const name = tool ?? service ?? id
  if (node.kind === "ToolNode") {
    rule.reach("arguments", name, input)
    rule.reach("request", name, input)
  }
  const flow = functionFlow(service ?? id, id, input, before, rule)
  const result =
    node.kind === "ToolNode" && rule.isSource("result", name)
      ? flowStep("result", name, id, null)
      : node.kind === "ToolNode" && rule.isCleaned("result", name)
        ? null
        : flow.result
  // A router passes its input on.
  return { state: flow.state, text: node.kind === "RouterNode" ? firstOf(result, input) : result }
}

function runAgent(
  agent: string,
  src: string,
  before: FlowState,
  given: Inflow,
  rule: FlowRule,
): Outflow {
  return rule.inside([agent], () => {
    if (src === "humanAgent") return runHuman(agent, before, rule)
    if (src === "waitAgent") return { state: before, text: null }
    if (!isTurnMachine(src)) return runMachine(src, before, given, rule)
    return turnFlow(agent, before, given, rule, (machine, state, input) =>
      runMachine(machine, state, input, rule),
    )
  })
}
