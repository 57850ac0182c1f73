import type { AgentTask } from "../../machines/model-call/finish-task.js"
import {
  finishTask,
  finishTaskSuccess,
  taskParameters,
  taskValue,
} from "../../machines/model-call/finish-task.js"
import { refuse } from "../common/refuse.js"
import type { SchemaLike } from "../common/schema.js"
import { jsonSchemaOf } from "../common/schema.js"
import { describe } from "../description/program-builder.js"
import type { FunctionDeclaration, RunAsyncToolRequest } from "./base-tool.js"
import { BaseTool } from "./base-tool.js"

/**
 * The tool with which an agent in `mode: "task"` ends its task. Such an agent gets the tool
 * automatically.
 */
export class FinishTaskTool extends BaseTool {
  readonly #task: AgentTask

  /** @param outputSchema Schema of the result. Default: an object with the text `result`. */
  constructor(outputSchema: SchemaLike = textResult) {
    super({ name: finishTask, description: "Ends the task with its result." })
    this.#task = { schema: jsonSchemaOf(outputSchema, "the output schema of a FinishTaskTool") }
  }

  override _getDeclaration(): FunctionDeclaration {
    const { name, description } = this
    return { name, description, parametersJsonSchema: taskParameters(this.#task) }
  }

  /** Returns the task's result, which the arguments of a `finish_task` call contain. */
  extractOutput(args: Record<string, unknown>): unknown {
    return taskValue(this.#task, args)
  }

  override async runAsync({ args }: Pick<RunAsyncToolRequest, "args">): Promise<unknown> {
    const { required = [] } = taskParameters(this.#task) as { readonly required?: string[] }
    const missing = required.filter((key) => args[key] === undefined)
    if (missing.length === 0) return finishTaskSuccess
    return {
      error: `the call of "${this.name}" failed because of missing required parameters: ${missing.join(", ")}. Call it again with all of them.`,
    }
  }

  /** @internal */
  override [describe](): never {
    return refuse(
      `An agent lists the tool "${this.name}".`,
      'Remove it, and set mode: "task" on the agent as a node of a Workflow.',
    )
  }
}

/** The default schema of a task's result, for agents without an `outputSchema`. */
export const textResult = {
  type: "object",
  properties: { result: { type: "string" } },
  required: ["result"],
} as const
