import type { Behavior, Control, End, Move, RunEffect, Variant } from "../behavior/behavior.js"
import { endVariant, endWith, nextVariant, occurrenceEffect } from "../behavior/behavior.js"
import { reportsOf, unionOfKeys } from "../behavior/deferred-writes.js"
import { functionRuns, functionStart } from "../behavior/function-steps.js"
import type { NestedLocation, Setting } from "../behavior/setting.js"
import { moveOf, stepTo } from "./block-step.js"
import type { Branch, BranchEdge } from "./branch.js"
import { reduceBranch, withRunningState } from "./branch.js"
import type { AgentBehavior } from "./graph-node-behavior.js"

/** The settings of a MachineAgent in a chart. The compiler creates them. */
export interface MachineAgentSpec {
  readonly service: string
  readonly agents: readonly { readonly agent: string; readonly src: string }[]
  readonly outputKey?: string
  readonly maxAgentRuns?: number
  readonly subAgentExitFlow?: "agent"
}

interface MachineAgentControl extends Control {
  /**
   * The running agents. Each entry contains the index of an agent and its state, or null if the
   * slot is free.
   */
  readonly running: readonly (readonly [agent: number, state: number] | null)[]
  readonly escalates: boolean
  readonly wrote: readonly string[]
}

/**
 * Maximum number of agents of a MachineAgent that the model checker runs at the same time. Two are
 * sufficient for every policy. A third agent can replace a running agent, because the machine can
 * stop an agent at any time and start it again.
 */
const maxRunning = 2

/**
 * Returns the transition system of a MachineAgent. The analysis does not know the machine of the
 * user, so every order of its agents is possible. Agents can run any number of times, two of them
 * at once, and can stop at any time. If the policy holds for all orders, it is proved. A violation
 * is uncertain, because the real machine may never use that order.
 */
export function machineAgentBehavior(
  agent: string,
  { service, agents, outputKey, maxAgentRuns, subAgentExitFlow }: MachineAgentSpec,
  location: NestedLocation,
  setting: Setting,
  agentBehavior: AgentBehavior,
): Behavior<MachineAgentControl> {
  const base = { agent, within: location.within }
  const self = location.within.at(-1)
  const activity = self === undefined ? {} : { activity: self }
  const hidden = location.isHidden ? [] : [...setting.keys]
  const isUnknown = setting.undeclared === "helpful"
  const idOf = (position: number, index: number): string => `${location.id}.${position}.${index}`
  const branches = Array.from({ length: isUnknown ? 0 : maxRunning }, (_, position) =>
    agents.map(({ agent: name, src }, index): Branch => {
      const agentLocation = {
        ...location,
        id: idOf(position, index),
        isHidden: true,
        reportsPauses: false,
      }
      const whole = agentBehavior(name, src, agentLocation, setting)
      return withRunningState(reduceBranch(whole, setting, location.countsWaiting))
    }),
  )

  const control = (
    running: MachineAgentControl["running"],
    { escalates, wrote }: Pick<MachineAgentControl, "escalates" | "wrote">,
  ): MachineAgentControl => ({
    key: JSON.stringify([
      running.map((actor, position) =>
        actor === null
          ? null
          : [actor[0], branches[position]?.[actor[0]]?.classes[actor[1]] ?? actor[1]],
      ),
      escalates,
      wrote,
    ]),
    running,
    escalates,
    wrote,
  })

  const dropped = (name: string): RunEffect =>
    occurrenceEffect({ kind: "dropped", name, agent, within: [] })

  const finish = (
    signal: End["signal"],
    { escalates, wrote }: Pick<MachineAgentControl, "escalates" | "wrote">,
  ): Variant<MachineAgentControl> => {
    const own = signal === "done" && outputKey !== undefined && setting.keys.has(outputKey)
    const keys = own ? unionOfKeys(wrote, [outputKey]) : wrote
    return endVariant(endWith(signal, { escalates, wrote: setting.readsWrites ? keys : [] }), [
      dropped(`${location.id}.`),
      { type: "release", keys: hidden },
      ...(own
        ? [
            {
              type: "write",
              key: outputKey,
              value: { type: "any" },
              by: base,
              isReported: false,
            } as const,
          ]
        : []),
      occurrenceEffect({ kind: "finish", name: agent, ...base, outcome: signal, ...activity }),
    ])
  }

  const follow = (
    state: MachineAgentControl,
    position: number,
    index: number,
    edge: BranchEdge,
  ): Move<MachineAgentControl> => {
    const withActor = (next: readonly [number, number] | null): MachineAgentControl["running"] =>
      state.running.map((one, other) => (other === position ? next : one))
    if (edge.to !== null)
      return moveOf(stepTo(edge, nextVariant(control(withActor([index, edge.to]), state))))
    const end = edge.end ?? endWith("failed")
    const after = {
      escalates: state.escalates || end.escalates || end.signal === "escalated",
      wrote: unionOfKeys(state.wrote, end.wrote),
    }
    const name = agents[index]?.agent ?? ""
    const frame = { id: idOf(position, index), agent: name, tool: null }
    const by = { agent: name, within: [...location.within, frame] }
    const step = { ...edge, effects: [...edge.effects, ...reportsOf(end.wrote, by, setting)] }
    const endsAll =
      end.signal === "limited" || (end.signal === "exited" && subAgentExitFlow !== "agent")
    return moveOf(
      stepTo(
        step,
        endsAll ? finish(end.signal, after) : nextVariant(control(withActor(null), after)),
      ),
    )
  }

  const moves = (state: MachineAgentControl): readonly Move<MachineAgentControl>[] => {
    const own = (
      variant: Variant<MachineAgentControl>,
      does: string,
    ): Move<MachineAgentControl> => ({
      ...variant,
      records: 1,
      does,
      agent,
    })
    const free = state.running.indexOf(null)
    const running = state.running.flatMap((actor, position) =>
      actor === null
        ? []
        : [
            ...[
              ...(branches[position]?.[actor[0]]?.edges[actor[1]] ?? []),
              ...(branches[position]?.[actor[0]]?.pauses[actor[1]] ?? []),
            ].map((edge) => follow(state, position, actor[0], edge)),
            own(
              nextVariant(
                control(
                  state.running.map((one, other) => (other === position ? null : one)),
                  state,
                ),
                [dropped(idOf(position, actor[0]))],
              ),
              `The machine of ${agent} stops ${agents[actor[0]]?.agent ?? "an agent"}.`,
            ),
          ],
    )
    const started = (branches[free] ?? []).flatMap(({ starts }, index) =>
      starts.map((edge) => {
        const move = follow(state, free, index, edge)
        const does = `The machine of ${agent} starts ${agents[index]?.agent ?? "an agent"}.`
        const effects = [...functionStart(service, agent, location, setting), ...move.effects]
        return { ...move, effects, records: 1, does, agent }
      }),
    )
    const calls = functionRuns(service, agent, location, setting).map(({ effects, does }) =>
      own(nextVariant(state, effects), does ?? `The machine of ${agent} takes a transition.`),
    )
    return [
      ...running,
      ...started,
      ...calls,
      own(
        nextVariant(state, [occurrenceEffect({ kind: "answer", name: agent, ...base })]),
        `A person answers ${agent}.`,
      ),
      own(finish("done", state), `The machine of ${agent} ends.`),
      own(finish("failed", state), `The machine of ${agent} fails.`),
      ...(maxAgentRuns === undefined
        ? []
        : [own(finish("limited", state), `The machine of ${agent} starts too many agents.`)]),
    ]
  }

  const initial = control(
    Array.from({ length: maxRunning }, () => null),
    { escalates: false, wrote: [] },
  )
  const use: RunEffect = {
    type: "function",
    use: { name: agent, of: "machine", capability: "run its agents in any order", runs: [] },
  }
  return {
    // No counterexample contains a MachineAgent, because the analysis does not know the machine.
    start: () =>
      isUnknown
        ? []
        : [
            nextVariant(initial, [
              occurrenceEffect({ kind: "start", name: agent, ...base, ...activity }),
              use,
              { type: "hide", keys: hidden },
              ...functionStart(service, agent, location, setting),
            ]),
          ],
    moves,
    waits: () => true,
  }
}
