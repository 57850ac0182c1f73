import type { AgentChart } from "../machines/contract/agent-chart.js"
import { loadMemoryService, preloadMemoryService } from "../machines/model-call/built-in-tools.js"

/** Returns whether an agent in one of the charts has a tool that reads the long-term memory. */
export const usesMemory = (charts: readonly AgentChart[]): boolean =>
  charts.some(({ services = {} }) =>
    [loadMemoryService, preloadMemoryService].some((name) => Object.hasOwn(services, name)),
  )
