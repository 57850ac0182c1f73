import type { JsonObject } from "../../machines/data/json-object.js"
import { plainJson } from "../../machines/data/plain-json.js"
import type { Event } from "../events/event.js"
import { nodeFieldNames, nodesOfGraphs } from "../nodes/base-node.js"
import { refuse } from "../common/refuse.js"
import type { BaseAgentConfig } from "./base-agent.js"
import { BaseAgent } from "./base-agent.js"

const baseOptions = [
  "name",
  "description",
  "subAgents",
  "beforeAgentCallback",
  "afterAgentCallback",
] as const satisfies readonly (keyof BaseAgentConfig)[]

const unknownOptions = (knownOptions: readonly string[], config: object): JsonObject =>
  Object.fromEntries(
    Object.entries(config).flatMap(([key, value]: [string, unknown]) =>
      knownOptions.includes(key) || value === undefined ? [] : [[key, asJson(value)]],
    ),
  )

/**
 * Converts a value to JSON. If JSON cannot represent the value, returns the name of its type
 * instead, so that the compiler can report the field.
 */
function asJson(value: unknown): unknown {
  const json = plainJson(value)
  return json.ok ? json.value : typeof value
}

/**
 * Base class of agents whose behavior is completely defined by their constructor options.
 * Subclasses must not define `runAsyncImpl`, because it is never called.
 */
export abstract class ChartedAgent extends BaseAgent {
  /**
   * Constructor options that the class does not know, and options for graph nodes if the agent is
   * not in a graph. They are copied to the config, so that `compile` reports them as mistakes.
   */
  protected get otherOptions(): JsonObject {
    const { config, classOptions } = this.otherOptionsOf
    const inGraph = nodesOfGraphs.has(this) ? [...nodeFieldNames, "mode"] : []
    return unknownOptions([...baseOptions, ...inGraph, ...classOptions], config)
  }

  private readonly otherOptionsOf: {
    readonly config: BaseAgentConfig
    readonly classOptions: readonly string[]
  }

  constructor(config: BaseAgentConfig, classOptions: readonly string[] = []) {
    super(config)
    this.otherOptionsOf = { config, classOptions }
    if (this.runAsyncImpl !== ChartedAgent.prototype.runAsyncImpl) {
      refuse(
        `The class of "${config.name}" defines runAsyncImpl, which is never called: the chart defines what an agent of this class does.`,
        "Extend BaseAgent and run this agent as a sub-agent.",
      )
    }
  }

  protected override runAsyncImpl(): AsyncGenerator<Event, void, void> {
    return refuse(
      `The agent "${this.name}" cannot be run directly: its chart runs it.`,
      "Call runAsync(context) from a custom agent that has it as a sub-agent, or use an InMemoryRunner.",
    )
  }
}
