import { AgentStatechartsError } from "../../errors.js"
import { isLeafSource } from "../../machines/registry/leaf-sources.js"
import { isNotification } from "../../machines/contract/graphs/node-service.js"
import type { Envelope } from "../../machines/contract/services.js"
import type { MachineEvent } from "../../machines/contract/machine-event.js"
import { CallsInFlight } from "./calls-in-flight.js"
import type { CompiledMachine } from "./compiled-machine.js"
import { type MacrostepEffects, MacrostepExecutor } from "./macrostep.js"
import { machineError } from "./xstate-twin.js"
import type { AgentChart } from "../../machines/contract/agent-chart.js"
import type { ModelCallMeter } from "./model-call-meter.js"
import { ModelCallMeters } from "./model-call-meters.js"
import { modelCalled } from "./model-called.js"
import { appendItem } from "../async/append-item.js"
import type { DriverCalls, DriverObserver } from "./driver-observer.js"
import { type Effect, finalEffects } from "./effect.js"
import type { LeafCall } from "./host.js"
import type { Instance, Leaf } from "./instance.js"
import { createInstance, innermostFirst, isInstance, isStale, scopeRoot } from "./instance.js"
import { editInstances } from "./edit-instances.js"
import type { StateEdit } from "./state-edit.js"

/**
 * Interpreter of the state machines of a run. It manages the tree of machine instances, processes
 * one event at a time, and executes effects after each macrostep. XState computes the transitions,
 * and the driver caches them. The same events in the same order always have the same result, so a
 * run can be replayed from a journal of its events.
 */
export class Driver {
  readonly #machine: (key: string) => CompiledMachine | undefined
  readonly #calls: DriverCalls
  readonly #observer: DriverObserver
  readonly #meters: ModelCallMeters<Instance>
  /**
   * Model calls of the current event that exceed a limit, with the results that replace their
   * responses. null if no call exceeds a limit.
   */
  #refusedCalls: { readonly leaf: Leaf; readonly limit: Envelope }[] | null = null
  readonly #macrosteps: MacrostepExecutor
  readonly #inFlight = new CallsInFlight()
  #nextCall = 0
  #time = 0
  root: Instance | null = null

  constructor(
    machine: (key: string) => CompiledMachine | undefined,
    chart: AgentChart,
    calls: DriverCalls,
    observer: DriverObserver,
  ) {
    this.#machine = machine
    this.#meters = new ModelCallMeters(chart)
    this.#calls = calls
    this.#observer = observer
    this.#macrosteps = new MacrostepExecutor(observer)
  }

  /** Time of the last result or message of the run, in milliseconds since the epoch. */
  get time(): number {
    return this.#time
  }

  /** Number of calls in flight. Calls that wait for a deadline or child run are not counted. */
  get inFlight(): number {
    return this.#inFlight.working
  }

  /** True if no call is in flight. Calls that wait for a deadline or child run count as calls. */
  get isIdle(): boolean {
    return this.#inFlight.isEmpty
  }

  /** Time of the next deadline in epoch milliseconds, or undefined if there is no deadline. */
  get nextDeadline(): number | undefined {
    return this.#inFlight.nextDeadline
  }

  /** Calls `start` for each unfinished call after a replay. `now` is in epoch milliseconds. */
  startHeldCalls(start: (call: LeafCall) => () => void, now: number): void {
    this.#inFlight.startAll(start, now)
  }

  /** Stops all calls in flight, but sends no event to the machines that made the calls. */
  abandon(): void {
    this.#inFlight.stopAll()
  }

  /** Starts the machine with the key `root`. `input.at` is the start time in epoch milliseconds. */
  start(root: string, input: { readonly at: number }): void {
    this.#time = input.at
    this.#macrosteps.startEvent()
    this.#startInstance(null, "root", root, input)
    this.#endRefusedCalls()
  }

  /** Processes the result of call number `n`. Ignores it if the call was stopped before. */
  complete(n: number, result: Envelope): void {
    const leaf = this.#inFlight.get(n)
    if (leaf === undefined) return
    this.#time = result.at
    this.#macrosteps.startEvent()
    this.#inFlight.delete(n)
    if (leaf.src === "callModel") this.#meterOf(leaf.parent).answered(leaf.input, result)
    this.#deliverDone(leaf.parent, leaf.id, result)
    this.#endRefusedCalls()
  }

  /**
   * Ends the model calls that exceeded a limit, with an error or with the `onExceeded` message of
   * their budget. Called after all other effects of the current event.
   */
  #endRefusedCalls(): void {
    while (this.#refusedCalls !== null) {
      const refused = this.#refusedCalls
      this.#refusedCalls = null
      for (const { leaf, limit } of refused)
        if (leaf.isAlive) this.#deliverDone(leaf.parent, leaf.id, limit)
    }
  }

  /** Sends an external event, such as an answer of a person, to a machine instance. */
  send(instance: Instance, event: MachineEvent & { readonly at: number }): void {
    this.#time = event.at
    this.#macrosteps.startEvent()
    this.#deliver(instance, event)
    this.#endRefusedCalls()
  }

  /**
   * Sends a stop event to every machine of the run, children first. Each machine can thus pass its
   * partial results to a parent that is still running.
   */
  stop(event: MachineEvent & { readonly at: number }): void {
    const order = this.root === null ? [] : innermostFirst(this.root)
    for (const instance of order) this.send(instance, event)
  }

  /** Changes the session state and restarts the calls in flight with the changed state. */
  edit({ set, removed, at }: StateEdit): void {
    this.#time = at
    const changed =
      this.root === null
        ? []
        : editInstances(this.root, { set, removed }, (n) => this.#inFlight.has(n))
    for (const leaf of changed) leaf.stop = this.#calls.start(leaf)
  }

  #startInstance(parent: Instance | null, id: string, src: string, input: unknown): void {
    const machine = this.#machine(`${parent?.machine.program.scope ?? ""}${src}`)
    if (machine === undefined)
      throw new AgentStatechartsError(
        "chart_invalid",
        `the chart starts the machine "${src}", which the chart does not contain`,
      )
    const instance = createInstance(machine, parent, id, input)
    if (parent === null) this.root = instance
    else parent.children.add(id, instance)
    this.#step(instance, null)
    this.#readMailbox(instance)
  }

  /** Delivers an event to a machine instance. If it is busy, the event waits in its mailbox. */
  #deliver(instance: Instance, event: MachineEvent): void {
    if (instance.isBusy) {
      instance.mailbox = appendItem(instance.mailbox, event)
      return
    }
    instance.isBusy = true
    this.#handle(instance, event)
    this.#readMailbox(instance)
  }

  #readMailbox(instance: Instance): void {
    while (instance.mailbox !== null) {
      const { mailbox } = instance
      instance.mailbox = null
      for (const event of mailbox) this.#handle(instance, event)
    }
    instance.isBusy = false
  }

  #handle(instance: Instance, event: MachineEvent): void {
    if (!instance.isAlive || isStale(instance, event)) return
    this.#step(instance, event)
  }

  /**
   * Executes one macrostep of a machine instance, and then the effects of the macrostep. `event` is
   * null for the first macrostep.
   */
  #step(instance: Instance, event: MachineEvent | null): void {
    let effects: MacrostepEffects
    try {
      effects = this.#macrosteps.take(instance, event)
    } catch (error) {
      instance.isAlive = false
      return this.#observer.failed(machineError(instance.machine.program.key, error))
    }
    this.#observer.transitioned?.(instance, event)
    this.#executeEffects(instance, effects)
  }

  /** Executes effects in this order: stop children, send events to the parent, start children. */
  #executeEffects(instance: Instance, { children, toParent }: MacrostepEffects): void {
    if (children !== null)
      for (const { id, src, interruptedAt } of children)
        if (src === null && interruptedAt === undefined) this.#stopChild(instance, id)
    if (toParent !== null && instance.parent !== null)
      for (const event of toParent) this.#deliver(instance.parent, event)
    if (!instance.isAlive) return
    if (instance.state.snapshot.status === "done") {
      this.#finish(instance)
      return
    }
    if (children !== null)
      for (const effect of finalEffects(children))
        if (instance.isAlive && effect.src !== null)
          this.#startChild(instance, effect.id, effect.src, effect)
        else if (instance.isAlive && effect.interruptedAt !== undefined)
          this.#interrupt(instance, effect.id, effect.interruptedAt)
  }

  /** Sends a stop event to a child machine and to all machines below it, innermost first. */
  #interrupt(parent: Instance, id: string, at: number): void {
    const child = parent.children.get(id)
    if (child !== undefined && isInstance(child))
      for (const instance of innermostFirst(child))
        this.#deliver(instance, { type: "run.stopped", as: "cancelled", at })
  }

  #finish(instance: Instance): void {
    const output = instance.machine.program.kind.output(instance.context)
    this.#stopInstance(instance)
    if (instance.parent === null) this.#observer.finished(output)
    else {
      instance.parent.children.delete(instance.id)
      this.#deliverDone(instance.parent, instance.id, output)
    }
  }

  /** Sends the done event of a child to its parent. The event has the same name as in XState. */
  #deliverDone(parent: Instance, id: string, output: unknown): void {
    const child = parent.children.get(id)
    if (child !== undefined && !isInstance(child)) parent.children.delete(id)
    this.#deliver(parent, { type: `xstate.done.actor.${id}`, output, actorId: id })
  }

  #startChild(parent: Instance, id: string, src: string, { input, invoked }: Effect): void {
    if (parent.children.has(id)) this.#stopChild(parent, id)
    if (!isLeafSource(src)) return this.#startInstance(parent, id, src, input)
    const leaf: Leaf = {
      n: this.#nextCall++,
      parent,
      id,
      src,
      input,
      invoked,
      stop: null,
      isAlive: true,
    }
    parent.children.add(id, leaf)
    if (this.#observer.isHalted() && !isNotification(src, input)) return
    if (src === "callModel") {
      const limit = this.#meterOf(parent).admit(input, this.#time)
      if (limit !== null) {
        this.#refusedCalls = appendItem(this.#refusedCalls, { leaf, limit })
        return
      }
      const called = modelCalled(input)
      if (called !== null && !this.#observer.emitted(called, parent)) return
    }
    this.#inFlight.add(leaf)
    leaf.stop = this.#calls.start(leaf)
  }

  /**
   * Returns the meter that counts the model calls of a machine: the meter of the run or, inside a
   * graph node, the meter of the node's workflow.
   */
  #meterOf(caller: Instance): ModelCallMeter {
    const { scope, lookup } = caller.machine.program
    return scope === "" ? this.#meters.ofRun : this.#meters.of(scopeRoot(caller), lookup.chart)
  }

  #stopChild(parent: Instance, id: string): void {
    const child = parent.children.get(id)
    if (child === undefined) return
    parent.children.delete(id)
    if (isInstance(child)) return this.#stopInstance(child)
    this.#inFlight.delete(child.n)
    child.isAlive = false
    child.stop?.()
  }

  #stopInstance(instance: Instance): void {
    instance.isAlive = false
    for (const { id } of instance.children.values()) this.#stopChild(instance, id)
    this.#observer.instanceStopped(instance)
  }
}
