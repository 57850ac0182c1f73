import type { ChartGraph, ChartGraphNode } from "../../machines/contract/chart-graph.js"
import type { Behavior, Control, RunEffect, End, Variant } from "../behavior/behavior.js"
import { endVariant, endWith, nextVariant, occurrenceEffect } from "../behavior/behavior.js"
import { withFunctionResult, functionRuns, functionStart } from "../behavior/function-steps.js"
import type { NestedLocation, Setting } from "../behavior/setting.js"
import { declarationOf } from "../behavior/setting.js"
import { reportAtEnd, writesIn } from "../behavior/deferred-writes.js"

/**
 * Returns the transition system (all possible executions) of an agent. `src` is the name of the
 * machine that runs the agent.
 */
export type AgentBehavior = (
  agent: string,
  src: string,
  location: NestedLocation,
  setting: Setting,
) => Behavior

/**
 * Returns the transition system of one node of an ADK workflow graph. At the end of the node,
 * `End.route` contains the route that the node returned. The route selects the next node.
 */
export function nodeBehavior(
  graph: ChartGraph,
  number: number,
  location: NestedLocation,
  setting: Setting,
  agentBehavior: AgentBehavior,
  innerGraph: (agent: string, graph: ChartGraph) => Behavior,
): Behavior {
  const node = graph.nodes[number] as ChartGraphNode
  const { id, src, service, tool } = node
  if (node.graph !== undefined) return innerGraph(id, node.graph)
  const routed = graph.edges.filter(({ from }) => from === number)
  const named = [...new Set(routed.flatMap(({ route }) => route ?? []))]
  const chooses = routed.some(({ route, otherwise }) => route !== undefined || otherwise === true)
  const routes = (declared: readonly string[] | null): readonly (string | null)[] =>
    !chooses ? [null] : declared === null ? [...named, null] : declared
  if (src !== "hostCode" && src !== "toolNode") {
    const inner = agentBehavior(id, src ?? "", location, setting)
    const by = { agent: id, within: location.within }
    const spread = <Step extends Variant>(step: Step): readonly Step[] => {
      const variant = reportAtEnd(step, by, setting)
      return variant.end === null
        ? [variant]
        : routes(null).map((route) => ({
            ...variant,
            effects:
              route === null
                ? variant.effects
                : [...variant.effects, { type: "fixedText", text: route }],
            end: { ...(variant.end as End), route },
          }))
    }
    return {
      start: () => inner.start().flatMap(spread),
      moves: (state) => inner.moves(state).flatMap(spread),
      waits: (state) => inner.waits(state),
    }
  }
  return codeNode(
    node,
    tool ?? null,
    service ?? id,
    routes(declarationOf(setting, service ?? id)?.mayReturn ?? null),
    location,
    setting,
  )
}

const running: Control = { key: "running" }

/**
 * Returns the transition system (all possible executions) of a graph node that runs a host function
 * or calls a tool.
 */
function codeNode(
  { id, src }: ChartGraphNode,
  tool: string | null,
  service: string,
  routes: readonly (string | null)[],
  location: NestedLocation,
  setting: Setting,
): Behavior {
  const base = { agent: id, within: location.within }
  const self = location.within.at(-1)
  const activity = self === undefined ? {} : { activity: self }
  const isTool = src === "toolNode" || tool !== null
  const toolName = tool ?? service
  const frame = { id: `${location.id}#tool`, agent: null, tool: toolName }
  const finish = (outcome: End["signal"]): readonly RunEffect[] => [
    ...(isTool && outcome === "done"
      ? [occurrenceEffect({ kind: "result", name: toolName, ...base })]
      : []),
    ...(isTool
      ? [occurrenceEffect({ kind: "returned", name: toolName, ...base, activity: frame })]
      : []),
    occurrenceEffect({ kind: "finish", name: id, ...base, outcome, ...activity }),
  ]
  const moves = functionRuns(service, id, location, setting).flatMap(({ effects, does }) => [
    ...routes.map((route) => ({
      ...endVariant(
        endWith("done", { route, wrote: setting.readsWrites ? writesIn(effects) : [] }),
        [...withFunctionResult(effects, { tool, value: route }), ...finish("done")],
      ),
      records: 1,
      does: does ?? (route === null ? `${id} returns.` : `${id} chooses the route "${route}".`),
      agent: id,
    })),
    {
      ...endVariant(endWith("failed"), [
        ...withFunctionResult(effects, { tool, ends: "throws" }),
        ...finish("failed"),
      ]),
      records: 1,
      does: does ?? `${id} throws.`,
      agent: id,
    },
  ])
  return {
    start: () => [
      nextVariant(running, [
        occurrenceEffect({ kind: "start", name: id, ...base, ...activity }),
        ...(isTool
          ? [
              occurrenceEffect({
                kind: "call",
                name: toolName,
                ...base,
                approved: false,
                activity: frame,
              }),
            ]
          : []),
        ...functionStart(service, id, location, setting),
      ]),
    ],
    moves: () => moves,
    waits: () => false,
  }
}
