import { systemKey } from "../data/system-keys.js"
import { checkCondition } from "./conditions.js"
import { writeState } from "./leave-containers.js"
import type { StateMeta } from "../contract/chart-machine.js"
import type { StateParams, OrchestrationContext } from "./orchestration-context.js"
import { changeScope, getScope, locationOf } from "./orchestration-context.js"
import { removeKey } from "../data/session-state.js"
import type { MachineEvent } from "../contract/machine-event.js"
import type { LoopExitReason } from "../contract/run-event.js"
import { turnOutputOf } from "../contract/turn.js"
import type { Update } from "../contract/machine-kind.js"

type Context = OrchestrationContext

/**
 * Records that an agent escalated. In the adk dialect, this ends all loops around the agent, in
 * this machine and in its parent machines (docs/semantics.md#loops). If the host function of a
 * custom agent has started the agent, the result for the function also contains the escalation.
 * `isInside` is true if only an agent inside the agent escalated.
 */
export function noteEscalation(context: Context, meta: StateMeta, isInside = false): void {
  if (!isInside) noteEscalatingAgent(context, meta)
  context.escalated = {
    ...context.escalated,
    ...Object.fromEntries(meta.loops.map((loop) => [loop, true as const])),
  }
  context.escalates = true
  for (const [place, progress] of Object.entries(context.hosts)) {
    const isAbove = progress.running !== null && meta.place.startsWith(`${place}.`)
    if (isAbove)
      context.hosts = {
        ...context.hosts,
        [place]: { ...progress, running: { ...progress.running, escalated: true } },
      }
  }
}

/**
 * Returns whether the finished agent only passes on an escalation. In this case, an agent inside it
 * escalated, and it did not escalate itself.
 */
export const passesOn = (event: MachineEvent): boolean =>
  "output" in event && turnOutputOf(event)?.escalatedInside === true

/**
 * Sets `escalatesItself` if the escalating agent is the root agent of this machine. Does nothing
 * for other agents and for parallel blocks.
 */
export function noteEscalatingAgent(context: Context, { agent, branches }: StateMeta): void {
  if (agent === context.input.agent && branches === undefined) context.escalatesItself = true
}

/**
 * Actions for loops (docs/semantics.md#loops). They start a loop, count its iterations, check its
 * exit condition, and end the loop.
 */
export const loopUpdates: Readonly<Record<string, Update<Context>>> = {
  enterLoop: (context, _event, params: StateParams, step) => {
    const meta = step.metaOf(params.place)
    context.loops = { ...context.loops, [params.place]: 0 }
    const { [params.place]: _ended, ...escalated } = context.escalated
    context.escalated = escalated
    const scope = getScope(context, meta.scope)
    changeScope(context, meta.scope, {
      text: null,
      state: removeKey(scope.state, systemKey.loopExitReason),
    })
    step.emit({ type: "agent.started", kind: meta.kind, ...locationOf(context, meta) })
    writeState(context, meta, systemKey.loopIteration, 0, step)
  },
  nextIteration: (context, _event, params: StateParams, step) => {
    const meta = step.metaOf(params.place)
    const iteration = (context.loops[params.place] ?? 0) + 1
    context.loops = { ...context.loops, [params.place]: iteration }
    const { agent, path, branch } = locationOf(context, meta)
    step.emit({ type: "loop.iterated", iteration, agent, path, branch })
    writeState(context, meta, systemKey.loopIteration, iteration, step)
  },
  checkExitCondition: (context, _event, params: StateParams & { condition: string }, step) => {
    const meta = step.metaOf(params.place)
    const inside = { ...meta, loops: [...meta.loops, params.place] }
    checkCondition(context, inside, params.condition, `loopExitCondition of "${meta.agent}"`, step)
  },
  endLoop: (context, _event, params: StateParams & { reason: LoopExitReason }, step) => {
    const meta = step.metaOf(params.place)
    const iterations = (context.loops[params.place] ?? 0) + 1
    if (params.reason === "max_agent_loop_iterations")
      writeState(context, meta, systemKey.loopIteration, iterations, step)
    writeState(context, meta, systemKey.loopExitReason, params.reason, step)
    step.emit({
      type: "loop.ended",
      reason: params.reason,
      iterations,
      ...locationOf(context, meta),
    })
  },
  noteEscalation: (context, event, params: StateParams, step) =>
    noteEscalation(context, step.metaOf(params.place), passesOn(event)),
}
