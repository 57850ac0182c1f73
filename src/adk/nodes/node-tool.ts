import { AgentStatechartsError } from "../../errors.js"
import type { JsonObject } from "../../machines/data/json-object.js"
import type { HostFunction } from "../../runtime/host/host-function.js"
import { jsonSchemaOf } from "../common/schema.js"
import { refuse } from "../common/refuse.js"
import { childRunnerOf } from "../context/node-runner.js"
import type { ProgramBuilder } from "../description/program-builder.js"
import { describe } from "../description/program-builder.js"
import { BaseTool } from "../tools/base-tool.js"
import type { FunctionDeclaration } from "../tools/base-tool.js"
import type { BaseNode } from "./base-node.js"

/**
 * A tool that runs a node. The node's `inputSchema` declares the arguments. The arguments are the
 * input of the node, and its output is the response of the tool. The run of the node is a recorded
 * step.
 */
export class NodeTool extends BaseTool {
  readonly node: BaseNode

  constructor(node: BaseNode, name = node.name, description = node.description ?? "") {
    super({ name, description })
    this.node = node
  }

  override _getDeclaration(): FunctionDeclaration {
    const { name, description } = this
    return { name, description, parametersJsonSchema: this.#parameters() }
  }

  #parameters(): JsonObject {
    const { inputSchema, name } = this.node
    return inputSchema === undefined
      ? { type: "object", properties: { request: { type: "string" } }, required: ["request"] }
      : jsonSchemaOf(inputSchema, `the inputSchema of the node "${name}"`)
  }

  override async runAsync(): Promise<never> {
    return refuse(`The node "${this.name}" cannot be called from code.`, "Use ctx.runNode.")
  }

  override [describe](program: ProgramBuilder, usedBy: string): unknown {
    return program.globalTool(this, usedBy, () => this.toConfig(), this.#code())
  }

  #code(): HostFunction {
    return async (host, given) => {
      const runner =
        childRunnerOf(host) ??
        refuse(
          `The node "${this.name}" as a tool needs a Runner or an InMemoryRunner.`,
          "Use one of them.",
        )
      // The arguments of a tool are always an object.
      const args = given as Readonly<Record<string, unknown>>
      const path = `${host.agent}.${this.node.name}@${host.callId ?? "1"}`
      const input = this.node.inputSchema === undefined ? args["request"] : args
      const outcome = await host.concurrent(path, () =>
        runner.run({ nodeLike: this.node, nodeName: undefined, path, host, answers: {}, input }),
      )
      if (outcome.type === "waiting")
        return refuse(
          `"${this.node.name}" asks a person, which a node cannot do as a tool.`,
          "Make the node a node of the Workflow.",
        )
      if (outcome.type === "failed") throw new AgentStatechartsError("node_failed", outcome.message)
      return outcome.output
    }
  }
}
