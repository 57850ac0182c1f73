import type { JsonObject } from "../../machines/data/json-object.js"
import type { SchemaLike } from "../common/schema.js"
import { jsonSchemaOf } from "../common/schema.js"
import { refuse } from "../common/refuse.js"
import type { ProgramBuilder } from "../description/program-builder.js"
import { describe } from "../description/program-builder.js"
import type { BaseTool } from "../tools/base-tool.js"
import { nodeCode } from "./node-code.js"
import type { NodeContext } from "./node-context.js"

/**
 * Collects the config, the functions and the models of a tree of nodes. `programOf` passes it to
 * each node of the tree.
 */
export type NodeProgramBuilder = ProgramBuilder<BaseNode, BaseTool>

/** Settings for retrying a failed attempt of a graph node. All times are in seconds. */
export interface RetryConfig {
  /** Maximum number of attempts, including the first. Default: 5. */
  readonly maxAttempts?: number
  /** Delay before the second attempt, in seconds. Default: 1. */
  readonly initialDelay?: number
  /** Maximum delay, in seconds. Default: 60. */
  readonly maxDelay?: number
  /** Factor by which the delay grows after each retry. Default: 2. */
  readonly backoffFactor?: number
  /**
   * Random variation of the delay, as a fraction from 0 to 1. For example, with 0.5, the delay is
   * between 50 % and 150 % of its normal value. Default: 1.
   */
  readonly jitter?: number
  /** Names or classes of the errors that are retried. Default: all errors. */
  readonly exceptions?: readonly (string | (abstract new (...args: never[]) => Error))[]
}

/** Options that every node accepts. They take effect when the node runs in a Workflow. */
export interface NodeFields {
  readonly retryConfig?: RetryConfig
  /** Maximum duration of one attempt, in seconds. */
  readonly timeout?: number
  readonly inputSchema?: SchemaLike
  readonly outputSchema?: SchemaLike
  /** Schema of the state keys that the node and its children may write. */
  readonly stateSchema?: SchemaLike
  /**
   * Whether the node runs again after its questions are answered. If false, the answer becomes the
   * output of the node. Default: true for a ParallelWorker, otherwise false.
   */
  readonly rerunOnResume?: boolean
  /**
   * If true, a run of the node without an output and without a route does not trigger the next
   * nodes. Default: false.
   */
  readonly waitForOutput?: boolean
}

export interface BaseNodeConfig extends NodeFields {
  /**
   * Name of the node. It consists of letters, digits and underscores, and is unique in the agent
   * tree.
   */
  readonly name: string
  readonly description?: string
}

export const nodeFieldNames = [
  "retryConfig",
  "timeout",
  "stateSchema",
  "rerunOnResume",
  "waitForOutput",
] as const satisfies readonly (keyof NodeFields)[]

/**
 * All nodes that belong to the graph of a Workflow. Node options such as `timeout` have an effect
 * only on these nodes.
 */
export const nodesOfGraphs = new WeakSet<BaseNode>()

/**
 * Key of the method that returns the options of a node, such as `timeout`. The config of the node's
 * Workflow contains these options.
 */
export const nodeOptions: unique symbol = Symbol("nodeOptions")

/**
 * Base class of the nodes of a Workflow. Agents are nodes too. To implement a node as a class,
 * extend this class and implement `runImpl`, which yields outputs, events and questions.
 */
export abstract class BaseNode<TInput = unknown, TOutput = unknown> {
  readonly name: string
  readonly description: string | undefined
  readonly retryConfig: RetryConfig | undefined
  readonly timeout: number | undefined
  readonly inputSchema: SchemaLike | undefined
  readonly outputSchema: SchemaLike | undefined
  readonly stateSchema: SchemaLike | undefined
  readonly rerunOnResume: boolean
  readonly waitForOutput: boolean

  constructor(config: BaseNodeConfig) {
    if (typeof config.name !== "string" || config.name === "")
      refuse("A node has no name.", 'Pass { name: "check" }.')
    this.name = config.name
    this.description = config.description
    this.retryConfig = config.retryConfig
    this.timeout = config.timeout
    this.inputSchema = config.inputSchema
    this.outputSchema = config.outputSchema
    this.stateSchema = config.stateSchema
    this.rerunOnResume = config.rerunOnResume ?? false
    this.waitForOutput = config.waitForOutput ?? false
  }

  /** Implements the node. Override this method to yield outputs, events and questions. */
  protected abstract runImpl(
    context: NodeContext,
    input: TInput,
  ): AsyncGenerator<TOutput | unknown, void, void>

  /** @internal */
  [describe](program: NodeProgramBuilder): JsonObject {
    const { name, description } = this
    const service = program.service(
      `${name}.runImpl`,
      nodeCode(this, (context, input) => this.runImpl(context, input)),
    )
    return {
      agentClass: "FunctionNode",
      name,
      ...(description !== undefined && { description }),
      service,
    }
  }

  /** Returns the options of this node for the config of its Workflow. @internal */
  [nodeOptions](): JsonObject {
    return { ...commonOptions(this), returnsNodeResult: true }
  }
}

/** Returns the config fields for the options that all kinds of nodes have, such as `timeout`. */
export function commonOptions(node: BaseNode): JsonObject {
  const { name, retryConfig, timeout, stateSchema, rerunOnResume, waitForOutput } = node
  const exceptions = retryConfig?.exceptions?.map((error) =>
    typeof error === "string" ? error : error.name,
  )
  return {
    ...(retryConfig !== undefined && {
      retryConfig: { ...retryConfig, ...(exceptions !== undefined && { exceptions }) },
    }),
    ...(timeout !== undefined && { timeout }),
    ...(stateSchema !== undefined && {
      stateSchema: jsonSchemaOf(stateSchema, `the stateSchema of the node "${name}"`),
    }),
    ...(rerunOnResume && { rerunOnResume }),
    ...(waitForOutput && { waitForOutput }),
  }
}

/**
 * Returns a copy of a node without a parent. `overrides` replaces fields of the copy. All other
 * field values are shared with the original.
 */
export function copyNode<Node extends BaseNode>(node: Node, overrides: object): Node {
  const copy = Object.create(
    Object.getPrototypeOf(node) as object,
    Object.getOwnPropertyDescriptors(node),
  ) as Node
  for (const [key, value] of Object.entries(overrides))
    if (value !== undefined)
      Object.defineProperty(copy, key, {
        value,
        enumerable: true,
        writable: true,
        configurable: true,
      })
  return copy
}
