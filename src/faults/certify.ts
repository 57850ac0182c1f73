import { AgentStatechartsError } from "../errors.js"
import type { AgentChart } from "../machines/contract/agent-chart.js"
import type { PolicySet } from "../policies/policy.js"
import type { PriceList } from "../policies/price-list.js"
import { compiledMachines } from "../runtime/driver/compiled-machine.js"
import { loadProgram } from "../runtime/program/load-program.js"
import { randomIds } from "../runtime/host/random-ids.js"
import type { RunInput } from "../runtime/run/new-run.js"
import { readScenario } from "../adapters/scripted/scenario.js"
import type { HttpServicesOptions } from "../adapters/http/http-services.js"
import { violatedPolicies } from "./check/check-policies.js"
import { checkRun } from "./check/check-run.js"
import { type FaultRun, faultRunOf } from "./check/fault-run.js"
import type { Violation } from "./contract/violation.js"
import { nondeterminism, readWarnings } from "./check/check-deterministic.js"
import type { FaultReport } from "./contract/certificate.js"
import { type Fault, type FaultKind, faultKinds } from "./contract/fault.js"
import type { ScriptedAnswer } from "./run/people.js"
import { sharedPast } from "./run/checkpoint.js"
import { faultPlaces, faultsOfKind, type PossibleFault } from "./run/places.js"
import type {
  ObservedRun,
  SimulatedRunOptions,
  SimulatedRunSetup,
  StoredProcess,
} from "./run/observed-run.js"
import { SimulatedRun } from "./run/simulated-run.js"
import { type FaultPlayer, playFaults } from "./play-faults.js"
import { ReportBuilder } from "./report-builder.js"
import { chooseFaults } from "./choose-faults.js"
import { ScriptedAnswers } from "./environment/scripted-answers.js"
import { type RegisteredServices, simulatedHttp } from "./environment/simulated-services.js"
import { watchGlobals } from "./environment/watched-globals.js"

/** A workflow with a script, and the faults to inject. */
export interface CertifyOptions {
  readonly chart: AgentChart
  readonly input: RunInput
  /** The scenario as JSON. */
  readonly scenario: Readonly<Record<string, unknown>>
  readonly people: readonly ScriptedAnswer[]
  /** The answers as JSON, one for each of `people`, for the scripts of findings. */
  readonly answers: readonly unknown[]
  /** Loads the registered services again, like a new process. */
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
  /**
   * Whether a run with a fault starts from the records that it shares with the fault-free run.
   * Default: true. If false, each run starts at its first record and the report is the same.
   */
  readonly sharesPast?: boolean
  /**
   * Plays a run with a kill in processes of the operating system. Default: kills are simulated in
   * this process.
   */
  readonly killInProcess?: (fault: Fault) => Promise<FaultRun>
  /**
   * Returns the players of `runs` runs with a fault, or null to play them in this thread. `runMs` is
   * the duration of a run without faults in milliseconds. Default: this thread.
   */
  readonly players?: (runs: number, runMs: number) => readonly FaultPlayer[] | null
  /**
   * Called before each run with a fault, with the number of finished runs. If it returns false, no
   * further run is started.
   */
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

/**
 * Plays the run with one fault in a process that is killed at its record, or resumes the run from
 * the journal of that process.
 */
export const playStoredRun = (
  options: CertifyOptions,
  fault: Fault,
  runId: string,
  disk: StoredProcess,
): Promise<FaultRun> => withFaultPlayer(options, (player) => player.play(fault, { runId, disk }))

/** Plays the run without faults, and then runs with a fault, in this process. */
export async function withFaultPlayer<Result>(
  options: CertifyOptions,
  use: (player: Pick<Certification, "play">) => Promise<Result>,
): Promise<Result> {
  const restore = watchGlobals()
  try {
    const certification = new Certification(options)
    await certification.begin()
    return await use(certification)
  } finally {
    restore()
  }
}

type StoredRun = Pick<SimulatedRunOptions, "runId" | "disk">

/** The parts of the run without faults that runs with a fault use. */
interface Baseline {
  readonly run: ObservedRun
  /** The policies that it violates. */
  readonly violated: readonly Violation[]
  readonly faults: ReadonlyMap<FaultKind, readonly PossibleFault[]>
}

class Certification {
  readonly #options: CertifyOptions
  readonly #setup: SimulatedRunSetup
  readonly #answers: ScriptedAnswers
  readonly #notIdempotent: ReadonlySet<string>
  #baseline: Baseline | null = null

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
    const { kinds = faultKinds, only, most, onProgress = () => true } = this.#options
    const { run: first, violated, faults } = await this.begin()
    const startedAt = performance.now()
    const second = await this.#play(null, first, true)
    const runMs = performance.now() - startedAt
    const report = new ReportBuilder(this.#options, first)
    report.warn(readWarnings([first, second]))
    const unsteady = nondeterminism(first, second)
    report.find(unsteady === null ? first.violations : [unsteady])
    // Without a steady run, there is nothing to compare the runs with a fault with.
    if (unsteady !== null || first.violations.length > 0) return report.end(0)
    report.find(violated)
    const possible = faultKinds
      .filter((kind) => (only === undefined ? kinds.includes(kind) : kind === only.kind))
      .map((kind) => [kind, faults.get(kind) ?? []] as const)
    const chosen = chooseFaults(possible, only?.index ?? null, most)
    report.choose(possible, chosen)
    const players = this.#options.players?.(chosen.length, runMs) ?? [
      { play: (fault: Fault) => this.play(fault), close: () => Promise.resolve() },
    ]
    const runs = await playFaults(chosen, players.map(this.#killsInProcess), onProgress)
    for (const [index, fault] of chosen.entries()) {
      const run = runs[index] ?? null
      if (run !== null) report.add(fault, run)
    }
    return report.end(runs.filter((run) => run !== null).length)
  }

  /** Plays the run without faults. */
  async begin(): Promise<Baseline> {
    const run = await this.#play(null, null, false)
    if (run.exhausted !== null)
      throw new AgentStatechartsError(
        "scenario_invalid",
        `${run.exhausted}. Add one to the file of --scripted.`,
      )
    const places = faultPlaces(run)
    this.#baseline = {
      run,
      violated: violatedPolicies(this.#options, run),
      faults: new Map(faultKinds.map((kind) => [kind, faultsOfKind(kind, places)] as const)),
    }
    return this.#baseline
  }

  /** Plays the run with a fault. With `stored`, the run is stored on disk. */
  async play({ kind, index }: Fault, stored?: StoredRun): Promise<FaultRun> {
    const { run: first, violated, faults } = this.#baseline ?? (await this.begin())
    const fault = faults.get(kind)?.[index]
    if (fault === undefined)
      throw new AgentStatechartsError(
        "argument_invalid",
        `the run has no place for ${kind}@${index}`,
      )
    const known = new Set(violated.map(({ subject }) => subject))
    const run = await this.#play(fault, first, false, stored)
    const checked = checkRun(this.#options.chart, fault, first, run, this.#notIdempotent)
    const broken = violatedPolicies(this.#options, run).filter(({ subject }) => !known.has(subject))
    return faultRunOf(run, checked, broken, this.#notIdempotent)
  }

  /** Returns a player that kills processes of the operating system, if the options say so. */
  readonly #killsInProcess = (player: FaultPlayer): FaultPlayer => {
    const { killInProcess } = this.#options
    if (killInProcess === undefined) return player
    return {
      play: (fault) =>
        fault.kind === "kill-before" || fault.kind === "kill-after"
          ? killInProcess(fault)
          : player.play(fault),
      close: () => player.close(),
    }
  }

  #play(
    fault: PossibleFault | null,
    baseline: ObservedRun | null,
    isShifted: boolean,
    { runId, disk }: StoredRun = { runId: randomIds.next() },
  ): Promise<ObservedRun> {
    const isWhole = disk !== undefined || this.#options.sharesPast === false
    return new SimulatedRun(this.#setup, {
      runId,
      ...(disk !== undefined && { disk }),
      answers: baseline === null ? this.#answers.ofFirstRun() : this.#answers.ofLaterRun(),
      fault,
      baseline,
      past: fault === null || baseline === null || isWhole ? null : sharedPast(fault, baseline),
      isShifted,
      maxRecords: baseline === null ? 100_000 : 10 * (baseline.records.length + 1),
    }).play()
  }
}
