import type { JsonObject } from "../../machines/data/json-object.js"
import { describe } from "../description/program-builder.js"
import { refuse } from "../common/refuse.js"
import type { BaseNodeConfig, NodeProgramBuilder } from "../nodes/base-node.js"
import { BaseNode, commonOptions, nodeOptions } from "../nodes/base-node.js"
import type { BaseTool } from "../tools/base-tool.js"

/**
 * A graph node that calls a tool. The input of the node is passed to the tool as its arguments. The
 * response of the tool is the output of the node.
 */
export class ToolNode extends BaseNode {
  readonly tool: BaseTool

  constructor(tool: BaseTool, config: Partial<BaseNodeConfig> = {}) {
    super({ description: tool.description, ...config, name: config.name ?? tool.name })
    this.tool = tool
  }

  override [describe](program: NodeProgramBuilder): JsonObject {
    const { name, description, tool } = this
    const reference = tool[describe](program, name)
    return {
      agentClass: "ToolNode",
      name,
      ...(description !== undefined && description !== "" && { description }),
      tool:
        typeof reference === "string"
          ? reference
          : refuse(
              `The tool "${tool.name}" cannot be a node.`,
              "Put the agent of an AgentTool into the edge, or give the tool to an LlmAgent.",
            ),
    }
  }

  /** @internal */
  override [nodeOptions](): JsonObject {
    return commonOptions(this)
  }

  protected override runImpl(): AsyncGenerator<unknown, void, void> {
    return refuse(`The ToolNode "${this.name}" cannot be run directly.`, "Put it in an edge.")
  }
}
