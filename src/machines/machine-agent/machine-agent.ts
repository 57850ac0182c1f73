import { childOf, outputOf, requestIdOf, timeOf } from "../contract/machine-event.js"
import { linksOf } from "../data/linked-list.js"
import type { MachineKind, Step } from "../contract/machine-kind.js"
import type { PendingRequest } from "../contract/pending-request.js"
import type { Outcome } from "../contract/run-event.js"
import type { TurnOutput } from "../contract/turn.js"
import type { MachineRequest, MachineTransition } from "../contract/host/user-machine.js"
import { hasKey, patchOf, readKey, writeKey } from "../data/session-state.js"
import { isJsonObject } from "../data/json-object.js"
import { textOf } from "../graph/graph-turns.js"
import type { HostFunctionOutput } from "../host-functions/host-function.js"
import { emitExpired } from "../requests/expiry.js"
import { reportPaused } from "../requests/report-paused.js"
import type { MachineAgentContext, MachineAgentInput } from "./machine-agent-context.js"
import { failMachine, machineAgentContext, machineLocation } from "./machine-agent-context.js"
import {
  recordEnd,
  refuseTransition,
  restartTimers,
  serviceInput,
  startActor,
  startTimer,
  stopActor,
  stopTimer,
} from "./machine-actors.js"

/** Implements the guards, actions and output of the XState config `machineAgentConfig`. */
export const machineAgentKind: MachineKind<MachineAgentContext, MachineAgentInput, TurnOutput> = {
  contextFrom: machineAgentContext,

  guards: {
    machineLimited: (context) => context.ending === "limited",
    machineExited: (context) => context.ending === "exited",
    machineFailed: (context) => context.ending === "failed",
    machineDone: (context) => context.ending === "done",
    answersOpenRequest: (context, event) => context.request?.id === event["id"],
  },

  updates: {
    startMachine: (context, _event, _params, step) => {
      const { spec } = context.input
      step.emit({ type: "agent.started", kind: "MachineAgent", ...machineLocation(context.input) })
      transition(context, step, {
        verb: "start",
        input: machineInput(context),
        agents: agentNames(context),
        machine: spec.machine ?? null,
      })
    },
    applyTransition: (context, event, _params, step) => {
      const output = outputOf<HostFunctionOutput>(event)
      context.isTransitioning = false
      if (output.outcome === "returned") {
        context.at = output.at
        // The transition actor always calls the service of a user's machine, which returns a
        // `MachineTransition`.
        apply(context, output.value as MachineTransition, step)
      } else if (output.outcome === null) context.isStopping = true
      else refuseTransition(context, output)
      proceed(context, step)
    },
    recordActor: (context, event, _params, step) => {
      recordEnd(context, event, step)
      proceed(context, step)
    },
    setActorPaused: (context, event, _params, step) => {
      context.at = timeOf(event)
      setPaused(context, childOf(event), true, step)
    },
    setActorResumed: (context, event, _params, step) =>
      setPaused(context, childOf(event), false, step),
    takeEvent: (context, event, _params, step) => {
      const { value } = event
      context.at = timeOf(event)
      closeRequest(context, step)
      step.emit({
        type: "human.answered",
        id: requestIdOf(event),
        answer: { value },
        ...machineLocation(context.input),
      })
      // The answer was validated against the request's schema: it is an event, or the name of an
      // event.
      const given = isJsonObject(value) ? value : { type: value }
      context.queue = [...context.queue, { type: "event", event: given as { type: string } }]
      proceed(context, step)
    },
    stopMachine: (context, event) => {
      context.at = timeOf(event)
      context.request = null
    },
    finishMachineAgent: (context, _event, params: { signal: Outcome }, step) => {
      context.signal = params.signal
      context.request = null
      step.emit({
        type: "agent.finished",
        kind: "MachineAgent",
        outcome: params.signal,
        text: textOfAgent(context),
        ...(context.error !== null && { error: context.error }),
        ...machineLocation(context.input),
      })
    },
  },

  childInput: () => ({}),

  output: (context) => ({
    signal: context.signal ?? "stopped",
    text: textOfAgent(context),
    lastText: textOfAgent(context),
    patch: patchOf(context.state),
    handoffTo: null,
    error: context.error,
    answeredByTool: false,
    memory: null,
    newEntries: linksOf(context.newEntries).flat(),
    escalates: context.escalates,
    ...(context.escalates && { escalatedInside: true }),
    at: context.at,
  }),

  pending: ({ request }) => (request === null ? [] : [request]),
}

/**
 * Returns the output of the user's machine as text. If there is no output, returns the last text of
 * an agent that the machine has invoked.
 */
const textOfAgent = ({ output, lastText }: MachineAgentContext): string | null =>
  textOf(output) ?? lastText

const agentNames = ({ input }: MachineAgentContext): readonly string[] =>
  input.spec.agents.map(({ agent }) => agent)

/** Returns the input of the user's machine. It contains the values of the state keys in `keys`. */
function machineInput({ input: { spec }, state }: MachineAgentContext): unknown {
  return Object.fromEntries(
    Object.entries(spec.keys ?? {}).flatMap(([field, key]) =>
      hasKey(state, key) ? [[field, readKey(state, key)]] : [],
    ),
  )
}

/** Starts the host function that executes the next transition of the user's machine. */
function transition(context: MachineAgentContext, step: Step, request: MachineRequest): void {
  const { transitions, input } = context
  context.isTransitioning = true
  context.transitions = transitions + 1
  step.start(
    "transition",
    "hostCode",
    serviceInput(context, `${input.path}/transition[${transitions}]`, request),
  )
}

/** Applies a transition of the registered XState machine. Starts and stops actors and timers. */
function apply(context: MachineAgentContext, result: MachineTransition, step: Step): void {
  const location = machineLocation(context.input)
  const { state, states, accepts, status, output, error, started, emitted } = result
  const before = context.machine
  context.machine = state
  context.accepts = accepts
  if (states.join() !== context.states.join()) {
    context.states = states
    step.emit({ type: "machine.entered", states, ...location })
  }
  for (const { type, data } of emitted)
    step.emit({ type: "host.emitted", name: type, data, ...location })
  if (status === "done") {
    complete(context, output)
    return
  }
  if (status === "error") {
    failMachine(context, {
      code: "host_code_failed",
      agent: location.agent,
      message: `the machine of "${location.agent}" failed: ${error ?? "it threw an error"}`,
    })
    return
  }
  const actors = new Set(state.actors)
  for (const key of Object.keys(context.actors)) if (!actors.has(key)) stopActor(context, key, step)
  const timers = new Set(state.timers.map(({ key }) => key))
  for (const key of Object.keys(context.timers)) if (!timers.has(key)) stopTimer(context, key, step)
  const known = new Set(before?.timers.map(({ key }) => key))
  for (const timer of state.timers) if (!known.has(timer.key)) startTimer(context, timer, step)
  for (const actor of started) startActor(context, actor, step)
}

/** Ends the MachineAgent with the output of the user's machine. */
function complete(context: MachineAgentContext, output: unknown): void {
  const { outputKey } = context.input.spec
  context.ending ??= "done"
  context.output = output
  if (outputKey === undefined || output === null) return
  context.state = writeKey(context.state, outputKey, output)
}

/**
 * Sends the next event of the queue to the user's machine. If the queue is empty and no actor is
 * running, creates a pending request for an event.
 */
function proceed(context: MachineAgentContext, step: Step): void {
  const { ending, isStopping, isTransitioning } = context
  if (ending === null && !isStopping && !isTransitioning && context.machine !== null) {
    const [event, ...others] = context.queue
    if (event !== undefined) {
      if (context.request !== null) expireRequest(context, context.request, step)
      context.queue = others
      const { machine } = context
      transition(context, step, {
        verb: "send",
        agents: agentNames(context),
        state: machine,
        event,
      })
    } else if (context.request === null && Object.keys(context.actors).length === 0)
      awaitEvent(context, step)
  }
  reportActorsPaused(context, step)
}

/** Creates a pending request in which a person chooses an event that the active states accept. */
function awaitEvent(context: MachineAgentContext, step: Step): void {
  const location = machineLocation(context.input)
  const { accepts, states } = context
  const ends = Object.values(context.timers)
  const hasTimer = ends.length > 0
  if (accepts.length === 0) {
    if (!hasTimer)
      failMachine(context, {
        code: "host_code_failed",
        agent: location.agent,
        message: `the machine of "${location.agent}" cannot continue: its state "${states.join('", "')}" accepts no event, and no agent, promise or timer is running. Add a transition, or make the state final`,
      })
    return
  }
  const request: PendingRequest = {
    id: `${location.path}#${context.requests}`,
    kind: "human",
    ...location,
    prompt: `"${location.agent}" is in the state "${states.join('", "')}" and accepts: ${accepts.join(", ")}`,
    details: { states, events: accepts },
    ...(!accepts.includes("*") && { answerSchema: eventSchema(accepts) }),
    ...(hasTimer && { expiresAt: Math.min(...ends) }),
  }
  context.requests = context.requests + 1
  context.request = request
  if (hasTimer) restartTimers(context, request.id, step)
  step.emit({ type: "human.asked", request, ...location })
}

/**
 * Returns the JSON schema of an answer, which is an accepted event or the name of such an event.
 */
const eventSchema = (names: readonly string[]) => ({
  anyOf: [
    { enum: names },
    { type: "object", properties: { type: { enum: names } }, required: ["type"] },
  ],
})

/** Closes the pending request as expired, because a timer of the registered machine has ended. */
function expireRequest(context: MachineAgentContext, { id }: PendingRequest, step: Step): void {
  closeRequest(context, step)
  emitExpired(step, machineLocation(context.input), id, "continue")
}

/** Closes the pending request, because it was answered or has expired. */
function closeRequest(context: MachineAgentContext, step: Step): void {
  context.request = null
  restartTimers(context, null, step)
}

function setPaused(
  context: MachineAgentContext,
  child: string,
  isPaused: boolean,
  step: Step,
): void {
  const key = child.slice(child.indexOf(".") + 1)
  const actor = Object.hasOwn(context.actors, key) ? context.actors[key] : undefined
  if (actor !== undefined) context.actors = { ...context.actors, [key]: { ...actor, isPaused } }
  reportActorsPaused(context, step)
}

/**
 * Notifies the parent machine when all running actors wait for people, and again when one of them
 * continues.
 */
function reportActorsPaused(context: MachineAgentContext, step: Step): void {
  const actors = Object.values(context.actors)
  const isPaused =
    context.ending === null &&
    !context.isTransitioning &&
    (context.request !== null || (actors.length > 0 && actors.every((actor) => actor.isPaused)))
  reportPaused(context, isPaused, step, isPaused ? patchOf(context.state) : undefined)
}
