import type { JsonObject } from "../../machines/data/json-object.js"
import type { HostContext } from "../../runtime/host/host-function.js"
import { checkOptions } from "../../machines/data/check-arguments.js"
import { Context } from "../context/context.js"
import type { ProgramBuilder } from "../description/program-builder.js"
import { describe, mustConfirm } from "../description/program-builder.js"
import { refuse } from "../common/refuse.js"
import type { FunctionDeclaration, RunAsyncToolRequest } from "./base-tool.js"
import { BaseTool } from "./base-tool.js"
import type { SchemaLike, StandardSchema } from "../common/schema.js"
import { jsonSchemaOf, parseWithSchema } from "../common/schema.js"

/**
 * Type of the first argument of `execute`, which is the model's arguments after validation with the
 * schema.
 */
export type ToolExecuteArgument<Parameters extends SchemaLike | undefined> =
  Parameters extends StandardSchema<infer _Input, infer Output> ? Output : Record<string, unknown>

export interface ToolOptions<Parameters extends SchemaLike | undefined = undefined> {
  /** Name of the tool. Default: the name of the function `execute`. */
  readonly name?: string
  readonly description: string
  /**
   * Schema of the arguments: a zod schema, another Standard Schema that can be converted to JSON
   * Schema, or a JSON Schema.
   */
  readonly parameters?: Parameters
  readonly execute: (input: ToolExecuteArgument<Parameters>, toolContext: Context) => unknown
  readonly isLongRunning?: boolean
  /**
   * Whether a person must approve calls of this tool. Pass a function to decide for each call.
   * Default: false.
   */
  readonly requireConfirmation?:
    | boolean
    | ((input: ToolExecuteArgument<Parameters>, toolContext: Context) => boolean | Promise<boolean>)
}

const toolOptions: readonly (keyof ToolOptions)[] = [
  "name",
  "description",
  "parameters",
  "execute",
  "isLongRunning",
  "requireConfirmation",
]

/**
 * A tool that calls a function. If the arguments do not match the schema, the function is not
 * called. The model then receives the error and can try again.
 *
 * @example
 * const add = new FunctionTool({
 *   name: "add",
 *   description: "Adds two numbers.",
 *   parameters: z.object({ a: z.number(), b: z.number() }),
 *   execute: ({ a, b }) => a + b,
 * })
 */
export class FunctionTool<Parameters extends SchemaLike | undefined = undefined> extends BaseTool {
  readonly #options: ToolOptions<Parameters>
  readonly #parameters: JsonObject | null

  constructor(options: ToolOptions<Parameters>) {
    checkOptions(options, {
      call: "FunctionTool",
      example: '{ name: "get_weather", description, execute }',
      known: toolOptions,
    })
    // In JavaScript, the function can be missing or have a misspelled name.
    if (typeof options.execute !== "function")
      refuse(
        `The FunctionTool ${options.name === undefined ? "" : `"${options.name}" `}has no function.`,
        "Pass it as execute: { execute: (args) => ... }.",
      )
    const name = options.name ?? options.execute.name
    if (name === "" || name === "execute")
      refuse(
        "A FunctionTool has no name.",
        'Add a name: { name: "get_weather", ... }, or pass a named function as execute.',
      )
    super({ name, description: options.description, isLongRunning: options.isLongRunning ?? false })
    this.#options = options
    this.#parameters =
      options.parameters === undefined
        ? null
        : jsonSchemaOf(options.parameters, `the parameters of the tool "${name}"`)
  }

  override async runAsync({ args, toolContext }: RunAsyncToolRequest): Promise<unknown> {
    return this.#options.execute(await this.#parsed(args), toolContext)
  }

  async #parsed(args: Record<string, unknown>): Promise<ToolExecuteArgument<Parameters>> {
    const { parameters } = this.#options
    // The library returns a value of the output type of its schema.
    return (
      parameters === undefined ? args : await parseWithSchema(parameters, args)
    ) as ToolExecuteArgument<Parameters>
  }

  override _getDeclaration(): FunctionDeclaration {
    const { name, description } = this
    return {
      name,
      description,
      ...(this.#parameters !== null && { parametersJsonSchema: this.#parameters }),
    }
  }

  protected override toConfig(): JsonObject {
    return {
      ...super.toConfig(),
      ...(this.#options.requireConfirmation === true && { requireConfirmation: true }),
    }
  }

  override [describe](program: ProgramBuilder, usedBy: string): unknown {
    if (typeof this.#options.requireConfirmation === "function") program.confirmation(this)
    return super[describe](program, usedBy)
  }

  /**
   * Returns whether a person must approve a call. Invalid arguments need no approval, because the
   * call itself returns the error to the model.
   */
  override async [mustConfirm](host: HostContext, args: Record<string, unknown>): Promise<boolean> {
    const { requireConfirmation = false } = this.#options
    if (typeof requireConfirmation === "boolean") return requireConfirmation
    let input: ToolExecuteArgument<Parameters>
    try {
      input = await this.#parsed(args)
    } catch {
      return false
    }
    return requireConfirmation(input, new Context(host))
  }
}

/**
 * A tool whose function only starts the work and returns a ticket. The program delivers the result
 * later, with the id of the tool call.
 */
export class LongRunningFunctionTool<
  Parameters extends SchemaLike | undefined = undefined,
> extends FunctionTool<Parameters> {
  constructor(options: Omit<ToolOptions<Parameters>, "isLongRunning">) {
    super({ ...options, isLongRunning: true })
  }
}
