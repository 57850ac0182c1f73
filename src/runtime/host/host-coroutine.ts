import { AgentStatechartsError, wordsOf } from "../../errors.js"
import type { OnExpiry } from "../../machines/contract/activity.js"
import { CallFailedError } from "../../machines/contract/services.js"
import type {
  CallFailure,
  HostChanges,
  HostOutcome,
  HostRequest,
  HostStep,
} from "../../machines/contract/services.js"
import type { HostCalls } from "./host-context.js"
import { CallContext } from "./host-context.js"
import type { AskOptions, HostActions, HostFunction, HostState } from "./host-function.js"

export type HostResult =
  | { readonly ok: true; readonly value: HostOutcome }
  | { readonly ok: false; readonly error: CallFailure }

type OutcomeWithout<Outcome> = Outcome extends HostOutcome
  ? Omit<Outcome, "changed" | "emitted" | "escalates" | "transfersTo" | "skipsSummarization">
  : never

/** How a stretch ended, without what the function did in it. */
type Ending = OutcomeWithout<HostOutcome>

type Asked =
  | { readonly type: "agent"; readonly name: string }
  | ({ readonly type: "ask"; readonly name: string; readonly details: unknown } & QuestionLimits)

/**
 * One call of a host function, suspended at its steps. A step that is recorded already gives its recorded result; a new one
 * ends the stretch, and the function waits until it is resumed with what the step came to.
 */
export class HostCoroutine implements HostCalls {
  readonly request: HostRequest
  readonly actions: HostActions = {}
  /** Made when somebody wants its signal. */
  #controller: AbortController | null = null
  #aborted: { readonly reason: unknown } | null = null
  readonly #recorded: HostStep[]
  readonly #state: RecordingState
  #next = 0
  #emitted: { readonly type: string; readonly data: unknown }[] = []
  #lastStep: Promise<unknown> = Promise.resolve()
  #resume: (() => void) | null = null
  #finishStretch: (result: HostResult) => void = () => {}

  constructor(call: HostFunction, request: HostRequest) {
    this.request = request
    this.#recorded = [...request.steps]
    this.#state = new RecordingState(request)
    queueMicrotask(() => void this.#run(call))
  }

  /** How many steps it knows of. */
  get steps(): number {
    return this.#recorded.length
  }

  /** Settles when the function has returned, thrown, or come to a new step. */
  stretch(): Promise<HostResult> {
    return new Promise((resolve) => (this.#finishStretch = resolve))
  }

  resume(step: HostStep): Promise<HostResult> {
    const next = this.stretch()
    this.#recorded.push(step)
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
    return this.#take({ type: "agent", name })
  }

  ask(prompt: string, details: unknown, options: AskOptions): Promise<unknown> {
    return this.#take({
      type: "ask",
      name: prompt,
      details: asJson(details, `the details of the question "${prompt}"`),
      ...limitsOf(options, this.request),
    })
  }

  emit(type: string, data: unknown): void {
    this.#emitted.push({
      type,
      data: asJson(data, `the data of the event "${type}" of "${this.request.service}"`),
    })
  }

  step<Value>(name: string, action: () => Promise<Value> | Value): Promise<Value> {
    return this.#inTurn(async () => {
      if (this.#next >= this.#recorded.length)
        await this.#suspend({ type: "step", name, ...(await attempt(name, action)) })
      else this.#passRecorded()
      return this.#result("step", name) as Value
    })
  }

  async #run(call: HostFunction): Promise<void> {
    const { request } = this
    try {
      const input = copyOf(request.input)
      const value = await call(new CallContext(this), input)
      if (this.#next < this.#recorded.length)
        throw nondeterministic(request, "it returned", this.#recorded[this.#next])
      const args =
        typeof input === "object" && input !== null && "args" in input
          ? { args: asJson(input.args, `the arguments changed by "${request.service}"`) }
          : {}
      this.#end({
        type: "returned",
        value: asJson(value, `the result of "${request.service}"`),
        ...args,
      })
    } catch (error) {
      this.#finishStretch({ ok: false, error: failureOf(error, request) })
    }
  }

  #take(asked: Asked): Promise<unknown> {
    return this.#inTurn(async () => {
      if (this.#next >= this.#recorded.length) await this.#suspend(asked)
      else this.#passRecorded()
      return this.#result(asked.type, asked.name)
    })
  }

  /** What the function did before a step that is recorded was recorded with it, so it is not done again. */
  #passRecorded(): void {
    this.#state.takeChanges()
    this.#emitted = []
  }

  /** Steps are taken one after the other, also by a function that asks for several at once. */
  #inTurn<Value>(take: () => Promise<Value>): Promise<Value> {
    const turn = this.#lastStep.then(take)
    this.#lastStep = turn.catch(() => {})
    return turn
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
    // The run keeps what it has recorded, whatever the function does with it.
    return copyOf(step.value)
  }

  #end(ending: Ending): void {
    const emitted = this.#emitted
    this.#emitted = []
    this.#finishStretch({
      ok: true,
      value: { ...ending, changed: this.#state.takeChanges(), emitted, ...asked(this.actions) },
    })
  }
}

/** The fields are set by code that no compiler may have looked at. */
const asked = ({
  escalate,
  transferToAgent,
  skipSummarization,
}: HostActions): Pick<HostOutcome, "escalates" | "transfersTo" | "skipsSummarization"> => ({
  escalates: escalate === true,
  ...(typeof transferToAgent === "string" && { transfersTo: transferToAgent }),
  ...(skipSummarization === true && { skipsSummarization: true }),
})

interface QuestionLimits {
  readonly expiresInMs?: number
  readonly onExpiry?: OnExpiry
}

function limitsOf({ expiresIn, onExpiry }: AskOptions, { service }: HostRequest): QuestionLimits {
  if (expiresIn === undefined) return {}
  if (!Number.isFinite(expiresIn) || expiresIn <= 0)
    throw new AgentStatechartsError(
      "host_code_failed",
      `expiresIn of a question of "${service}" must be a number of milliseconds greater than 0, not ${String(expiresIn)}`,
    )
  if (onExpiry !== undefined && !["reject", "fail", "continue"].includes(onExpiry))
    throw new AgentStatechartsError(
      "host_code_failed",
      `onExpiry of a question of "${service}" must be "reject", "fail" or "continue", not "${String(onExpiry)}"`,
    )
  return { expiresInMs: Math.ceil(expiresIn), ...(onExpiry !== undefined && { onExpiry }) }
}

type Attempted =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly error: string }

async function attempt(name: string, action: () => unknown): Promise<Attempted> {
  try {
    return { ok: true, value: asJson(await action(), `the result of the step "${name}"`) }
  } catch (error) {
    return { ok: false, error: wordsOf(error) }
  }
}

function asJson(value: unknown, what: string): unknown {
  if (value === undefined) return null
  try {
    return JSON.parse(JSON.stringify(value)) as unknown
  } catch (cause) {
    throw new AgentStatechartsError("host_code_failed", `${what} must be JSON`, { cause })
  }
}

/** Of what is JSON. */
const copyOf = (value: unknown): unknown =>
  typeof value === "object" && value !== null
    ? (JSON.parse(JSON.stringify(value)) as unknown)
    : value

const nondeterministic = (
  { service }: HostRequest,
  now: string,
  then: HostStep | undefined,
): AgentStatechartsError =>
  new AgentStatechartsError(
    "nondeterministic_host_code",
    `"${service}" took different steps when it ran again: ${now}, but in the first run it ${then === undefined ? "took no step" : `took the step ${then.type} "${then.name}"`}. Host functions must be deterministic between steps`,
  )

function failureOf(error: unknown, { service }: HostRequest): CallFailure {
  const message = wordsOf(error)
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

/** The session state as the function sees it, and what it has changed since its last step. */
class RecordingState implements HostState {
  /** Its state is built when somebody wants it. */
  readonly #request: HostRequest
  /** What is different from then; undefined for what was removed. */
  readonly #since = new Map<string, unknown>()
  readonly #set = new Map<string, unknown>()
  readonly #removed = new Set<string>()

  constructor(request: HostRequest) {
    this.#request = request
  }

  get #before(): Readonly<Record<string, unknown>> {
    return this.#request.state
  }

  get(key: string): unknown {
    return copyOf(
      this.#since.has(key)
        ? this.#since.get(key)
        : Object.hasOwn(this.#before, key)
          ? this.#before[key]
          : undefined,
    )
  }

  has(key: string): boolean {
    return this.#since.has(key)
      ? this.#since.get(key) !== undefined
      : Object.hasOwn(this.#before, key)
  }

  set(key: string, value: unknown): void {
    const json = asJson(value, `the value of the state key "${key}"`)
    this.#since.set(key, json)
    this.#set.set(key, json)
    this.#removed.delete(key)
  }

  delete(key: string): void {
    this.#since.set(key, undefined)
    this.#set.delete(key)
    this.#removed.add(key)
  }

  toObject(): Record<string, unknown> {
    const all = new Map([...Object.entries(this.#before), ...this.#since])
    return copyOf(
      Object.fromEntries([...all].filter(([, value]) => value !== undefined)),
    ) as Record<string, unknown>
  }

  apply({ set, removed }: HostChanges): void {
    for (const [key, value] of Object.entries(set)) this.#since.set(key, value)
    for (const key of removed) this.#since.set(key, undefined)
  }

  takeChanges(): HostChanges {
    const changes = { set: Object.fromEntries(this.#set), removed: [...this.#removed] }
    this.#set.clear()
    this.#removed.clear()
    return changes
  }
}
