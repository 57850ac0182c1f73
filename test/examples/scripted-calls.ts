import type { HttpServices } from "../../src/adapters/http/index.js"
import { scriptedAgents, scriptedModels } from "../../src/adapters/scripted/index.js"
import type { AgentChart } from "../../src/machines/index.js"
import type { CallServices } from "../../src/runtime/index.js"
import type { Example } from "./example-folder.js"

/** Returns the services of an example that the command creates with `--scripted`. Waits end immediately. */
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
