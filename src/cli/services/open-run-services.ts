import { statSync } from "node:fs"
import { chartsWithCalls } from "../../machines/workflow-agent/called-charts.js"
import { usesMemory } from "../../serving/uses-memory.js"
import { HttpError } from "../../serving/http-error.js"
import type { OpenRunServices } from "../../serving/run-services.js"
import type { ServiceOptions } from "../options/service-options.js"
import type { PoliciesFor } from "../../serving/run-services.js"
import { UsageProblem } from "../errors/usage-problem.js"
import type { ReadDeclarations } from "../../studio/server/studio-services.js"
import { loadDeclarations } from "./load-services.js"
import { openServices } from "./open-services.js"
import { skipAnsweredCalls } from "./skip-answered-calls.js"

/**
 * Returns a function that opens the services for each run of a server. If the folder of the
 * workflow contains a scenario file, the scenario answers the model and tool calls. If the folder
 * contains a module, the module replaces the `--services` module.
 */
export const openRunServices =
  (options: Omit<ServiceOptions, "scripted">, policiesFor: PoliciesFor): OpenRunServices =>
  async (chart, { scenario, module }, workflows) => {
    const { calls, scripted, close } = await openServices(
      chart,
      {
        ...options,
        ...(scenario !== null && { scripted: scenario }),
        ...(module !== null && { services: module }),
      },
      {
        ...(workflows !== undefined && { workflows }),
        hasMemory: true,
        // A module that was edited since the last run is loaded again.
        ...(module !== null && { copy: String(statSync(module).mtimeMs) }),
      },
    ).catch((error: unknown) => Promise.reject(reported(error)))
    return {
      calls,
      policies: policiesFor(chart),
      usesMemory: usesMemory(chartsWithCalls(chart, { ...workflows, ...calls.workflows })),
      close,
      ...(scripted !== null && { resume: (past) => skipAnsweredCalls(past, scripted) }),
    }
  }

/**
 * Imports a module and returns the service descriptions that it exports as `declarations`. The
 * compiler reads these descriptions.
 */
export const readDeclarations: ReadDeclarations = (module) =>
  loadDeclarations(module).catch((error: unknown) => Promise.reject(reported(error)))

/**
 * Converts a usage error, such as a missing price, to an HTTP error with status 422. Returns other
 * errors unchanged.
 */
const reported = (error: unknown): unknown =>
  error instanceof UsageProblem
    ? new HttpError(422, { code: "services_refused", message: error.message })
    : error
