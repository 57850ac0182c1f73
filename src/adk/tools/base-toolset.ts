import type { HostContext } from "../../runtime/host/host-function.js"
import type { OfferedTool } from "../../runtime/host/host-service.js"
import { ReadonlyContext } from "../context/context.js"
import type { ProgramBuilder } from "../description/program-builder.js"
import { describe, mustConfirm } from "../description/program-builder.js"
import { refuse } from "../common/refuse.js"
import type { BaseTool } from "./base-tool.js"
import { declaredParameters, toolCode } from "./base-tool.js"

/** A function that returns whether agents can use a tool of a toolset. */
export type ToolPredicate = (tool: BaseTool, context: ReadonlyContext) => boolean

/**
 * Base class of toolsets. A toolset lists its tools at run time, once in each turn of an agent that
 * uses it.
 */
export abstract class BaseToolset {
  /**
   * The tools of this toolset that agents can use: a list of names, or a predicate. An empty list
   * selects all tools.
   */
  readonly toolFilter: readonly string[] | ToolPredicate

  constructor(toolFilter: readonly string[] | ToolPredicate = []) {
    this.toolFilter = toolFilter
  }

  abstract getTools(context?: ReadonlyContext): Promise<readonly BaseTool[]>

  /**
   * Releases resources such as connections. This method is never called automatically. Call it when
   * no run needs the toolset anymore.
   */
  async close(): Promise<void> {}

  isToolSelected(tool: BaseTool, context: ReadonlyContext): boolean {
    const { toolFilter } = this
    if (typeof toolFilter === "function") return toolFilter(tool, context)
    return toolFilter.length === 0 || toolFilter.includes(tool.name)
  }

  /**
   * Registers this toolset with the builder and returns its entry for the tool list of an agent.
   * @internal
   */
  [describe](program: ProgramBuilder, usedBy: string): unknown {
    return program.toolset(this, usedBy, {
      list: async (host) => (await this.#selected(host)).map(toOfferedTool),
      call: async (host, name, args) => callTool(await this.#named(host, name), host, args),
    })
  }

  /** Returns whether a person must approve a call of one of the tools in this set. @internal */
  async [mustConfirm](
    host: HostContext,
    name: string,
    args: Record<string, unknown>,
  ): Promise<boolean> {
    return (await this.#named(host, name))?.[mustConfirm](host, args) ?? false
  }

  async #selected(host: HostContext): Promise<readonly BaseTool[]> {
    const context = new ReadonlyContext(host)
    return (await this.getTools(context)).filter((tool) => this.isToolSelected(tool, context))
  }

  async #named(host: HostContext, name: string): Promise<BaseTool | undefined> {
    return (await this.#selected(host)).find((tool) => tool.name === name)
  }
}

async function callTool(
  tool: BaseTool | undefined,
  host: HostContext,
  args: Record<string, unknown>,
): Promise<unknown> {
  if (tool === undefined)
    return refuse(
      "The toolset no longer has this tool.",
      "Return the same tools from getTools during a turn.",
    )
  const result = await toolCode(tool)(host, args)
  // The chart does not know which tools of a toolset are long-running, so the result contains this
  // information.
  return tool.isLongRunning ? { pending: true, ticket: result ?? null } : result
}

function toOfferedTool(tool: BaseTool): OfferedTool {
  const { name, description } = tool
  const parameters = declaredParameters(tool)
  return { name, description, ...(parameters !== null && { parameters }) }
}
