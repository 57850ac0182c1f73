import type { Envelope } from "../../../../src/machines/contract/services.js"
import type { RunError, RunResult } from "../../../../src/machines/contract/run-event.js"
import { executeRun } from "../../../../src/runtime/engine/execute-run.js"
import type { RunOrder } from "../../../../src/runtime/engine/execute-run.js"
import type { Engine, EngineEvent } from "../../../../src/runtime/engine/engine.js"
import type { LeafCall } from "../../../../src/runtime/driver/host.js"
import { callPerformer } from "../../../../src/runtime/host/call-performer.js"
import type { CallServices } from "../../../../src/runtime/host/call-services.js"
import type { Run } from "../../../../src/runtime/run/run.js"
import type { RunMessage } from "../../../../src/runtime/run/run-message.js"

/** A call that a run starts or stops after an event. */
export type Command = { readonly begin: LeafCall } | { readonly stop: LeafCall }

export interface Turn {
  /** The next event. Null for the start of the run. */
  readonly happening: EngineEvent | null
  readonly commands: Command[]
}

/** An undisturbed run in this process: its events in order, and the calls that it starts or stops after each event. */
export interface Trace {
  readonly turns: readonly Turn[]
  readonly result: RunResult
  /** Why the run could not start. Null if it started. */
  readonly refusal: RunError | null
  /** The errors of the refused messages. */
  readonly refused: readonly string[]
}

export interface TraceOptions {
  /** Returns the index of the call in flight that ends next. Default: the call that started first. */
  readonly pick?: (inFlight: number) => number
  /** Returns a message that arrives before the next call ends, or null. */
  readonly interrupt?: (run: Run, turn: number) => RunMessage | null
  /** Executes a call. Default: the services in this process. */
  readonly perform?: (call: LeafCall) => Promise<Envelope>
}

const answerAlike = (run: Run): RunMessage => {
  const [request] = run.pending()
  if (request === undefined) return { type: "end" }
  if (request.kind === "approval") return { type: "approve", id: request.id }
  if (request.kind === "input") return { type: "say", content: "tell me", request: request.id }
  return { type: "answer", id: request.id, value: "yes" }
}

export async function traceOf(
  order: RunOrder,
  services: CallServices,
  { pick = () => 0, interrupt = () => null, perform = inProcess(services) }: TraceOptions = {},
): Promise<Trace> {
  let now = order.at
  const refusal = callPerformer(services).missing(order.chart)
  const open = new Map<number, LeafCall>()
  const refused: string[] = []
  const turns: Turn[] = [{ happening: null, commands: [] }]
  const endOf = async (call: LeafCall): Promise<Envelope> => {
    if (call.src === "sleepUntil") {
      now = Math.max(now, untilOf(call))
      return { ok: true, value: null, at: now }
    }
    // A worker receives calls and returns results as JSON.
    const result = await perform(asJson(call))
    return { ...asJson(result), at: now }
  }
  const happen = async (run: Run): Promise<EngineEvent> => {
    now += 10
    const message = interrupt(run, turns.length)
    if (message !== null) return { message, at: now }
    const calls = [...open.values()]
    const pauses = calls.filter(({ src }) => src === "sleepUntil")
    // Calls are faster than pauses. A pause ends only if no call is in flight, and the earliest pause ends first.
    const due =
      calls.length > pauses.length
        ? calls.filter((call) => !pauses.includes(call))
        : pauses.sort((one, other) => untilOf(one) - untilOf(other)).slice(0, 1)
    const call =
      run.snapshot().status === "waiting" ? undefined : due[pick(due.length) % due.length]
    if (call === undefined)
      return { message: turns.length > 200 ? { type: "end" } : answerAlike(run), at: now }
    open.delete(call.n)
    return { n: call.n, result: await endOf(call) }
  }
  const engine: Engine = {
    begin(call) {
      open.set(call.n, call)
      turns.at(-1)?.commands.push({ begin: call })
      return () => {
        if (open.delete(call.n)) turns.at(-1)?.commands.push({ stop: call })
      }
    },
    async next(run) {
      const happening = await happen(run)
      turns.push({ happening, commands: [] })
      return happening
    },
    refused: (_, error) => void refused.push(error.message),
  }
  const result = await executeRun(order, engine, { refusal })
  return { turns, result, refusal, refused }
}

const inProcess = (services: CallServices) => {
  const performer = callPerformer(services)
  // The call is never aborted, so it has a result.
  return async (call: LeafCall): Promise<Envelope> =>
    (await performer.perform(call, new AbortController().signal)) as Envelope
}

const asJson = <Value>(value: Value): Value => JSON.parse(JSON.stringify(value)) as Value

const untilOf = ({ input }: LeafCall): number => (input as { readonly until: number }).until
