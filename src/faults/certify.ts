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
import { faultPositions, faultsOfKind, type PossibleFault } from "./run/fault-positions.js"
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

/**
 * Options of {@link certify}. They contain the workflow, the scripted responses and answers, and
 * the faults to inject.
 */
export interface CertifyOptions {
  readonly chart: AgentChart
  readonly input: RunInput
  /** The scenario as JSON. It contains the scripted responses of models, tools and graph nodes. */
  readonly scenario: Readonly<Record<string, unknown>>
  readonly people: readonly ScriptedAnswer[]
  /**
   * The answers of `people` as JSON, in the same order. Each script in the report that reproduces a
   * faulty run includes these answers.
   */
  readonly answers: readonly unknown[]
  /**
   * Loads the services that the program registers. It is called once for each simulated process,
   * because a real process also imports its modules again.
   */
  readonly load: () => Promise<RegisteredServices>
  readonly http?: Omit<HttpServicesOptions, "dispatcher">
  /** The kinds of faults to inject. Default: all kinds. */
  readonly kinds?: readonly FaultKind[]
  /**
   * Injects only faults of this kind. If `index` is not null, injects only the fault with this
   * index.
   */
  readonly only?: { readonly kind: FaultKind; readonly index: number | null }
  /**
   * Policies that each run with a fault must comply with, if the run without a fault complies with
   * them.
   */
  readonly policies?: readonly PolicySet[]
  /** Prices for policies that limit the cost. Default: the prices in the policy files. */
  readonly policyPrices?: PriceList
  /**
   * Maximum number of runs with a fault. If more faults are possible, only a selection is injected.
   */
  readonly most: number
  /**
   * Whether a run with a fault copies all journal records before the fault from the run without a
   * fault. If false, it starts from the beginning. Copying is faster and leads to the same report.
   * Default: true.
   */
  readonly sharesPast?: boolean
  /**
   * Executes a run in real operating system processes and kills the first of them at the fault. If
   * absent, kills are simulated without starting other processes.
   */
  readonly killInProcess?: (fault: Fault) => Promise<FaultRun>
  /**
   * Returns players, which are objects that execute runs with a fault, for example in worker
   * threads. `runs` is the number of these runs. `runMs` is the duration of one run without a
   * fault, in milliseconds. If `players` is absent or returns null, this thread executes the runs.
   */
  readonly players?: (runs: number, runMs: number) => readonly FaultPlayer[] | null
  /**
   * Called before each run with a fault, with the number of finished runs and of all runs. If it
   * returns false, no more runs are started.
   */
  readonly onProgress?: (done: number, total: number) => boolean
}

/**
 * Tests whether a workflow survives single faults, such as a killed process or a failed call.
 * Executes the workflow without a fault, and then once for each fault. Compares each of these runs
 * with the run without a fault, and returns a report.
 *
 * @throws AgentStatechartsError `scenario_invalid` if the scenario is invalid or has no response
 * for a call of the run without a fault, and `service_missing` if a service is not registered
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
 * Executes the run with one fault and stores its journal on disk. Call this function in two
 * processes. The first process is killed at the journal record of the fault. The second process
 * resumes the run from the journal.
 */
export const playStoredRun = (
  options: CertifyOptions,
  fault: Fault,
  runId: string,
  disk: StoredProcess,
): Promise<FaultRun> => withFaultPlayer(options, (player) => player.play(fault, { runId, disk }))

/**
 * Executes the run without a fault, and then calls `use` with a player. A player is an object that
 * executes runs with one fault. This player executes them in this process.
 */
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

/**
 * The run without a fault, the policies that it violates, and the faults that can be injected. All
 * runs with a fault are compared with this run.
 */
interface Baseline {
  readonly run: ObservedRun
  /**
   * The policies that the run without a fault violates. They are not reported again for the runs
   * with a fault.
   */
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
    // If the runs without a fault differ or violate an invariant, other runs cannot be compared
    // with them.
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

  /** Executes the run without a fault and stores it, so that other runs can be compared with it. */
  async begin(): Promise<Baseline> {
    const run = await this.#play(null, null, false)
    if (run.exhausted !== null)
      throw new AgentStatechartsError(
        "scenario_invalid",
        `${run.exhausted}. Add a response to the scenario file of --scripted.`,
      )
    const positions = faultPositions(run)
    this.#baseline = {
      run,
      violated: violatedPolicies(this.#options, run),
      faults: new Map(faultKinds.map((kind) => [kind, faultsOfKind(kind, positions)] as const)),
    }
    return this.#baseline
  }

  /**
   * Executes the run with one fault. If `stored` is passed, the journal of the run is stored on
   * disk.
   */
  async play({ kind, index }: Fault, stored?: StoredRun): Promise<FaultRun> {
    const { run: first, violated, faults } = this.#baseline ?? (await this.begin())
    const fault = faults.get(kind)?.[index]
    if (fault === undefined)
      throw new AgentStatechartsError(
        "argument_invalid",
        `the fault ${kind}@${index} cannot be injected, because the run has no such record or call`,
      )
    const known = new Set(violated.map(({ subject }) => subject))
    const run = await this.#play(fault, first, false, stored)
    const checked = checkRun(this.#options.chart, fault, first, run, this.#notIdempotent)
    const broken = violatedPolicies(this.#options, run).filter(({ subject }) => !known.has(subject))
    return faultRunOf(run, checked, broken, this.#notIdempotent)
  }

  /**
   * Returns a player, which executes runs with a fault. It passes kill faults to the option
   * `killInProcess`, and all other faults to `player`. If the option is not set, returns `player`
   * itself.
   */
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
