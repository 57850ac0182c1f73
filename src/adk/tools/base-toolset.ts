import type { HostContext } from "../../runtime/host/host-function.js"
import type { OfferedTool, Toolset } from "../../runtime/host/host-service.js"
import { ReadonlyContext } from "../callbacks/context.js"
import type { Description } from "../program/description.js"
import { describe } from "../program/description.js"
import { refuse } from "../refuse.js"
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
    return into.toolset(this, usedBy, toolsetCode(this))
  }
}

function toolsetCode(toolset: BaseToolset): Toolset {
  const selected = async (host: HostContext): Promise<readonly BaseTool[]> => {
    const context = new ReadonlyContext(host)
    return (await toolset.getTools(context)).filter((tool) => toolset.isToolSelected(tool, context))
  }
  return {
    list: async (host) => (await selected(host)).map(offered),
    call: async (host, name, args) => {
      const tool = (await selected(host)).find((one) => one.name === name) ?? refuse(`The toolset has no tool "${name}" any more.`, "Let getTools give the same tools as long as a turn goes on.")
      return toolCode(tool)(host, args)
    },
  }
}

function offered(tool: BaseTool): OfferedTool {
  const { name, description } = tool
  const parameters = declaredParameters(tool)
  return { name, description, ...(parameters !== null && { parameters }) }
}
