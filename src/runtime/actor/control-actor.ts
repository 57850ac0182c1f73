import type { AnyActorRef, AnyStateMachine, Actor } from "xstate"
import { AgentStatechartsError } from "../../errors.js"
import { isDeadline, isOverdue } from "../../machines/requests/expiry.js"
import type { OrchestrationContext } from "../../machines/containers/orchestration-context.js"
import type { RunActorInput } from "../../machines/containers/root-input.js"
import type { PendingRequest, Reply } from "../../machines/contract/pending-request.js"
import type { RunResult } from "../../machines/contract/run-event.js"
import type { TurnOutput } from "../../machines/contract/turn.js"
import { brokenBy, noUsage, resultOf, statusOf } from "../driver/outcome.js"
import type { RunControls } from "../run/run-controls.js"
import { machineError } from "../driver/xstate-twin.js"
import { toRun } from "../run/replies.js"
import { CheckedControls } from "../run/run-controls.js"
import { actorTree, kindOf, stopMachines } from "./actor-tree.js"
import type { Embedding } from "./embedding.js"
import { embeddingOf } from "./embedding.js"

/**
 * The controls of a run for an actor of a machine that `toMachine` made. Make them before the actor starts, so that `result`
 * and `rest` see everything.
 *
 * @throws AgentStatechartsError `chart_invalid` for an actor of another machine.
 */
export function controlActor(actor: Actor<AnyStateMachine>): RunControls {
  const embedding = embeddingOf(actor.logic)
  if (embedding === null)
    throw new AgentStatechartsError(
      "chart_invalid",
      "the machine of this actor was not created by toMachine",
    )
  return new CheckedControls(new ControlledActor(actor, embedding))
}

/** `null` for an actor that could not begin: its context is missing or still empty. */
function contextOf({ context }: { readonly context?: object }): OrchestrationContext | null {
  return context !== undefined && "input" in context ? (context as OrchestrationContext) : null
}

class ControlledActor {
  readonly #actor: Actor<AnyStateMachine>
  readonly #embedding: Embedding
  readonly #resting: ((result: RunResult) => void)[] = []
  stopping: "completed" | "cancelled" | null = null
  /** Requests whose answer was sent: an actor that is in the middle of an event handles it later. */
  readonly #claimed = new Set<string>()
  #checking = false
  #invocation: Promise<RunResult>

  constructor(actor: Actor<AnyStateMachine>, embedding: Embedding) {
    this.#actor = actor
    this.#embedding = embedding
    this.#invocation = this.#untilFinished()
    actor.system.inspect(() => this.#checkSoon())
  }

  get result(): Promise<RunResult> {
    return this.#invocation
  }

  /** Settles when the actor is done, or when it rests after an invocation. */
  #untilFinished(): Promise<RunResult> {
    return new Promise((resolve) => {
      const settle = (): void => resolve(this.snapshot())
      let begun = false
      this.#actor.subscribe({
        next: () => {
          if (!this.isBetweenInvocations()) begun = true
          else if (begun) settle()
        },
        complete: settle,
        error: settle,
      })
    })
  }

  isOpen(): boolean {
    return this.#isActive() && this.stopping === null
  }

  #isActive(): boolean {
    return this.#actor.getSnapshot().status === "active"
  }

  isBetweenInvocations(): boolean {
    const isResting =
      this.#isActive() &&
      (this.#actor.getSnapshot() as { hasTag(tag: string): boolean }).hasTag("resting")
    if (!isResting) this.#claimed.delete(toRun)
    return isResting && !this.#claimed.has(toRun)
  }

  now(): number {
    return this.#embedding.clock.now()
  }

  pending(): readonly PendingRequest[] {
    const waiting = this.#waiting().map(({ request }) => request)
    if (this.#claimed.size === 0) return waiting
    for (const id of this.#claimed)
      if (id !== toRun && !waiting.some((request) => request.id === id)) this.#claimed.delete(id)
    return waiting.filter(({ id }) => !this.#claimed.has(id))
  }

  reply(reply: Reply): null {
    const receiver =
      reply.id === toRun
        ? this.#actor
        : this.#waiting().find(({ request }) => request.id === reply.id)?.actor
    if (reply.id === toRun) this.#invocation = this.#untilFinished()
    this.#claimed.add(reply.id)
    receiver?.send(reply as never)
    return null
  }

  /** Every machine, the innermost first, so that each hands what it has finished to its parent. */
  stop(as: "completed" | "cancelled"): null {
    this.stopping = as
    const at = this.now()
    stopMachines(this.#actor, this.#embedding, at, as)
    return null
  }

  snapshot(): RunResult {
    const snapshot = this.#actor.getSnapshot()
    const context = contextOf(snapshot)
    const usage = this.#embedding.usage.get(this.#actor.system) ?? noUsage
    const runId =
      context?.input.runId ?? (this.#actor.options.input as RunActorInput | undefined)?.runId ?? ""
    if (snapshot.status === "error") {
      const { status, error } = brokenBy(
        machineError(this.#embedding.program.chart.root, snapshot.error),
      )
      return resultOf(runId, status, context, error, usage)
    }
    if (snapshot.status === "done") {
      const output = snapshot.output as TurnOutput
      return resultOf(runId, statusOf(output, this.stopping), context, output.error, usage)
    }
    const status = this.isBetweenInvocations()
      ? "completed"
      : this.#inFlight()
        ? "running"
        : "waiting"
    return resultOf(runId, status, context, null, usage)
  }

  whenSettled(): Promise<RunResult> {
    return new Promise((resolve) => {
      this.#resting.push(resolve)
      this.#checkSoon()
    })
  }

  #waiting(): readonly { readonly request: PendingRequest; readonly actor: AnyActorRef }[] {
    return [...actorTree(this.#actor)].flatMap((actor) => {
      const kind = kindOf(actor, this.#embedding)
      const snapshot = actor.getSnapshot()
      if (kind === null || snapshot.status !== "active") return []
      return kind.pending(snapshot.context as object).map((request) => ({ request, actor }))
    })
  }

  /** Whether anything moves without a person; a deadline that has passed is about to. */
  #inFlight(): boolean {
    const now = this.now()
    for (const actor of actorTree(this.#actor)) {
      const snapshot = actor.getSnapshot() as { readonly status: string; readonly input?: unknown }
      if (
        kindOf(actor, this.#embedding) === null &&
        snapshot.status === "active" &&
        (!isDeadline(snapshot.input) || isOverdue(snapshot.input, now))
      )
        return true
    }
    return false
  }

  #checkSoon(): void {
    if (this.#checking || this.#resting.length === 0) return
    this.#checking = true
    queueMicrotask(() => {
      this.#checking = false
      const result = this.snapshot()
      if (result.status === "running") return
      for (const settle of this.#resting.splice(0)) settle(result)
    })
  }
}
