import { AgentStatechartsError } from "../errors.js"
import type { AgentChart } from "../machines/contract/agent-chart.js"
import type { PolicySet } from "../policies/policy.js"
import type { PriceList } from "../policies/price-list.js"
import { compiledMachines } from "../runtime/driver/compiled-machine.js"
import { loadProgram } from "../runtime/driver/program.js"
import { randomIds } from "../runtime/host/random-ids.js"
import type { RunInput } from "../runtime/run/new-run.js"
import { readScenario } from "../adapters/scripted/scenario.js"
import type { HttpServicesOptions } from "../adapters/http/http-services.js"
import { violatedPolicies } from "./check/check-policies.js"
import { checkRun } from "./check/check-run.js"
import { nondeterminism, readWarnings } from "./check/check-deterministic.js"
import type { FaultReport } from "./contract/certificate.js"
import { type FaultKind, faultKinds } from "./contract/fault.js"
import type { ScriptedAnswer } from "./play/people.js"
import { faultPlaces, faultsOfKind, type PossibleFault } from "./play/places.js"
import type { ObservedRun, SimulatedRunSetup } from "./play/observed-run.js"
import { SimulatedRun } from "./play/simulated-run.js"
import { ReportBuilder } from "./report-builder.js"
import { chooseFaults } from "./choose-faults.js"
import { ScriptedAnswers } from "./simulation/scripted-answers.js"
import { type RegisteredServices, simulatedHttp } from "./simulation/simulated-services.js"
import { watchGlobals } from "./simulation/watched-globals.js"

/** A workflow with a script, and the faults to inject. */
export interface CertifyOptions {
  readonly chart: AgentChart
  readonly input: RunInput
  /** The scenario as JSON. */
  readonly scenario: Readonly<Record<string, unknown>>
  readonly people: readonly ScriptedAnswer[]
  /** The answers as JSON, one for each of `people`, for the scripts of findings. */
  readonly answers: readonly unknown[]
  /** Loads the registered services again, as a new process does. */
  readonly load: () => Promise<RegisteredServices>
  readonly http?: Omit<HttpServicesOptions, "dispatcher">
  /** The kinds to inject. Default: all kinds. */
  readonly kinds?: readonly FaultKind[]
  /** The only kind of fault to inject, and its index; null: every fault of the kind. */
  readonly only?: { readonly kind: FaultKind; readonly index: number | null }
  /** Policies that hold in every run, if they hold in the run without faults. */
  readonly policies?: readonly PolicySet[]
  /** Prices for policies that limit the cost. Default: the prices of the policies. */
  readonly policyPrices?: PriceList
  /** Maximum number of runs. */
  readonly most: number
  /** Called before each run with a fault. If it returns false, no further run is made. */
  readonly onProgress?: (done: number, total: number) => boolean
}

/**
 * Runs a workflow without faults, and then once for each single fault. Checks each run against the
 * fault-free run.
 *
 * @throws AgentStatechartsError `scenario_invalid` if the scenario is invalid or has no response for
 * a call of the fault-free run, and `service_missing`
 */
export async function certify(options: CertifyOptions): Promise<FaultReport> {
  const restore = watchGlobals()
  try {
    return await new Certification(options).run()
  } finally {
    restore()
  }
}

class Certification {
  readonly #options: CertifyOptions
  readonly #setup: SimulatedRunSetup
  readonly #answers: ScriptedAnswers
  readonly #notIdempotent: ReadonlySet<string>

  constructor(options: CertifyOptions) {
    const { chart, input, scenario, people, load, http } = options
    this.#options = options
    const script = readScenario(scenario)
    this.#notIdempotent = new Set(script.notIdempotent)
    this.#answers = new ScriptedAnswers(script)
    this.#setup = {
      chart,
      input,
      people,
      load,
      machine: compiledMachines(loadProgram(chart)),
      http: simulatedHttp(script, http),
    }
  }

  async run(): Promise<FaultReport> {
    const { kinds = faultKinds, only, most, onProgress } = this.#options
    const first = await this.#play(null, null, false)
    if (first.exhausted !== null)
      throw new AgentStatechartsError("scenario_invalid", `${first.exhausted}. Add one.`)
    const second = await this.#play(null, first, true)
    const report = new ReportBuilder(this.#options, first, this.#notIdempotent)
    report.warn(readWarnings([first, second]))
    const unsteady = nondeterminism(first, second)
    report.find(unsteady === null ? first.violations : [unsteady])
    // Without a steady run, there is nothing to compare the runs with a fault with.
    if (unsteady !== null || first.violations.length > 0) return report.end(0)
    const violated = violatedPolicies(this.#options, first)
    report.find(violated)
    const known = new Set(violated.map(({ subject }) => subject))
    const places = faultPlaces(first)
    const possible = faultKinds
      .filter((kind) => (only === undefined ? kinds.includes(kind) : kind === only.kind))
      .map((kind) => [kind, faultsOfKind(kind, places)] as const)
    const chosen = chooseFaults(possible, only?.index ?? null, most)
    report.choose(possible, chosen)
    let done = 0
    for (const fault of chosen) {
      if (onProgress?.(done++, chosen.length) === false) break
      const run = await this.#play(fault, first, false)
      const checked = checkRun(this.#options.chart, fault, first, run, this.#notIdempotent)
      const broken = violatedPolicies(this.#options, run).filter(
        ({ subject }) => !known.has(subject),
      )
      report.add(fault, run, checked, broken)
    }
    return report.end(done)
  }

  #play(
    fault: PossibleFault | null,
    baseline: ObservedRun | null,
    isShifted: boolean,
  ): Promise<ObservedRun> {
    return new SimulatedRun(this.#setup, {
      runId: randomIds.next(),
      answers: baseline === null ? this.#answers.ofFirstRun() : this.#answers.ofLaterRun(),
      fault,
      given: baseline?.given ?? null,
      isShifted,
      maxRecords: baseline === null ? 100_000 : 10 * (baseline.records.length + 1),
    }).play()
  }
}
