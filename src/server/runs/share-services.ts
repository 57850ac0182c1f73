import type { AgentChart } from "../../machines/contract/agent-chart.js"
import type { OpenRunServices, RunServices, ServiceFiles } from "../../serving/run-services.js"

/** Services that are opened once per chart and closed when the server stops. */
export interface SharedServices {
  readonly open: OpenRunServices
  close(): Promise<void>
}

const noFiles: ServiceFiles = { scenario: null, module: null }

/**
 * Creates services that all runs of a chart share. Thousands of runs then share connections and
 * toolsets. Only scripted runs have separate services, because each of these runs starts at the
 * beginning of its script.
 */
export function shareServices(open: OpenRunServices): SharedServices {
  const known = new Map<string, Promise<RunServices>>()
  const opened = async (chart: AgentChart): Promise<RunServices> => ({
    ...(await open(chart, noFiles)),
    isShared: true,
  })
  return {
    open(chart, files) {
      if (files.scenario !== null) return open(chart, files)
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
