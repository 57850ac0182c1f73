import type {
  AssumedService,
  FaultFinding,
  FaultReport,
  FaultWarning,
  KindCounts,
} from "./contract/certificate.js"
import {
  type FaultKind,
  faultKinds,
  faultName,
  faultTargets,
  type FaultTarget,
} from "./contract/fault.js"
import type { Invariant, Violation } from "./contract/violation.js"
import type { FaultRun } from "./check/fault-run.js"
import type { PossibleFault } from "./run/fault-positions.js"
import type { ObservedRun } from "./run/observed-run.js"
import type { ScriptEntry } from "../adapters/scripted/script-position.js"

/**
 * The parts of a script that reproduces a run, as JSON: the scenario with the scripted responses,
 * the answers of people, and the initial state.
 */
interface ScriptFiles {
  readonly scenario: Readonly<Record<string, unknown>>
  readonly answers: readonly unknown[]
  readonly input: { readonly state?: Readonly<Record<string, unknown>> }
}

type Writable<Type> = { -readonly [Key in keyof Type]: Type[Key] }

type FaultsByKind = readonly (readonly [FaultKind, readonly PossibleFault[]])[]

/**
 * Creates the report of a fault test from the run without a fault and from the runs with one fault.
 */
export class ReportBuilder {
  readonly #files: ScriptFiles
  readonly #baseline: ObservedRun
  readonly #kinds = new Map<FaultKind, Writable<KindCounts>>()
  readonly #notInjected: { readonly kind: FaultKind; readonly why: string }[] = []
  readonly #assumed = new Map<string, Writable<AssumedService>>()
  /**
   * The findings so far. A finding is a broken invariant in the report. The key of the map consists
   * of the kind of fault, the invariant and the subject. The subject is the agent, tool or function
   * that broke the invariant.
   */
  readonly #findings = new Map<string, Writable<FaultFinding>>()
  #warnings: readonly FaultWarning[] = []

  constructor(files: ScriptFiles, baseline: ObservedRun) {
    this.#files = files
    this.#baseline = baseline
  }

  warn(warnings: readonly FaultWarning[]): void {
    this.#warnings = warnings
  }

  /**
   * Adds a finding (a broken invariant in the report) for each violation in the runs without a
   * fault.
   */
  find(violations: readonly Violation[]): void {
    for (const violation of violations) this.#find("none", {}, violation, null)
  }

  /** Stores how many faults of each kind are possible, and how many of them will be injected. */
  choose(possible: FaultsByKind, chosen: readonly PossibleFault[]): void {
    const counts = new Map<FaultKind, number>()
    for (const { kind } of chosen) counts.set(kind, (counts.get(kind) ?? 0) + 1)
    for (const [kind, faults] of possible)
      if (faults.length === 0) this.#notInjected.push({ kind, why: reasons[faultTargets[kind]] })
      else
        this.#kinds.set(kind, {
          injected: 0,
          equal: 0,
          declared: 0,
          failed: 0,
          skipped: faults.length - (counts.get(kind) ?? 0),
        })
  }

  /** Adds the result of a run with one fault to the report. */
  add(fault: PossibleFault, run: FaultRun): void {
    const { outcome, violations, repeated } = run
    const counts = this.#kinds.get(fault.kind)
    if (counts !== undefined) {
      counts.injected++
      counts[outcome]++
    }
    for (const about of repeated) this.#assume(about)
    const inRun = new Set<string>()
    for (const violation of violations) {
      const group = JSON.stringify([fault.kind, violation.invariant, violation.subject])
      if (inRun.has(group)) continue
      inRun.add(group)
      this.#find(fault.kind, fault.at, violation, () => ({
        scenario: this.#scenarioOf(run),
        answers: this.#files.answers,
        state: this.#files.input.state ?? {},
        fault: faultName(fault),
      }))
    }
  }

  #assume({ service, kind }: Omit<AssumedService, "runs">): void {
    const id = `${kind} ${service}`
    const known = this.#assumed.get(id) ?? { service, kind, runs: 0 }
    known.runs++
    this.#assumed.set(id, known)
  }

  #find(
    kind: FaultFinding["kind"],
    at: FaultFinding["at"],
    { invariant, subject, message }: Violation,
    play: (() => NonNullable<FaultFinding["play"]>) | null,
  ): void {
    const group = JSON.stringify([kind, invariant, subject])
    const known = this.#findings.get(group)
    if (known !== undefined) {
      known.runs++
      return
    }
    const fix = fixes[invariant](subject)
    const script = play === null ? null : play()
    this.#findings.set(group, { kind, at, invariant, message, fix, runs: 1, play: script })
  }

  /**
   * Returns a reduced scenario that reproduces a run. It contains only the scripted responses that
   * `run` or the run without a fault used.
   */
  #scenarioOf(run: FaultRun): Readonly<Record<string, unknown>> {
    const used = new Set([...this.#baseline.answers.used, ...run.used].map(entryId))
    const lists = { llm: "llm", tools: "tool", http: "http" } as const
    const kept = Object.entries(lists).flatMap(([field, kind]) => {
      const list = this.#files.scenario[field]
      if (typeof list !== "object" || list === null) return []
      const entries = Object.entries(list as Readonly<Record<string, readonly unknown[]>>)
      const byId = entries.flatMap(([id, answers]) => {
        const own = answers.filter((_, index) => used.has(entryId({ kind, id, index })))
        return own.length === 0 ? [] : [[id, own] as const]
      })
      return [[field, Object.fromEntries(byId)] as const]
    })
    return { ...this.#files.scenario, ...Object.fromEntries(kept) }
  }

  /** Returns the finished report. `injected` is the number of runs with a fault. */
  end(injected: number): FaultReport {
    const { result, records, log, sentAnswers: given } = this.#baseline
    const findings = [...this.#findings.values()]
    const kinds = faultKinds.flatMap((kind) => {
      const counts = this.#kinds.get(kind)
      return counts === undefined ? [] : [[kind, counts] as const]
    })
    return {
      ok: findings.length === 0,
      baseline: {
        status: result.status,
        records: records.length,
        calls: log.attempts.length,
        answers: given.length,
      },
      kinds: Object.fromEntries(kinds),
      notInjected: this.#notInjected,
      runs: injected + 2,
      assumes: [...this.#assumed.values()].sort((one, other) =>
        one.service === other.service ? 0 : one.service < other.service ? -1 : 1,
      ),
      warnings: this.#warnings,
      findings,
    }
  }
}

const entryId = ({ kind, id, index }: Pick<ScriptEntry, "kind" | "id" | "index">): string =>
  JSON.stringify([kind, id, index])

/**
 * Texts for the report that explain why no fault of a kind could be injected. The key is the
 * element of a run at which this kind of fault is injected.
 */
const reasons: Readonly<Record<FaultTarget, string>> = {
  record: "the run has no records",
  attempt: "the run makes no call of a model or a tool",
  answer: "no person answers",
  expiry: "no request expires",
}

const deterministic = (subject: string): string =>
  `Put what ${subject === "" ? "a host function" : subject} reads or writes outside of the run into context.step, and keep it under context.idempotencyKey.`

const reportIt = (): string => "This is a defect of the runtime. Report it with the script."

const fixes: Readonly<Record<Invariant, (subject: string) => string>> = {
  deterministic,
  comes_to_rest: (subject) =>
    `Make sure that every host function of ${subject} returns, also when its signal is aborted.`,
  completed_once: reportIt,
  same_request: deterministic,
  same_past: reportIt,
  effect_once: (subject) =>
    `Let ${subject} look at the Idempotency-Key, or make the call of a service that does.`,
  answered_once: () =>
    "Send the id of the request with the answer, so that a repeated answer is refused.",
  typed_error: reportIt,
  answered_in_time: reportIt,
  paced: reportIt,
  same_calls: deterministic,
  same_result: () =>
    "Let host functions read and write outside of the run only inside of context.step, under context.idempotencyKey. If the workflow has no host functions, report the script as a defect.",
  declared: reportIt,
  policies: (subject) => `Change the workflow so that ${subject} also holds after this fault.`,
}
