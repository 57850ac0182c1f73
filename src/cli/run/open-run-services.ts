import type { OpenRunServices } from "../../serving/run-services.js"
import type { ServiceOptions } from "./open-services.js"
import { openServices } from "./open-services.js"
import { skipAnsweredCalls } from "./skip-answered-calls.js"

/** The services of the command line for the runs of a server. A scenario beside a workflow answers for its models and tools. */
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
