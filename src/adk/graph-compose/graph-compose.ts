import { compile } from "../../compiler/compile.js"
import type { AgentChart } from "../../machines/contract/agent-chart.js"
import type { RunResult } from "../../machines/contract/run-event.js"
import type { Runner } from "../../runtime/runner/runner.js"
import type { RunnerOptions, StartOptions } from "../../runtime/runner/runner-options.js"
import { createRunner } from "../../runtime/runner/runner.js"
import { refuse } from "../common/refuse.js"
import type { GraphComposeAgent, GraphComposeTool } from "../common/config-fields.js"
import type { GraphComposeWorkflow, TypedWorkflow } from "./config.js"
import type { OutputKeysOf } from "./references.js"
import type { BuiltWorkflow } from "./workflow-builder.js"
import { WorkflowBuilder } from "./workflow-builder.js"

/**
 * The result of a workflow run. If the output keys of the workflow have literal types, `state` has
 * a typed field for each key.
 */
export type ExecutionResult<Keys extends string> = Omit<RunResult, "state"> & {
  readonly state: Record<string, unknown> & { readonly [Key in Keys]?: unknown }
}

export type ExecuteOptions = RunnerOptions & StartOptions

/** A runner that must be closed after use to release its connections. */
export interface ClosableRunner extends Runner {
  close(): Promise<void>
}

/**
 * The builder of Graph Compose's client, which creates and runs workflows. Workflows run in this
 * process. Only the calls of their agents and tools use the network.
 *
 * @example
 * const graph = new GraphCompose()
 *   .adk("greeting")
 *   .withWorkflow((builder) => builder.rootAgent("greeter").agent(createLlmAgent({ id: "greeter", httpConfig })).build())
 *   .withInitialPrompt("Hello!")
 *   .end()
 * const { status, text } = await graph.execute()
 */
export class GraphCompose<
  Keys extends string = string,
  Config extends GraphComposeWorkflow = GraphComposeWorkflow,
> {
  #node: { readonly id: string; readonly config: GraphComposeWorkflow | null } | null = null

  /**
   * Creates an empty graph. The option `token` is accepted for compatibility but ignored, because
   * workflows run in this process.
   */
  constructor(_options: { readonly token?: string } = {}) {}

  /** Starts the definition of the graph's `adk` node, which contains the workflow of agents. */
  adk(id: string): AdkNode<this, never, never, string> {
    if (this.#node !== null) {
      refuse(
        `The graph already has the adk node "${this.#node.id}" and cannot also have "${id}".`,
        "Create another GraphCompose for it. Each GraphCompose runs separately.",
      )
    }
    this.#node = { id, config: null }
    return new AdkNode(this, (config) => {
      this.#node = { id, config }
    })
  }

  /**
   * Returns the workflow config as plain JSON, which `compile` accepts. Throws if the graph has no
   * workflow yet.
   */
  toConfig(): Config {
    const config =
      this.#node?.config ??
      refuse(
        "The graph has no workflow yet.",
        "Start with .adk(id).withWorkflow(...) and finish with .end().",
      )
    // The type parameter Config was set by `end`.
    return config as Config
  }

  /**
   * Runs the workflow in this process until it ends or waits for a person. The option `http`
   * contains the services that send the HTTP requests of agents and tools. On Node, you do not need
   * to set `http`.
   *
   * @throws AgentStatechartsError `definition_refused` if the workflow does not compile. The
   * message lists all problems.
   */
  async execute(options: ExecuteOptions = {}): Promise<ExecutionResult<Keys>> {
    const chart = chartOf(this.toConfig())
    const runner = this.runnerFor(options)
    try {
      // The type parameter Keys was set by `end`.
      return (await runner.start(chart, options).whenSettled()) as ExecutionResult<Keys>
    } finally {
      await runner.close()
    }
  }

  /** @internal */
  protected runnerFor(options: RunnerOptions): ClosableRunner {
    return { ...createRunner(options), close: async () => {} }
  }
}

/**
 * The type of a `GraphCompose` object after its `adk` node was added. It contains the types of the
 * workflow's output keys and of the workflow config.
 */
type Described<
  Graph,
  Agents extends GraphComposeAgent,
  Tools extends GraphComposeTool,
  Root extends string,
> = GraphCompose<OutputKeysOf<Agents> | OutputKeysOf<Tools>, TypedWorkflow<Root, Agents>> & Graph

/** Builder for the `adk` node of a Graph Compose graph. Call `end` to add the node to the graph. */
export class AdkNode<
  Graph,
  Agents extends GraphComposeAgent,
  Tools extends GraphComposeTool,
  Root extends string = string,
> {
  readonly #graph: Graph
  readonly #finish: (config: GraphComposeWorkflow) => void
  readonly #workflow: GraphComposeWorkflow | null
  readonly #settings: Partial<GraphComposeWorkflow>

  constructor(
    graph: Graph,
    finish: (config: GraphComposeWorkflow) => void,
    workflow: GraphComposeWorkflow | null = null,
    settings: Partial<GraphComposeWorkflow> = {},
  ) {
    this.#graph = graph
    this.#finish = finish
    this.#workflow = workflow
    this.#settings = settings
  }

  withWorkflow<
    NewAgents extends GraphComposeAgent,
    NewTools extends GraphComposeTool,
    NewRoot extends string,
  >(
    make: (builder: WorkflowBuilder) => BuiltWorkflow<NewAgents, NewTools, NewRoot>,
  ): AdkNode<Graph, NewAgents, NewTools, NewRoot> {
    return new AdkNode(
      this.#graph,
      this.#finish,
      make(new WorkflowBuilder()).config,
      this.#settings,
    )
  }

  withInitialPrompt(initialUserInput: string): AdkNode<Graph, Agents, Tools, Root> {
    return this.#with({ initialUserInput })
  }

  withState(state: Readonly<Record<string, unknown>>): AdkNode<Graph, Agents, Tools, Root> {
    return this.#with({ state })
  }

  withMaxCycles(maxOrchestrationCycles: number): AdkNode<Graph, Agents, Tools, Root> {
    return this.#with({ maxOrchestrationCycles })
  }

  /**
   * Adds the workflow to the graph and returns the graph. Throws if `withWorkflow` was not called.
   */
  end(): Described<Graph, Agents, Tools, Root> {
    if (this.#workflow === null)
      refuse("The adk node has no workflow.", "Call .withWorkflow((builder) => ...) before .end().")
    else this.#finish({ ...this.#workflow, ...this.#settings })
    // This is the same graph, now with the types of its workflow.
    return this.#graph as Described<Graph, Agents, Tools, Root>
  }

  #with(settings: Partial<GraphComposeWorkflow>): AdkNode<Graph, Agents, Tools, Root> {
    return new AdkNode(this.#graph, this.#finish, this.#workflow, {
      ...this.#settings,
      ...settings,
    })
  }
}

function chartOf(config: GraphComposeWorkflow): AgentChart {
  const { chart, diagnostics } = compile(config, { dialect: "graph-compose" })
  if (chart !== null) return chart
  const problems = diagnostics
    .filter(({ severity }) => severity === "error")
    .map(({ message, fix }) => `${message} ${fix}`)
  return refuse("The workflow cannot be compiled.", problems.join("\n"))
}
