import { AgentStatechartsError, thrownMessage } from "../../errors.js"
import { CallFailedError } from "../../machines/contract/services.js"
import type { CallFailure, HostRequest, HostStep } from "../../machines/contract/services.js"
import type { HostOutcome } from "../../machines/contract/host/host-outcome.js"
import type { SessionKey } from "../journal/session-store.js"
import type { HostCalls } from "./host-context.js"
import { CallContext } from "./host-context.js"
import type { AskOptions, HostActions, HostFunction, HostState } from "./host-function.js"
import { copyJson, toJson } from "./host-json.js"
import type { AllowedAnswers, QuestionLimits } from "./question-limits.js"
import { answersOf, limitsOf } from "./question-limits.js"
import { requestedActions } from "./requested-actions.js"
import { RecordingState } from "./recording-state.js"

/**
 * Result of one segment of a host function. A segment ends when the function requests a new step,
 * returns or throws an error.
 */
export type HostResult =
  | { readonly ok: true; readonly value: HostOutcome }
  | { readonly ok: false; readonly error: CallFailure }

type OutcomeWithout<Outcome> = Outcome extends HostOutcome
  ? Omit<Outcome, "changed" | "emitted" | "escalates" | "transfersTo" | "skipsSummarization">
  : never

/**
 * Successful end of a segment, which is the execution between two steps. The function has requested
 * a new step or returned a value.
 */
type Ending = OutcomeWithout<HostOutcome>

type RequestedStep =
  | { readonly type: "agent"; readonly name: string }
  | ({
      readonly type: "ask"
      readonly name: string
      readonly details: unknown
    } & AllowedAnswers &
      QuestionLimits)

/**
 * One execution of a host function that can be suspended. It consists of segments, which are the
 * parts between two steps. A recorded step returns its recorded result. A new step ends the current
 * segment. The function is then suspended until `resume` is called with the result of the step.
 */
export class HostCoroutine implements HostCalls {
  readonly request: HostRequest
  readonly session: SessionKey | null
  readonly actions: HostActions = {}
  /** Controller of the function's abort signal. null until the function first reads the signal. */
  #controller: AbortController | null = null
  #aborted: { readonly reason: unknown } | null = null
  readonly #recorded: HostStep[]
  /** Recorded steps of the method `concurrent`, by step name. */
  readonly #concurrent: Map<string, HostStep>
  /**
   * Names of recorded `concurrent` steps that the function has requested again in this execution. A
   * function that ends without requesting all of them is not deterministic.
   */
  readonly #replayed = new Set<string>()
  readonly #state: RecordingState
  #next = 0
  #emitted: { readonly type: string; readonly data: unknown }[] = []
  #lastStep: Promise<unknown> = Promise.resolve()
  #resume: (() => void) | null = null
  #finishSegment: (result: HostResult) => void = () => {}

  constructor(call: HostFunction, request: HostRequest, session: SessionKey | null) {
    this.request = request
    this.session = session
    this.#recorded = request.steps.filter((step) => !isConcurrent(step))
    this.#concurrent = new Map(
      request.steps.flatMap((step) => (isConcurrent(step) ? [[step.name, step] as const] : [])),
    )
    this.#state = new RecordingState(request)
    queueMicrotask(() => void this.#run(call))
  }

  /** Number of steps of the host function whose result is recorded. */
  get steps(): number {
    return this.#recorded.length + this.#concurrent.size
  }

  /** Resolves when the function requests a new step, returns or throws. */
  nextSegment(): Promise<HostResult> {
    return new Promise((resolve) => (this.#finishSegment = resolve))
  }

  /**
   * Records the result of the step for which the function is suspended, and continues the function.
   * Resolves when the function requests the next new step, returns or throws.
   */
  resume(step: HostStep): Promise<HostResult> {
    const next = this.nextSegment()
    if (isConcurrent(step)) {
      this.#concurrent.set(step.name, step)
      this.#replayed.add(step.name)
    } else this.#recorded.push(step)
    this.#resume?.()
    return next
  }

  abort(reason: unknown): void {
    this.#aborted = { reason }
    this.#controller?.abort(reason)
  }

  signal(): AbortSignal {
    if (this.#controller === null) {
      this.#controller = new AbortController()
      if (this.#aborted !== null) this.#controller.abort(this.#aborted.reason)
    }
    return this.#controller.signal
  }

  get all(): HostState {
    return this.#state
  }

  runAgent(name: string): Promise<unknown> {
    return this.#requestStep({ type: "agent", name })
  }

  ask(prompt: string, details: unknown, options: AskOptions): Promise<unknown> {
    return this.#requestStep({
      type: "ask",
      name: prompt,
      details: toJson(
        options.auth === undefined ? details : { auth: options.auth },
        `the details of the question "${prompt}"`,
      ),
      ...answersOf(options, this.request),
      ...limitsOf(options, this.request),
    })
  }

  emit(type: string, data: unknown): void {
    this.#emitted.push({
      type,
      data: toJson(data, `the data of the event "${type}" of "${this.request.service}"`),
    })
  }

  step<Value>(name: string, action: () => Promise<Value> | Value): Promise<Value> {
    return this.#inOrder(async () => {
      if (this.#next >= this.#recorded.length)
        await this.#suspend({ type: "step", name, ...(await execute(name, action)) })
      else this.#passRecorded()
      return this.#result("step", name) as Value
    })
  }

  concurrent<Value>(name: string, action: () => Promise<Value> | Value): Promise<Value> {
    const recorded = this.#concurrent.get(name)
    if (recorded !== undefined) {
      this.#passRecorded()
      this.#replayed.add(name)
      return Promise.resolve(copyJson(valueOf(recorded)) as Value)
    }
    const running = execute(name, action)
    return running.then((result) =>
      this.#inOrder(async () => {
        await this.#suspend({ type: "step", name, concurrent: true, ...result })
        return copyJson(valueOf(result)) as Value
      }),
    )
  }

  async #run(call: HostFunction): Promise<void> {
    const { request } = this
    try {
      const input = copyJson(request.input)
      const value = await call(new CallContext(this), input)
      if (this.#next < this.#recorded.length)
        throw nondeterministic(request, "it returned", this.#recorded[this.#next])
      for (const [name, step] of this.#concurrent)
        if (!this.#replayed.has(name)) throw nondeterministic(request, "it returned", step)
      const args =
        typeof input === "object" && input !== null && "args" in input
          ? { args: toJson(input.args, `the arguments changed by "${request.service}"`) }
          : {}
      this.#end({
        type: "returned",
        value: toJson(value, `the result of "${request.service}"`),
        ...args,
      })
    } catch (error) {
      this.#finishSegment({ ok: false, error: failureOf(error, request) })
    }
  }

  #requestStep(request: RequestedStep): Promise<unknown> {
    return this.#inOrder(async () => {
      if (this.#next >= this.#recorded.length) await this.#suspend(request)
      else this.#passRecorded()
      return this.#result(request.type, request.name)
    })
  }

  /**
   * Discards the state changes and events since the last step. The function repeats a recorded
   * step, and the journal already contains these changes and events.
   */
  #passRecorded(): void {
    this.#state.takeChanges()
    this.#emitted = []
  }

  /** Executes a step after all earlier steps, even if the function starts several steps at once. */
  #inOrder<Value>(execute: () => Promise<Value>): Promise<Value> {
    const result = this.#lastStep.then(execute)
    this.#lastStep = result.catch(() => {})
    return result
  }

  #suspend(ending: Ending): Promise<void> {
    return new Promise((resolve) => {
      this.#resume = resolve
      this.#end(ending)
    })
  }

  #result(type: HostStep["type"], name: string): unknown {
    const step = this.#recorded[this.#next++]
    if (step === undefined || step.type !== type || step.name !== name)
      throw nondeterministic(this.request, `it takes the step ${type} "${name}"`, step)
    this.#state.apply(step.changed)
    if (!step.ok)
      throw new AgentStatechartsError(
        step.isExpired === true ? "request_expired" : "host_code_failed",
        step.error,
      )
    // The function receives a copy, so that it cannot change the recorded value.
    return copyJson(step.value)
  }

  #end(ending: Ending): void {
    const emitted = this.#emitted
    this.#emitted = []
    this.#finishSegment({
      ok: true,
      // In Node 20, adding fields to a copied object is slow, so the copied fields come last.
      value: {
        changed: this.#state.takeChanges(),
        emitted,
        ...requestedActions(this.actions),
        ...ending,
      },
    })
  }
}

type StepResult =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly error: string }

async function execute(name: string, action: () => unknown): Promise<StepResult> {
  try {
    return { ok: true, value: toJson(await action(), `the result of the step "${name}"`) }
  } catch (error) {
    return { ok: false, error: thrownMessage(error) }
  }
}

const isConcurrent = (step: HostStep): boolean => step.type === "step" && step.concurrent === true

/** Returns the result of a recorded step, or throws the recorded error of the step. */
function valueOf(step: StepResult): unknown {
  if (step.ok) return step.value
  throw new AgentStatechartsError("host_code_failed", step.error)
}

const nondeterministic = (
  { service }: HostRequest,
  current: string,
  recorded: HostStep | undefined,
): AgentStatechartsError =>
  new AgentStatechartsError(
    "nondeterministic_host_code",
    `"${service}" took different steps when it ran again: ${current}, but in the first run it ${recorded === undefined ? "took no step" : `took the step ${recorded.type} "${recorded.name}"`}. Host functions must be deterministic between steps`,
  )

function failureOf(error: unknown, { service }: HostRequest): CallFailure {
  const message = thrownMessage(error)
  if (error instanceof CallFailedError)
    return { ...error.failure, message: `"${service}" failed: ${message}` }
  const code =
    error instanceof AgentStatechartsError &&
    (error.code === "nondeterministic_host_code" || error.code === "request_expired")
      ? error.code
      : "host_code_failed"
  return {
    code,
    message: message.includes(`"${service}"`) ? message : `"${service}" failed: ${message}`,
    retryable: false,
  }
}
