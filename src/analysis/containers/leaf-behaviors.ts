import { onExpiryOf } from "../../machines/requests/expiry.js"
import type { Outcome } from "../../machines/contract/run-event.js"
import type {
  Behavior,
  Control,
  RunEffect,
  Move,
  Variant,
  WrittenValue,
} from "../behavior/behavior.js"
import {
  endVariant,
  endWith,
  nextVariant,
  occurrenceEffect,
  recordedMove,
} from "../behavior/behavior.js"
import {
  assumed,
  canDo,
  withFunctionResult,
  functionRuns,
  functionSequence,
  functionStart,
} from "../behavior/function-steps.js"
import { withoutReports, writesIn } from "../behavior/deferred-writes.js"
import type { NestedLocation, Setting } from "../behavior/setting.js"
import { declarationOf } from "../behavior/setting.js"

const waiting: Control = { key: "waiting" }
const running: Control = { key: "running" }

/**
 * Returns the transition system (all possible executions) of a HumanAgent. The agent waits until a
 * person answers or the request expires.
 */
export function humanBehavior(agent: string, location: NestedLocation, setting: Setting): Behavior {
  const definition = setting.chart.agents[agent]
  const base = { agent, within: location.within }
  const self = location.within.at(-1)
  const activity = self === undefined ? {} : { activity: self }
  const finish = (outcome: Outcome): RunEffect =>
    occurrenceEffect({ kind: "finish", name: agent, ...base, outcome, ...activity })
  const outputKey = definition?.outputKey ?? null
  const write = (value: WrittenValue): readonly RunEffect[] =>
    outputKey !== null && setting.keys.has(outputKey)
      ? [{ type: "write", key: outputKey, value, by: base }]
      : []
  const end = (signal: Outcome, effects: readonly RunEffect[]): Variant => {
    const wrote = setting.readsWrites ? writesIn(effects) : []
    return endVariant(endWith(signal, { wrote }), [...withoutReports(effects), finish(signal)])
  }
  const expires = definition?.type === "HumanAgent" && definition.expiresInMs !== null
  const onExpiry = onExpiryOf("human", definition?.type === "HumanAgent" ? definition : {})
  const expired =
    onExpiry === "fail"
      ? end("failed", [])
      : end("done", onExpiry === "reject" ? write({ type: "value", value: null }) : [])
  const answered = occurrenceEffect({ kind: "answer", name: agent, ...base })
  const moves: readonly Move[] = [
    recordedMove(
      end("done", [answered, ...write({ type: "any" })]),
      { by: "person", agent, tool: null, does: "answer" },
      agent,
      `A person answers ${agent}.`,
    ),
    ...(expires
      ? [
          recordedMove(
            expired,
            { by: "clock", agent, ends: "request" },
            agent,
            `The request of ${agent} expires.`,
          ),
        ]
      : []),
  ]
  return {
    start: () => [
      nextVariant(waiting, [
        occurrenceEffect({ kind: "start", name: agent, ...base, ...activity }),
      ]),
    ],
    moves: () => moves,
    waits: () => true,
  }
}

/**
 * Returns the transition system (all possible executions) of a WaitAgent. Its timer ends, or it
 * fails immediately because the session state does not contain the time at which the wait ends.
 */
export function waitBehavior(agent: string, location: NestedLocation, setting: Setting): Behavior {
  const definition = setting.chart.agents[agent]
  const base = { agent, within: location.within }
  const self = location.within.at(-1)
  const activity = self === undefined ? {} : { activity: self }
  const starts = occurrenceEffect({ kind: "start", name: agent, ...base, ...activity })
  const finish = (outcome: Outcome): RunEffect =>
    occurrenceEffect({ kind: "finish", name: agent, ...base, outcome, ...activity })
  const end = (outcome: Outcome, effects: readonly RunEffect[] = []): Variant =>
    endVariant(endWith(outcome), [...effects, finish(outcome)])
  const readsTime = definition?.type === "WaitAgent" && /\{/.test(definition.until ?? "")
  const moves: readonly Move[] = [
    { ...end("done"), records: 1, does: `The wait of ${agent} ends.`, agent },
  ]
  return {
    start: () => [nextVariant(waiting, [starts]), ...(readsTime ? [end("failed", [starts])] : [])],
    moves: () => moves,
    waits: () => false,
  }
}

/**
 * Returns the transition system (all possible executions) of the host function of a custom agent.
 * An execution ends when the function returns, throws or starts a sub-agent.
 */
export function customBehavior(
  agent: string,
  service: string,
  agents: readonly string[],
  location: NestedLocation,
  setting: Setting,
): Behavior {
  const declared = declarationOf(setting, service)
  const mayRun = declared === null && setting.undeclared === "helpful" ? [] : agents
  const step = (variant: Variant, does: string): Move => ({ ...variant, records: 1, does, agent })
  const moves = functionRuns(service, agent, location, setting, agents).flatMap(
    ({ effects, does }): readonly Move[] => [
      ...mayRun.map((runs) =>
        step(
          endVariant(
            endWith("done", { runs }),
            withFunctionResult(effects, { ends: "runs", value: runs }).map((effect) =>
              toRun(effect, runs),
            ),
          ),
          does ?? `The function "${service}" runs ${runs}.`,
        ),
      ),
      step(endVariant(endWith("done"), effects), does ?? `The function "${service}" returns.`),
      step(
        endVariant(endWith("failed"), withFunctionResult(effects, { ends: "throws" })),
        does ?? `The function "${service}" throws.`,
      ),
      ...(canDo(service, setting, ({ mayEscalate }) => mayEscalate)
        ? [
            step(
              endVariant(endWith("done", { escalates: true }), [
                ...withFunctionResult(effects, { escalates: true }),
                ...assumed(service, "escalate", setting),
              ]),
              `The function "${service}" escalates.`,
            ),
          ]
        : []),
    ],
  )
  const start = [nextVariant(running, functionStart(service, agent, location, setting))]
  return { start: () => start, moves: () => moves, waits: () => false }
}

/**
 * Returns the effect. If it uses an undeclared function, adds the assumption that this function
 * starts the sub-agent `agent`.
 */
const toRun = (effect: RunEffect, agent: string): RunEffect =>
  effect.type === "function" && effect.use.capability === null
    ? { type: "function", use: { ...effect.use, capability: `run ${agent}` } }
    : effect

/** Value of `End.runs` after a callback has returned a response in place of its container. */
export const callbackAnswer = "answer"

/**
 * Returns the transition system (all possible executions) of the callbacks that run before or after
 * a container.
 */
export function callbacksBehavior(
  agent: string,
  services: readonly string[],
  location: NestedLocation,
  setting: Setting,
): Behavior {
  let runs: readonly { readonly effects: readonly RunEffect[]; readonly does: string | null }[] = [
    { effects: [], does: null },
  ]
  const moves: Move[] = []
  // The state of a container's callbacks is outside of the container.
  const owner = agent === "" ? "its agent" : agent
  const add = (variant: Variant, records: number, does: string): void => {
    moves.push({ ...variant, records, does, agent })
  }
  for (const [index, service] of services.entries()) {
    runs = functionSequence(services.slice(0, index + 1), agent, location, setting)
    for (const { effects, does } of runs) {
      add(
        endVariant(endWith("failed"), withFunctionResult(effects, { ends: "throws" })),
        index + 1,
        does ?? `The callback "${service}" throws.`,
      )
      if (canDo(service, setting, ({ mayAnswer }) => mayAnswer))
        add(
          endVariant(endWith("done", { runs: callbackAnswer }), [
            ...withFunctionResult(effects, { ends: "answers" }),
            ...assumed(service, `answer in place of ${owner}`, setting),
          ]),
          index + 1,
          does ?? `The callback "${service}" answers in place of ${owner}.`,
        )
      if (canDo(service, setting, ({ mayEscalate }) => mayEscalate))
        add(
          endVariant(endWith("done", { escalates: true }), [
            ...withFunctionResult(effects, { escalates: true }),
            ...assumed(service, "escalate", setting),
          ]),
          index + 1,
          does ?? `The callback "${service}" escalates.`,
        )
    }
  }
  for (const { effects, does } of runs)
    add(
      endVariant(endWith("done"), effects),
      services.length,
      (does ?? agent === "") ? "The callbacks return." : `The callbacks of ${agent} return.`,
    )
  return { start: () => [nextVariant(running)], moves: () => moves, waits: () => false }
}
