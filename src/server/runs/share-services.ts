import type { AgentChart } from "../../machines/contract/agent-chart.js"
import type { OpenRunServices, RunServices } from "../../serving/run-services.js"

/** Services that are opened once per chart and closed with the server. */
export interface SharedServices {
  readonly open: OpenRunServices
  close(): Promise<void>
}

/**
 * Shares services between the runs of a chart, because thousands of runs should share connections
 * and toolsets. Scripted runs get services of their own, because each plays its script from the
 * start.
 */
export function shareServices(open: OpenRunServices): SharedServices {
  const known = new Map<string, Promise<RunServices>>()
  const opened = async (chart: AgentChart): Promise<RunServices> => ({
    ...(await open(chart, null)),
    isShared: true,
  })
  return {
    open(chart, scenario) {
      if (scenario !== null) return open(chart, scenario)
      const services = known.get(chart.fingerprint) ?? opened(chart)
      known.set(chart.fingerprint, services)
      services.catch(() => known.delete(chart.fingerprint))
      return services
    },
    async close() {
      const all = await Promise.allSettled(known.values())
      await Promise.all(
        all.map((settled) => (settled.status === "fulfilled" ? settled.value.close() : undefined)),
      )
    },
  }
}
