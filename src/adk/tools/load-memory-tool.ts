import { textOf } from "../events/content.js"
import { FunctionTool } from "./function-tool.js"

/** A tool with which a model searches the memory of the user's earlier sessions. */
export class LoadMemoryTool extends FunctionTool<typeof parameters> {
  constructor() {
    super({
      name: "load_memory",
      description: "Searches the memory of the user's earlier conversations.",
      parameters,
      execute: async ({ query }, context) => {
        const { memories } = await context.searchMemory(String(query))
        return {
          memories: memories.map(({ content, ...others }) => ({
            content: textOf(content) ?? "",
            ...others,
          })),
        }
      },
    })
  }
}

const parameters = {
  type: "object",
  properties: { query: { type: "string", description: "The words to search for." } },
  required: ["query"],
} as const

export const LOAD_MEMORY = new LoadMemoryTool()
