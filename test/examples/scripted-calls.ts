import type { HttpServices } from "../../src/adapters/http/index.js"
import { scriptedAgents, scriptedModels } from "../../src/adapters/scripted/index.js"
import type { AgentChart } from "../../src/machines/index.js"
import type { CallServices } from "../../src/runtime/index.js"
import type { Example } from "./example-folder.js"

/** The services of an example as the command opens them with `--scripted`: waits end at once. */
export const scriptedCalls = (
  { chart, services }: Pick<Example, "chart" | "services">,
  http: HttpServices,
) =>
  ({
    http: { ...http, agent: scriptedAgents(http.model) },
    models: scriptedModels(chart as AgentChart, http.model),
    services,
    skipWaits: true,
  }) satisfies CallServices
