import { AgentStatechartsError } from "../errors.js"
import type { AgentChart } from "../machines/agent-chart.js"
import type { CompiledMachine } from "./compiled-machine.js"
import { compiledMachines } from "./compiled-machine.js"
import type { Clock, Host } from "./host.js"
import { localHost } from "./host/local-host.js"
import { memoryJournal } from "./host/memory-journal.js"
import type { CallServices } from "./host/start-call.js"
import type { Ids } from "./host/random-ids.js"
import { randomIds } from "./host/random-ids.js"
import { systemClock } from "./host/system-clock.js"
import type { Journal } from "./journal.js"
import { missingServices } from "./missing-services.js"
import { loadProgram } from "./program.js"
import type { Run } from "./run.js"
import { openRun } from "./run.js"

export interface RunnerOptions extends CallServices {
  /** Where runs are kept; in memory unless given. */
  readonly journal?: Journal
  readonly clock?: Clock
  readonly ids?: Ids
}

export interface StartOptions {
  /** The user's first message; the chart's own unless given, null for none. */
  readonly prompt?: string | null
  /** Added to the chart's initial state, key by key. */
  readonly state?: Readonly<Record<string, unknown>>
  /** Texts by name, for `{artifact.name}` in instructions of the adk dialect. */
  readonly artifacts?: Readonly<Record<string, string>>
  readonly runId?: string
}

/** Runs charts with one set of services. */
export interface Runner {
  /**
   * Starts a run. A service that the chart needs and the runner lacks ends it with status `failed` before the first call.
   *
   * @throws AgentStatechartsError `chart_invalid` for a chart that cannot be run, `run_exists` for a run id that is taken.
   */
  start(chart: AgentChart, options?: StartOptions): Run
  /**
   * Takes a run up where its journal ends: what has a result is not repeated, what was in flight is made again under the
   * same idempotency key.
   *
   * @throws AgentStatechartsError `run_unknown`.
   */
  resume(runId: string): Promise<Run>
}

/**
 * @example
 * const runner = createRunner({ http: createHttpServices() })
 * const run = runner.start(chart, { prompt: "Plan a trip to Tokyo." })
 * run.events$.subscribe((event) => console.log(event.type, event.agent))
 * const { status, state, text } = await run.result
 */
export function createRunner(options: RunnerOptions = {}): Runner {
  const { journal = memoryJournal(), clock = systemClock, ids = randomIds, ...services } = options
  const host: Host = localHost(services, clock)
  const loaded = new WeakMap<AgentChart, (key: string) => CompiledMachine | undefined>()
  const machinesFor = (chart: AgentChart): ((key: string) => CompiledMachine | undefined) => {
    const known = loaded.get(chart)
    if (known !== undefined) return known
    const machines = compiledMachines(loadProgram(chart))
    loaded.set(chart, machines)
    return machines
  }
  return {
    start(chart, { prompt, state, artifacts, runId } = {}) {
      const machine = machinesFor(chart)
      const input = {
        prompt: prompt === undefined ? chart.input.prompt : prompt,
        state: state === undefined ? chart.input.state : { ...chart.input.state, ...state },
        ...(artifacts === undefined ? {} : { artifacts }),
      }
      const header = { format: 1 as const, runId: runId ?? ids.next(), chart, input, at: clock.now() }
      return openRun({ header, machine, host, journal, refusal: missingServices(chart, services) }, null)
    },
    async resume(runId) {
      const stored = await journal.load(runId)
      if (stored === null) throw new AgentStatechartsError("run_unknown", `there is no run "${runId}" in the journal`)
      const { header, records } = stored
      const machine = machinesFor(header.chart)
      return openRun({ header, machine, host, journal, refusal: missingServices(header.chart, services) }, records)
    },
  }
}
