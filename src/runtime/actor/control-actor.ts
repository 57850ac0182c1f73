import type { Actor, AnyActorRef, AnyMachineSnapshot, AnyStateMachine } from "xstate"
import { AgentStatechartsError } from "../../errors.js"
import { isDeadline, isOverdue } from "../../machines/requests/expiry.js"
import type { OrchestrationContext } from "../../machines/containers/orchestration-context.js"
import type { RunActorInput } from "../../machines/containers/root-input.js"
import type { PendingRequest, Reply } from "../../machines/contract/pending-request.js"
import type { RunResult } from "../../machines/contract/run-event.js"
import { isWatch } from "../../machines/workflow-agent/workflow-call.js"
import type { TurnOutput } from "../../machines/contract/turn.js"
import { failureResult, noTally, resultOf, statusOf } from "../driver/outcome.js"
import type { RunControls } from "../run/run-controls.js"
import { machineError } from "../driver/xstate-twin.js"
import { noRequestId } from "../run/replies.js"
import { CheckedControls } from "../run/run-controls.js"
import { taskGraphOf } from "../../machines/contract/graphs/task-graph-of.js"
import { withLiveState } from "../driver/live-state.js"
import {
  actorTree,
  childrenOf,
  kindOf,
  openRequests,
  programOf,
  stopMachines,
} from "./actor-tree.js"
import type { MachineBinding } from "./machine-binding.js"
import { bindingOf } from "./machine-binding.js"

/**
 * Returns an object that controls the run of an XState actor, for example to answer its pending
 * requests. The machine of the actor must come from `toMachine`. The actor can be created by
 * `createActor` or invoked by another actor. Call this function before the actor starts or while it
 * runs, so that `result` and `whenSettled` observe its changes.
 *
 * @throws AgentStatechartsError `chart_invalid` if `toMachine` did not create the machine
 */
export function controlActor(actor: AnyActorRef): RunControls {
  // The cast is safe: a reference to an actor that executes a machine is an `Actor` object.
  const run = actor as Actor<AnyStateMachine>
  const binding = bindingOf(run.logic)
  if (binding === null)
    throw new AgentStatechartsError(
      "chart_invalid",
      "the machine of this actor was not created by toMachine; pass an actor of a machine that toMachine returned",
    )
  const known = binding.controls.get(run)
  if (known !== undefined) return known.controls
  const controlled = new ControlledActor(run, binding)
  const controls = new CheckedControls(controlled)
  binding.controls.set(run, { controls, stopping: () => controlled.stopping })
  return controls
}

/**
 * Returns the pending requests in a snapshot of an actor whose machine was created by `toMachine`.
 * For example, call this function in an `onSnapshot` transition of the machine that invokes the
 * actor.
 *
 * @throws AgentStatechartsError `chart_invalid` if `toMachine` did not create the machine
 */
export function pendingRequests(snapshot: AnyMachineSnapshot): readonly PendingRequest[] {
  const binding = bindingOf(snapshot.machine)
  if (binding === null)
    throw new AgentStatechartsError(
      "chart_invalid",
      "the machine of this snapshot was not created by toMachine; pass a snapshot of a machine that toMachine returned",
    )
  if (snapshot.status !== "active") return []
  const children: Readonly<Record<string, AnyActorRef | undefined>> = snapshot.children
  return Object.values(children).flatMap((child) =>
    child === undefined ? [] : openRequests(child, binding).map(({ request }) => request),
  )
}

/**
 * Returns the context of a run's root machine. Returns null if the actor could not start, because
 * its snapshot then has no context.
 */
function contextOf({ context }: { readonly context?: object }): OrchestrationContext | null {
  return context !== undefined && "input" in context ? (context as OrchestrationContext) : null
}

class ControlledActor {
  readonly #actor: Actor<AnyStateMachine>
  readonly #binding: MachineBinding
  readonly #settledWaiters: ((result: RunResult) => void)[] = []
  stopping: "completed" | "cancelled" | null = null
  /**
   * Ids of the requests that already have an accepted answer. A busy actor processes an answer
   * later, so such a request may still be in the actor's snapshot. A second answer to the request
   * is rejected.
   */
  readonly #claimed = new Set<string>()
  #isCheckQueued = false
  #invocation: Promise<RunResult>

  constructor(actor: Actor<AnyStateMachine>, binding: MachineBinding) {
    this.#actor = actor
    this.#binding = binding
    this.#invocation = this.#untilFinished()
    actor.system.inspect(() => this.#queueCheck())
  }

  get result(): Promise<RunResult> {
    return this.#invocation
  }

  /**
   * Resolves to the result of the run when the actor ends, or earlier when the current invocation
   * ends and the run waits for the next message.
   */
  #untilFinished(): Promise<RunResult> {
    return new Promise((resolve) => {
      const settle = (): void => resolve(this.snapshot())
      let hasStarted = false
      this.#actor.subscribe({
        next: () => {
          if (!this.isBetweenInvocations()) hasStarted = true
          else if (hasStarted) settle()
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
    const isIdle =
      this.#isActive() &&
      (this.#actor.getSnapshot() as { hasTag(tag: string): boolean }).hasTag("resting")
    if (!isIdle) this.#claimed.delete(noRequestId)
    return isIdle && !this.#claimed.has(noRequestId)
  }

  now(): number {
    return this.#binding.clock.now()
  }

  pending(): readonly PendingRequest[] {
    const open = openRequests(this.#actor, this.#binding).map(({ request }) => request)
    if (this.#claimed.size === 0) return open
    for (const id of this.#claimed)
      if (id !== noRequestId && !open.some((request) => request.id === id)) this.#claimed.delete(id)
    return open.filter(({ id }) => !this.#claimed.has(id))
  }

  reply(reply: Reply): null {
    const receiver =
      reply.id === noRequestId
        ? this.#actor
        : openRequests(this.#actor, this.#binding).find(({ request }) => request.id === reply.id)
            ?.actor
    if (reply.id === noRequestId) this.#invocation = this.#untilFinished()
    this.#claimed.add(reply.id)
    receiver?.send(reply)
    return null
  }

  stop(as: "completed" | "cancelled"): null {
    const at = this.now()
    if (as === "completed" && taskGraphOf(this.#binding.program.chart) !== null) {
      for (const actor of actorTree(this.#actor))
        if (programOf(actor, this.#binding)?.config.id === "adkTask")
          actor.send({ type: "conversations.ended", at })
      return null
    }
    this.stopping = as
    stopMachines(this.#actor, this.#binding, at, as)
    return null
  }

  snapshot(): RunResult {
    const snapshot = this.#actor.getSnapshot()
    const context = this.#rootContext(snapshot)
    const tally = this.#binding.tallies.get(this.#actor) ?? noTally
    const runId =
      context?.input.runId ?? (this.#actor.options.input as RunActorInput | undefined)?.runId ?? ""
    if (snapshot.status === "error") {
      const { status, error } = failureResult(
        machineError(this.#binding.program.chart.root, snapshot.error),
      )
      return resultOf(runId, status, context, error, tally)
    }
    if (snapshot.status === "done") {
      const output = snapshot.output as RunResult | TurnOutput
      // Snapshots of earlier versions contain the output of the root machine.
      if (!("signal" in output)) return output
      return resultOf(runId, statusOf(output, this.stopping), context, output.error, tally)
    }
    const status = this.isBetweenInvocations()
      ? "completed"
      : this.#isWorking()
        ? "running"
        : "waiting"
    return resultOf(runId, status, context, null, tally)
  }

  /**
   * Returns the context of the run's root machine, or null if the actor could not start. If the
   * chart is a workflow graph, the session state in the context is the current state of the graph.
   */
  #rootContext(snapshot: object): OrchestrationContext | null {
    const context = contextOf(snapshot)
    if (context === null || taskGraphOf(this.#binding.program.chart) === null) return context
    const children = Object.values(childrenOf(this.#actor)).flatMap((actor) => {
      const program = programOf(actor, this.#binding)
      const { context: own } = actor.getSnapshot() as { readonly context?: object }
      return program === null || own === undefined ? [] : [{ machine: { program }, context: own }]
    })
    return withLiveState(context, children)
  }

  whenSettled(): Promise<RunResult> {
    return new Promise((resolve) => {
      this.#settledWaiters.push(resolve)
      this.#queueCheck()
    })
  }

  /**
   * Returns true if a call is in flight, or if a policy is about to end the run. Ignores calls that
   * only wait for a child run or for a deadline that has not passed.
   */
  #isWorking(): boolean {
    // If a policy has ended the run, its machines stop after the current macrostep. Until then, the
    // run counts as working.
    if (this.#binding.gates.get(this.#actor)?.end != null) return true
    const now = this.now()
    for (const actor of actorTree(this.#actor)) {
      const snapshot = actor.getSnapshot() as { readonly status: string; readonly input?: unknown }
      if (
        kindOf(actor, this.#binding) === null &&
        snapshot.status === "active" &&
        !isWatch(snapshot.input) &&
        (!isDeadline(snapshot.input) || isOverdue(snapshot.input, now))
      )
        return true
    }
    return false
  }

  #queueCheck(): void {
    if (this.#isCheckQueued || this.#settledWaiters.length === 0) return
    this.#isCheckQueued = true
    queueMicrotask(() => {
      this.#isCheckQueued = false
      const result = this.snapshot()
      if (result.status === "running") return
      for (const settle of this.#settledWaiters.splice(0)) settle(result)
    })
  }
}
