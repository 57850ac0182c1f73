import type {
  AgentNode,
  LoopAgentNode,
  ParallelAgentNode,
  Position,
  WorkflowTree,
} from "../2-resolve/agent-node.js"
import { agentYaml } from "./agent-yaml.js"
import type { GraphDraft, GraphSection } from "./graph-draft.js"
import { chainsOf, connect, start } from "./graph-draft.js"

/**
 * The result of converting an agent tree to a graph: the files, and the remaining work for the
 * user.
 */
export interface Unrolled {
  /** Contents of the files by file name. The file `root_agent.yaml` contains the graph. */
  readonly files: ReadonlyMap<string, Readonly<Record<string, unknown>>>
  /**
   * Functions that the user must write. Keys are the names of the functions, such as
   * `routers.NAME`. Values describe the result that the function must return.
   */
  readonly functions: ReadonlyMap<string, string>
  /**
   * Sentences for the user. Each sentence describes a feature of the original agents that the graph
   * does not have.
   */
  readonly notes: ReadonlySet<string>
}

/**
 * Converts the containers of an agent tree to graph edges. A sequence becomes a chain. A parallel
 * block becomes a fan-out with a join. A loop becomes a separate graph that ends with a router,
 * because the maximum number of runs applies to all nodes of a graph. If an agent has a condition,
 * a router before the agent checks the condition.
 */
export function unroll(workflow: WorkflowTree): Unrolled {
  const files = new Map<string, Readonly<Record<string, unknown>>>()
  const functions = new Map<string, string>()
  const notes = new Set<string>()
  const taken = new Set<string>(workflow.agents.keys())
  const note = (text: string): void => void notes.add(text)

  const fresh = (wanted: string): string => {
    let name = wanted
    for (let twin = 2; taken.has(name); twin++) name = `${wanted}_${twin}`
    taken.add(name)
    return name
  }
  const functionNode = (name: string, does: string): string => {
    const reference = `routers.${fresh(name)}`
    functions.set(reference, does)
    return reference
  }
  const file = (name: string, content: Readonly<Record<string, unknown>>): string => {
    files.set(`${name}.yaml`, content)
    return `${name}.yaml`
  }

  function part(agent: AgentNode, graph: GraphDraft): GraphSection {
    if (
      "outputKey" in agent &&
      agent.outputKey !== null &&
      agent.type !== "LlmAgent" &&
      agent.type !== "HumanAgent" &&
      agent.type !== "WorkflowAgent"
    ) {
      note(
        `"${agent.id}" saved the text of its last agent under "${agent.outputKey}", which a graph does not do. Add this output_key to the last agent.`,
      )
    }
    if ("hooks" in agent && agent.hooks !== null && agent.type !== "CustomAgent")
      note(`The graph does not support the callbacks of "${agent.id}". Add them to its agents.`)
    switch (agent.type) {
      case "SequentialAgent":
        return sequence(agent.subAgents, graph)
      case "ParallelAgent":
        // A graph has a fixed number of nodes and waits for all of them, so other parallel blocks
        // stay agents.
        return isStatic(agent)
          ? parallel(agent, graph)
          : whole(file(agent.id, agentYaml(agent, workflow, note)))
      case "LoopAgent":
        return whole(file(agent.id, loop(agent)))
      default: {
        if (files.has(`${agent.id}.yaml`))
          note(
            `"${agent.id}" is used in several locations, but a graph runs it as one node. Add a separate agent for each location.`,
          )
        return whole(file(agent.id, agentYaml(agent, workflow, note)))
      }
    }
  }

  const whole = (node: string): GraphSection => ({
    entries: [node],
    exits: [{ node, route: null }],
  })

  function position({ agent, when }: Position, graph: GraphDraft): GraphSection {
    const inner = part(agent, graph)
    if (when === null) return inner
    const router = functionNode(`${agent.id}_runs`, `returns "run" if ${when}, else "skip"`)
    connect(graph, [{ node: router, route: "run" }], inner.entries)
    return { entries: [router], exits: [...inner.exits, { node: router, route: "skip" }] }
  }

  function sequence(positions: readonly Position[], graph: GraphDraft): GraphSection {
    const parts = positions.map((one) => position(one, graph))
    for (const [index, { entries }] of parts.entries())
      if (index > 0) connect(graph, parts[index - 1]?.exits ?? [], entries)
    return { entries: parts[0]?.entries ?? [], exits: parts.at(-1)?.exits ?? [] }
  }

  function parallel(
    { id, subAgents, failurePolicy, maxConcurrency }: ParallelAgentNode,
    graph: GraphDraft,
  ): GraphSection {
    if (failurePolicy !== "fail-fast")
      note(`"${id}" continues when a branch fails (${failurePolicy}); a graph fails immediately.`)
    if (maxConcurrency !== null)
      note(`"${id}" runs at most ${maxConcurrency} branches at a time; a graph starts all of them.`)
    const parts = subAgents.map((one) => position(one, graph))
    const name = fresh(`${id}_join`)
    const join = file(name, { agent_class: "JoinNode", name })
    for (const { exits } of parts) connect(graph, exits, [join])
    return {
      entries: parts.flatMap(({ entries }) => entries),
      exits: [{ node: join, route: null }],
    }
  }

  /**
   * Returns the graph of a loop. Its last node is a router, which decides whether the nodes run
   * again. The route that ends the loop leads to a join, because every route needs a target.
   */
  function loop({
    id,
    description,
    subAgents,
    maxIterations,
    exitCondition,
  }: LoopAgentNode): Record<string, unknown> {
    const graph: GraphDraft = { name: id, description, edges: [], maxCycles: maxIterations }
    const body = sequence(subAgents, graph)
    const until = [
      ...(exitCondition === null ? [] : [exitCondition]),
      ...(maxIterations === null
        ? []
        : [`it has been called ${maxIterations} times, including this call`]),
    ]
    const router = functionNode(
      `${id}_goes_on`,
      `returns "done" if ${until.length === 0 ? "the loop must end" : until.join(", or ")}, else "again"`,
    )
    const name = fresh(`${id}_end`)
    connect(graph, [start], body.entries)
    connect(graph, body.exits, [router])
    connect(graph, [{ node: router, route: "again" }], body.entries)
    connect(
      graph,
      [{ node: router, route: "done" }],
      [file(name, { agent_class: "JoinNode", name })],
    )
    note(`An agent that escalates ended the loop "${id}"; in the graph only its router does.`)
    note(
      `The loop "${id}" wrote loop_exit_reason and current_agent_loop_iteration into the state; a graph does not.`,
    )
    return draftYaml(graph)
  }

  function rootGraph(root: AgentNode): Record<string, unknown> {
    if (root.type === "LoopAgent") return loop(root)
    if (root.type === "Workflow") return agentYaml(root, workflow, note)
    const isContainer =
      root.type === "SequentialAgent" || (root.type === "ParallelAgent" && isStatic(root))
    const graph: GraphDraft = {
      name: isContainer ? root.id : fresh(`${root.id}_workflow`),
      description: root.description,
      edges: [],
      maxCycles: null,
    }
    connect(graph, [start], part(root, graph).entries)
    return draftYaml(graph)
  }

  files.set("root_agent.yaml", rootGraph(workflow.root))
  if (workflow.root.type === "Workflow") return { files, functions, notes }
  note(
    "A node receives the output of the previous node, not the history. To pass other data to an agent, read it from the state with {key} in the instruction.",
  )
  return { files, functions, notes }
}

const draftYaml = (graph: GraphDraft): Record<string, unknown> => ({
  agent_class: "Workflow",
  name: graph.name,
  ...(graph.description !== null && { description: graph.description }),
  edges: chainsOf(graph),
  ...(graph.maxCycles !== null && { max_cycles: graph.maxCycles }),
})

/** Returns whether a parallel block always runs and joins all of its sub-agents. */
const isStatic = ({ forEach, completion, onEscalate }: ParallelAgentNode): boolean =>
  forEach === null && completion === "all" && onEscalate === "finish"
