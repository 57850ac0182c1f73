import type { OpenRunServices } from "../../serving/run-services.js"
import type { ServiceOptions } from "../options/service-options.js"
import type { PoliciesFor } from "../../serving/run-services.js"
import { openServices } from "./open-services.js"
import { skipAnsweredCalls } from "./skip-answered-calls.js"

/**
 * Opens the command-line services for each run of a server. A scenario file next to a workflow
 * answers its model and tool calls.
 */
export const openRunServices =
  (options: Omit<ServiceOptions, "scripted">, policiesFor: PoliciesFor): OpenRunServices =>
  async (chart, scenario, workflows) => {
    const { calls, scripted, close } = await openServices(
      chart,
      { ...options, ...(scenario === null ? {} : { scripted: scenario }) },
      workflows === undefined ? {} : { workflows },
    )
    return {
      calls,
      policies: policiesFor(chart),
      close,
      ...(scripted === null ? {} : { resume: (past) => skipAnsweredCalls(past, scripted) }),
    }
  }
