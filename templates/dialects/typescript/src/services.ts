import type { ToolService } from "agent-statecharts/machines"

/** Tools by their id in `workflow.ts`. */
export const tools: Record<string, ToolService> = {}
