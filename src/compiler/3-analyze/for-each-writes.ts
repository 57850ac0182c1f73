import { systemKeys } from "../../machines/data/system-keys.js"
import type { AgentNode, ParallelAgentNode, WorkflowTree } from "../2-resolve/agent-node.js"
import { subAgentsOf } from "../2-resolve/agent-node.js"
import type { ResolvedWorkflow } from "../2-resolve/resolve-workflow.js"
import { fieldOf, report } from "../diagnostics/config-location.js"
import { describeValue } from "../diagnostics/show.js"
import { didYouMean } from "../../machines/data/suggest.js"
import { branchWrites } from "./branch-writes.js"
import { mergeRuleOf, outputKeyOf, runsHostCode } from "./node-facts.js"

/** A write of a state key whose value no later step of the same branch can read. */
interface LastWrite {
  readonly writer: AgentNode
  readonly key: string
}

/**
 * Reports warnings for parallel blocks with `forEach`. The warnings are for keys that are dropped
 * at the end of a branch, collected keys that no agent writes, and nested blocks whose item hides
 * the item of the outer block.
 */
export function warnOfForEach(resolved: ResolvedWorkflow): void {
  const { workflow, agents } = resolved
  const writesOf = branchWrites(workflow)
  const lastWritesOf = remembered(lastWrites)
  const blocksIn = nestedBlocks(workflow)
  const hostCodeIn = remembered<boolean>(
    (agent, inside) =>
      runsHostCode(agent, workflow.tools) ||
      belowOf(agent, workflow).some((below) => inside(below)),
  )
  const reported = new Set<string>()
  for (const block of workflow.agents.values()) {
    const config = agents.get(block.id)
    const child = block.type === "ParallelAgent" ? block.subAgents[0]?.agent : undefined
    if (block.type !== "ParallelAgent" || child === undefined || config === undefined) continue
    const { forEach } = block
    if (forEach === null) continue
    const location = config.fieldAt("forEach")
    for (const write of lastWritesOf(child))
      if (isDropped(write.key, block, workflow)) reportDropped(write, block, resolved, reported)
    if (!hostCodeIn(child)) {
      const written = writesOf(child)
      for (const [target, source] of Object.entries(forEach.collect))
        if (!written.has(source) && !systemKeys.has(source))
          report(fieldOf(fieldOf(location, "collect"), target), {
            code: "key_never_written",
            severity: "warning",
            problem: `collects the key ${describeValue(source)}, which nothing in a branch of ${describeValue(block.id)} writes: every element of the list is null`,
            fix: `${didYouMean(location.parser.suggest(source, [...written.keys()]))}Use the outputKey of an agent or a tool in the branch.`,
          })
    }
    const inner = blocksIn(child).get(forEach.as)
    if (inner !== undefined)
      report(agents.get(inner)?.fieldAt("forEach") ?? location, {
        code: "hidden_item",
        severity: "warning",
        problem: `names its item ${describeValue(forEach.as)}, like the block ${describeValue(block.id)} around ${describeValue(inner)}: the item of ${describeValue(block.id)} is hidden`,
        fix: `Choose a different name for the inner item, for example "as": "inner_${forEach.as}".`,
      })
  }
}

/**
 * Returns whether the value of a state key is dropped at the end of each branch of a block. This is
 * the case if the block does not collect the key and no merge rule applies to it.
 */
function isDropped(
  key: string,
  { forEach }: ParallelAgentNode,
  { settings }: WorkflowTree,
): boolean {
  if (forEach === null || Object.values(forEach.collect).includes(key)) return false
  const isItem = key === forEach.as || key === `${forEach.as}_index`
  return isItem || mergeRuleOf(key, settings) === "replace"
}

function reportDropped(
  { writer, key }: LastWrite,
  { id }: ParallelAgentNode,
  { agents }: ResolvedWorkflow,
  reported: Set<string>,
): void {
  const config = agents.get(writer.id)
  const mark = JSON.stringify([writer.id, key])
  if (config === undefined || reported.has(mark)) return
  reported.add(mark)
  report(config.fieldAt(writer.type === "ParallelAgent" ? "forEach" : "outputKey"), {
    code: "dropped_key",
    severity: "warning",
    problem: `writes the key ${describeValue(key)}, which is dropped: the branches of ${describeValue(id)} (forEach) all write it, and nothing in a branch reads it later`,
    fix: `Collect it in ${describeValue(id)}: "collect": {${describeValue(`all_${key}`)}: ${describeValue(key)}}, or define how the values are merged: "stateMerge": {${describeValue(key)}: "append"}.`,
  })
}

/**
 * Returns the writes of an agent that no later step of the same `forEach` branch can read. Such
 * writes have no effect unless they are collected or merged. Callbacks can read every key, so the
 * result is empty for an agent with callbacks.
 */
function lastWrites(
  agent: AgentNode,
  inside: (below: AgentNode) => readonly LastWrite[],
): readonly LastWrite[] {
  if ("hooks" in agent && agent.hooks !== null) return []
  const key = outputKeyOf(agent)
  const own = key === null ? [] : [{ writer: agent, key }]
  switch (agent.type) {
    case "HumanAgent":
    case "WorkflowAgent":
      return own
    case "LlmAgent":
      return agent.adk?.hooks === undefined ? [...own, ...agent.subAgents.flatMap(inside)] : []
    case "SequentialAgent":
      return [...own, ...lastOf(agent.subAgents, inside)]
    case "LoopAgent":
      return agent.maxIterations === 1 && agent.exitCondition === null
        ? [...own, ...lastOf(agent.subAgents, inside)]
        : own
    case "ParallelAgent":
      return agent.forEach === null
        ? agent.subAgents.flatMap((position) => inside(position.agent))
        : Object.keys(agent.forEach.collect).map((target) => ({ writer: agent, key: target }))
    default:
      return []
  }
}

const lastOf = (
  positions: ParallelAgentNode["subAgents"],
  inside: (below: AgentNode) => readonly LastWrite[],
): readonly LastWrite[] => positions.slice(-1).flatMap((position) => inside(position.agent))

const belowOf = (agent: AgentNode, { tools }: WorkflowTree): readonly AgentNode[] => [
  ...subAgentsOf(agent),
  ...(agent.type === "LlmAgent"
    ? agent.tools.flatMap((id) => {
        const tool = tools.get(id)
        return tool?.type === "AgentTool" ? [tool.target] : []
      })
    : []),
]

/**
 * Maximum number of item names that are collected in one config, because a malicious config could
 * take quadratic time.
 */
const budget = 1_000_000

/**
 * Returns a function that finds the blocks with `forEach` inside an agent. The function maps each
 * item name to the id of the first block that uses the name.
 */
function nestedBlocks(workflow: WorkflowTree): (agent: AgentNode) => ReadonlyMap<string, string> {
  let left = budget
  return remembered<ReadonlyMap<string, string>>((agent, inside) => {
    const blocks = new Map<string, string>()
    if (agent.type === "ParallelAgent" && agent.forEach !== null)
      blocks.set(agent.forEach.as, agent.id)
    for (const below of belowOf(agent, workflow))
      for (const [as, id] of inside(below)) if (left-- > 0 && !blocks.has(as)) blocks.set(as, id)
    return blocks
  })
}

/**
 * Returns a function that calls `evaluate` once for each agent and caches the result. `evaluate`
 * may call the function that it receives for other agents, because an agent never contains itself.
 */
function remembered<Result>(
  evaluate: (agent: AgentNode, inside: (below: AgentNode) => Result) => Result,
): (agent: AgentNode) => Result {
  const known = new Map<AgentNode, Result>()
  const resultOf = (agent: AgentNode): Result => {
    const earlier = known.get(agent)
    if (earlier !== undefined) return earlier
    const result = evaluate(agent, resultOf)
    known.set(agent, result)
    return result
  }
  return resultOf
}
