import type { HostContext } from "../../runtime/host/host-function.js"
import type { OfferedTool } from "../../runtime/host/host-service.js"
import { ReadonlyContext } from "../context/context.js"
import type { Description } from "../description/description.js"
import { describe, mustConfirm } from "../description/description.js"
import { refuse } from "../common/refuse.js"
import type { BaseTool } from "./base-tool.js"
import { declaredParameters, toolCode } from "./base-tool.js"

/** Which tools of a toolset agents get. */
export type ToolPredicate = (tool: BaseTool, context: ReadonlyContext) => boolean

/** Tools that are known only when they are asked for, once in each turn of an agent that has the toolset. */
export abstract class BaseToolset {
  /** Names, or a function that decides; all tools where it is empty. */
  readonly toolFilter: readonly string[] | ToolPredicate

  constructor(toolFilter: readonly string[] | ToolPredicate = []) {
    this.toolFilter = toolFilter
  }

  abstract getTools(context?: ReadonlyContext): Promise<readonly BaseTool[]>

  /** Frees what the toolset holds. Nobody calls it but you, when no run needs the toolset any more. */
  async close(): Promise<void> {}

  isToolSelected(tool: BaseTool, context: ReadonlyContext): boolean {
    const { toolFilter } = this
    if (typeof toolFilter === "function") return toolFilter(tool, context)
    return toolFilter.length === 0 || toolFilter.includes(tool.name)
  }

  /** How an agent's list of tools refers to it. @internal */
  [describe](into: Description, usedBy: string): unknown {
    return into.toolset(this, usedBy, {
      list: async (host) => (await this.#selected(host)).map(offered),
      call: async (host, name, args) => called(await this.#named(host, name), host, args),
    })
  }

  /** Whether a person has to approve a call of one of its tools. @internal */
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

async function called(
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
  // A listed tool cannot be declared as a long-running one: its answer says that it is.
  return tool.isLongRunning ? { pending: true, ticket: result ?? null } : result
}

function offered(tool: BaseTool): OfferedTool {
  const { name, description } = tool
  const parameters = declaredParameters(tool)
  return { name, description, ...(parameters !== null && { parameters }) }
}
