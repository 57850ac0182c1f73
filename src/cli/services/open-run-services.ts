import type { OpenRunServices } from "../../serving/run-services.js"
import type { ServiceOptions } from "../options/service-options.js"
import { openServices } from "./open-services.js"
import { skipAnsweredCalls } from "./skip-answered-calls.js"

/**
 * Opens the command-line services for each run of a server. A scenario file next to a workflow
 * answers its model and tool calls.
 */
export const openRunServices =
  (options: Omit<ServiceOptions, "scripted">): OpenRunServices =>
  async (chart, scenario) => {
    const { calls, scripted, close } = await openServices(chart, {
      ...options,
      ...(scenario === null ? {} : { scripted: scenario }),
    })
    return {
      calls,
      close,
      ...(scripted === null ? {} : { resume: (past) => skipAnsweredCalls(past, scripted) }),
    }
  }
