import type { JsonObject } from "../../machines/data/json-object.js"
import type { HostContext, HostFunction } from "../../runtime/host/host-function.js"
import { confirmationDetails, confirmationFrom } from "../context/confirmation.js"
import { applyActions } from "../context/apply-actions.js"
import { Context } from "../context/context.js"
import type { ProgramBuilder } from "../description/program-builder.js"
import { describe, mustConfirm } from "../description/program-builder.js"
import { refuse } from "../common/refuse.js"
import type { JsonSchema } from "../common/schema.js"
import { jsonSchemaOf } from "../common/schema.js"

export interface BaseToolParams {
  readonly name: string
  readonly description: string
  /**
   * Whether the tool only starts the work. It then returns a ticket, and the result is delivered
   * later. Default: false.
   */
  readonly isLongRunning?: boolean
}

/** The declaration of a tool that a model receives, in ADK's format. */
export interface FunctionDeclaration {
  readonly name: string
  readonly description?: string
  readonly parameters?: JsonSchema
  readonly parametersJsonSchema?: JsonSchema
}

export interface RunAsyncToolRequest {
  readonly args: Record<string, unknown>
  readonly toolContext: Context
}

/**
 * Base class of tools that are implemented in code. Extend this class to customize the declaration.
 * For a plain function, use {@link FunctionTool}.
 */
export abstract class BaseTool {
  readonly name: string
  readonly description: string
  readonly isLongRunning: boolean

  constructor({ name, description, isLongRunning = false }: BaseToolParams) {
    if (typeof name !== "string" || name === "")
      refuse("A tool has no name.", 'Add a name: { name: "get_weather", ... }.')
    this.name = name
    this.description = description
    this.isLongRunning = isLongRunning
  }

  /**
   * Executes one tool call. The model receives the return value. If this method throws, the model
   * receives the error message.
   */
  abstract runAsync(request: RunAsyncToolRequest): Promise<unknown>

  /**
   * Returns the declaration that the model receives. Returns undefined if the tool declares no
   * arguments.
   */
  _getDeclaration(): FunctionDeclaration | undefined {
    return undefined
  }

  /**
   * Registers this tool with the builder and returns its entry for the tool list of an agent.
   * @internal
   */
  [describe](program: ProgramBuilder, usedBy: string): unknown {
    return program.globalTool(this, usedBy, () => this.toConfig(), toolCode(this))
  }

  /** Returns whether a person must approve a call. @internal */
  async [mustConfirm](_host: HostContext, _args: Record<string, unknown>): Promise<boolean> {
    return false
  }

  /** @internal */
  protected toConfig(): JsonObject {
    const { name, description, isLongRunning } = this
    const parameters = declaredParameters(this)
    return {
      type: isLongRunning ? "LongRunningFunctionTool" : "FunctionTool",
      id: name,
      description,
      ...(parameters !== null && { parameters }),
    }
  }
}

/**
 * Returns the JSON Schema of the arguments that a tool declares. Returns null if the tool declares
 * none.
 */
export function declaredParameters(tool: BaseTool): JsonObject | null {
  const declaration = tool._getDeclaration()
  const parameters = declaration?.parametersJsonSchema ?? declaration?.parameters
  return parameters === undefined
    ? null
    : jsonSchemaOf(parameters, `the parameters of the tool "${tool.name}"`)
}

/**
 * Wraps a tool as a host function, which is a function that the run calls by name. Applies the
 * tool's actions when the tool returns. If the tool requests a confirmation, it runs again after
 * the person has answered, and only the actions of the second call are applied.
 */
export const toolCode =
  (tool: BaseTool): HostFunction =>
  async (host: HostContext, input) => {
    const args = input as Record<string, unknown>
    const toolContext = new Context(host)
    const result = await tool.runAsync({ args, toolContext })
    const confirmation = toolContext.actions.requestedToolConfirmations[host.callId ?? ""]
    if (confirmation === undefined) {
      applyActions(toolContext.actions, host)
      return result
    }
    const question = confirmationDetails(
      { id: host.callId ?? "", name: tool.name, args },
      confirmation,
    )
    const reply = await host.ask(confirmation.hint ?? `May "${tool.name}" be called?`, question)
    const confirmed = new Context(host, confirmationFrom(reply, confirmation))
    const confirmedResult = await tool.runAsync({ args, toolContext: confirmed })
    applyActions(confirmed.actions, host)
    return confirmedResult
  }
