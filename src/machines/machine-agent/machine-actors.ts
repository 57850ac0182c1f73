import { emitStateChange } from "../containers/emit-state-change.js"
import { contentsFor, branchHistory, userEntry } from "../contract/history.js"
import type { MachineEvent } from "../contract/machine-event.js"
import { outputOf } from "../contract/machine-event.js"
import type { Step } from "../contract/machine-kind.js"
import type { Envelope } from "../contract/services.js"
import type { RunError } from "../contract/run-event.js"
import type { TurnInput, TurnOutput } from "../contract/turn.js"
import { turnOutputOf } from "../contract/turn.js"
import type { MachineTimer, StartedActor } from "../contract/host/user-machine.js"
import { applyPatch } from "../data/session-state.js"
import type { HostFunctionInput, HostFunctionOutput } from "../host-functions/host-function.js"
import { textOf } from "../graph/graph-turns.js"
import { valueOfText } from "../model-call/structured-output.js"
import type { MachineAgentContext, RunningActor } from "./machine-agent-context.js"
import { failMachine, machineLocation, without } from "./machine-agent-context.js"

const actorPrefix = "actor."
const timerPrefix = "timer."

/**
 * Returns the input for a call of the host function that executes the registered XState machine.
 * `request` contains the operation, such as a transition.
 */
export function serviceInput(
  { input, state, at }: MachineAgentContext,
  path: string,
  request: unknown,
): HostFunctionInput {
  const { runId, agent, branch, iteration, spec } = input
  return {
    runId,
    agent,
    path,
    branch,
    iteration,
    service: spec.service,
    input: request,
    state,
    steps: [],
    agents: [],
    at,
  }
}

/**
 * Starts an actor for the XState machine of a MachineAgent, because the machine has invoked or
 * spawned it. An agent runs as a child machine, and a promise runs in a host function.
 */
export function startActor(
  context: MachineAgentContext,
  { key, src, input }: StartedActor,
  step: Step,
): void {
  const { spec, path: above } = context.input
  const name = src.at(-1) ?? ""
  const agent = spec.agents.find((each) => each.agent === name)
  if (agent !== undefined) {
    const { maxAgentRuns: most } = spec
    if (most !== undefined && context.agentRuns >= most) {
      context.ending ??= "limited"
      context.error ??= {
        code: "limit_reached",
        agent: name,
        message: `the machine of "${context.input.agent}" has started ${most} agents, which is the maximum (maxAgentRuns); increase the setting, or change the machine so that it ends`,
      }
      return
    }
    context.agentRuns = context.agentRuns + 1
  }
  const path = `${above}[${context.started}]/${name}`
  context.started = context.started + 1
  context.actors = {
    ...context.actors,
    [key]: { agent: agent?.agent ?? null, name, path, isPaused: false },
  }
  if (agent === undefined)
    step.start(
      actorPrefix + key,
      "hostCode",
      serviceInput(context, path, { verb: "run", src, input }),
    )
  else step.start(actorPrefix + key, agent.src, agentInput(context, agent.agent, path, input, step))
}

/**
 * Returns the input of an agent that the XState machine has started. An input that the machine
 * passes becomes the user message. Without such an input, the agent receives the messages that the
 * MachineAgent received.
 */
function agentInput(
  { input: turn, state, at }: MachineAgentContext,
  agent: string,
  path: string,
  input: unknown,
  { chart }: Step,
): TurnInput {
  const { runId, branch, iteration } = turn
  const text = textOf(input)
  const history =
    turn.history === null || text === null ? turn.history : branchHistory([userEntry(text)])
  const definition = chart.agents[agent]
  const contents =
    definition?.type === "LlmAgent" ? (definition.adk?.includeContents ?? "default") : "default"
  const prompt =
    history !== null
      ? contentsFor(agent, history, contents)
      : text === null
        ? turn.prompt
        : [{ role: "user" as const, content: text }]
  return {
    runId,
    agent,
    path,
    branch,
    state,
    iteration,
    prompt,
    history,
    memory: null,
    remember: false,
    at,
  }
}

/** Stops an actor that is no longer running in the XState machine. */
export function stopActor(context: MachineAgentContext, key: string, step: Step): void {
  context.actors = without(context.actors, key)
  step.stop(actorPrefix + key)
}

export function stopTimer(context: MachineAgentContext, key: string, step: Step): void {
  context.timers = without(context.timers, key)
  step.stop(timerPrefix + key)
}

export function startTimer(
  context: MachineAgentContext,
  { key, delayMs }: MachineTimer,
  step: Step,
): void {
  const until = context.at + Math.max(0, delayMs)
  context.timers = { ...context.timers, [key]: until }
  step.start(timerPrefix + key, "sleepUntil", { until })
}

/**
 * Starts all running timers again with unchanged end times, after a pending request was created or
 * closed. While a request is pending, the input of each timer contains its id (`awaits`). Such a
 * timer does not count as running work, so the run can wait for people. `awaits` is null if there
 * is no pending request.
 */
export function restartTimers(
  { timers }: MachineAgentContext,
  awaits: string | null,
  step: Step,
): void {
  for (const [key, until] of Object.entries(timers))
    step.start(timerPrefix + key, "sleepUntil", awaits === null ? { until } : { until, awaits })
}

/** Adds an event to the queue of the XState machine after one of its actors or timers has ended. */
export function recordEnd(context: MachineAgentContext, event: MachineEvent, step: Step): void {
  const id = String(event["actorId"])
  if (id.startsWith(timerPrefix)) {
    const key = id.slice(timerPrefix.length)
    context.at = outputOf<Envelope>(event).at
    if (!Object.hasOwn(context.timers, key)) return
    context.timers = without(context.timers, key)
    context.queue = [...context.queue, { type: "timer", key }]
    return
  }
  const key = id.slice(actorPrefix.length)
  const actor = Object.hasOwn(context.actors, key) ? context.actors[key] : undefined
  if (actor === undefined) return
  context.actors = without(context.actors, key)
  if (actor.agent === null) recordCall(context, key, outputOf<HostFunctionOutput>(event))
  else recordAgent(context, key, actor, turnOutputOf(event), step)
}

function recordCall(context: MachineAgentContext, key: string, output: HostFunctionOutput): void {
  const { outcome, value } = output
  context.at = output.at
  if (outcome === "returned")
    context.queue = [...context.queue, { type: "done", key, output: value }]
  else if (outcome === null) context.isStopping = true
  else context.queue = [...context.queue, { type: "error", key, error: errorOf(context, output) }]
}

/**
 * Returns the error of a failed host function call. Removes the name of the host function from the
 * message.
 */
function errorOf(
  { input: { spec } }: MachineAgentContext,
  { error }: HostFunctionOutput,
): Pick<RunError, "code" | "message"> {
  const { code, message } = error ?? { code: "host_code_failed" as const, message: "it failed" }
  const prefix = `"${spec.service}" failed: `
  return { code, message: message.startsWith(prefix) ? message.slice(prefix.length) : message }
}

/**
 * Applies the state changes and messages of a finished agent, and adds an event to the queue of the
 * XState machine. If the agent reached a limit or used `exitFlow`, ends the MachineAgent instead.
 */
function recordAgent(
  context: MachineAgentContext,
  key: string,
  { agent, path }: RunningActor,
  output: TurnOutput,
  step: Step,
): void {
  const { signal, patch, text, lastText, newEntries, escalates, error, at } = output
  const { input } = context
  context.at = at
  context.state = applyPatch(context.state, patch)
  emitStateChange({ agent: agent ?? "", path, branch: input.branch }, patch, step)
  if (newEntries.length > 0) context.newEntries = { link: newEntries, before: context.newEntries }
  if (escalates || signal === "escalated") context.escalates = true
  const finalText = text ?? lastText
  if (finalText !== null) context.lastText = finalText
  if (signal === "limited") {
    context.ending ??= "limited"
    context.error ??= error
  } else if (signal === "exited" && input.spec.subAgentExitFlow !== "agent") {
    context.ending ??= "exited"
  } else if (signal === "failed") {
    const { code, message } = error ?? {
      code: "host_code_failed",
      message: `the agent "${agent}" failed without an error message`,
    }
    context.queue = [...context.queue, { type: "error", key, error: { code, message } }]
  } else if (signal === "stopped") {
    context.isStopping = true
  } else {
    const value = valueOfText(agent ?? "", finalText, step)
    const output = { text: finalText, output: value, state: patch.set }
    context.queue = [...context.queue, { type: "done", key, output }]
  }
}

/** Fails the MachineAgent because a transition of its XState machine could not be executed. */
export function refuseTransition(context: MachineAgentContext, output: HostFunctionOutput): void {
  const { agent } = machineLocation(context.input)
  const { code, message } = errorOf(context, output)
  context.at = output.at
  failMachine(context, { code, agent, message: `the machine of "${agent}" failed: ${message}` })
}
