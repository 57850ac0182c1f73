import { summarizerIn } from "../../machines/model-call/summary-call.js"
import { serviceOfHook } from "../../machines/contract/hook-use.js"
import { policyModelNamesOf } from "../../machines/model-call/agent-models.js"
import type { Behavior, RunEffect, Move, Variant } from "../behavior/behavior.js"
import { nextVariant, occurrenceEffect, recordedMove } from "../behavior/behavior.js"
import { functionSequence } from "../behavior/function-steps.js"
import type { NestedLocation, Setting } from "../behavior/setting.js"
import { keysWrittenByMachine } from "../behavior/written-keys.js"
import type { Turn, TurnControl } from "./turn.js"
import { control } from "./turn.js"
import { approvalSteps, callSteps, userSteps } from "./turn-answers.js"
import { budgetRules } from "./turn-budgets.js"
import { callChoices } from "./call-choices.js"
import { callRules } from "./turn-calls.js"
import {
  nextModelCallVariants,
  callModel,
  failRoute,
  guardInput,
  makeCall,
} from "./model-call-start.js"
import { dropCalls } from "./tool-call-steps.js"
import { finishNow, outputKeyWrites } from "./turn-ends.js"
import { requiredKeys } from "../../policies/agent-reads.js"
import { functions } from "./turn-functions.js"
import { guardingSteps, guardsOf, withGuardrails } from "./turn-guardrails.js"
import { routesOf } from "./turn-routes.js"
import { responses } from "./turn-responses.js"
import type { LlmDefinition } from "./turn-tools.js"
import { isRelevant, toolsOf } from "./turn-tools.js"
import { reportingLater } from "./turn-reports.js"

/**
 * Returns the transition system of one turn of an LlmAgent for the model checker. It includes every
 * possible model response, tool call and answer of a person
 * (docs/policies.md#what-a-verdict-covers). Tools without an effect that the policy observes are
 * ignored.
 */
export function turnBehavior(
  agent: string,
  location: NestedLocation,
  setting: Setting,
): Behavior<TurnControl> {
  const { chart } = setting
  // The compiler gives every position of an LlmAgent a definition.
  const definition = chart.agents[agent] as LlmDefinition
  const { adk } = definition
  const hooks = adk?.hooks ?? {}
  const services = (uses: typeof hooks.beforeAgent = []): readonly string[] =>
    uses.map(serviceOfHook)
  const early = [
    ...services(hooks.beforeAgent),
    ...[adk?.globalInstructionService, adk?.instructionService].filter(
      (name) => name !== undefined,
    ),
  ]
  // The tools of toolsets are listed before the model is called, so other agents can be faster.
  const listsTools = (definition.toolsets ?? []).length > 0
  const late = services(hooks.afterAgent)
  const beforeModel = services(hooks.beforeModel)
  const modelOccurrences = policyModelNamesOf(definition).map((name) =>
    occurrenceEffect({ kind: "model", name, agent, within: location.within }),
  )
  const summary = summaryOccurrence(definition, location, setting)
  const budgets = budgetRules(definition, setting)
  const routes = routesOf(definition, budgets.asksBudget, setting)
  // A missing key of the instructions, a condition of a route, or the summary of the conversation
  // can end the turn.
  const canFail = requiredKeys(definition).length > 0 || routes.failsInCall || summary !== null
  const preparesCalls =
    (beforeModel.length > 0 || canFail) &&
    (setting.countsModelCalls || [...modelOccurrences, summary].some((one) => isRead(one, setting)))
  const aroundModel = [
    ...(preparesCalls ? [] : beforeModel),
    ...services(hooks.afterModel),
    ...services(hooks.onModelError),
  ]
  const tools = toolsOf(agent, setting).filter((tool) => isRelevant(tool, agent, location, setting))
  const calls = callRules(agent, tools, location, setting)
  const base = { agent, within: location.within }
  const self = location.within.at(-1)
  const { maxModelCallsPerTurn } = chart.settings
  const exactTurns = maxModelCallsPerTurn <= setting.largestCounter

  const turn: Turn = {
    agent,
    location,
    setting,
    definition,
    tools,
    calls,
    base,
    self,
    exactTurns,
    maxModelCallsPerTurn,
    late,
    ...budgets,
    modelOccurrences,
    ...routes,
    summaryOccurrence: summary,
    guards: guardsOf(agent, definition, location, setting),
    preparesCalls,
    textValue: { type: adk?.outputSchema != null ? "any" : "text" },
    choices: callChoices(
      tools.length,
      setting.concurrentCalls,
      setting.policy.rule.pattern === "atMost",
    ),
    combinesCalls: tools.length > 1 || tools.some(({ machine }) => machine !== null),
    hiddenKeys: location.isHidden
      ? []
      : [
          ...new Set(
            tools.flatMap(({ machine }) =>
              machine === null ? [] : keysWrittenByMachine(machine, setting),
            ),
          ),
        ],
  }

  const startEffects: readonly RunEffect[] = [
    occurrenceEffect({
      kind: "start",
      name: agent,
      ...base,
      ...(self !== undefined && { activity: self }),
    }),
  ]

  const waits = (state: TurnControl): boolean =>
    state.phase === "approving" ||
    state.phase === "user" ||
    state.phase === "budget" ||
    (state.phase === "calling" && state.calls.every((call, slot) => calls.waits(call, slot)))

  const start = (): readonly Variant<TurnControl>[] =>
    early.length > 0 || listsTools
      ? [nextVariant(control("before", exactTurns ? 0 : null), startEffects)]
      : begin(startEffects)

  /**
   * Starts the turn after the effects in `effects`. If there are input guardrails, they check the
   * input. Otherwise, the model is called.
   */
  const begin = (effects: readonly RunEffect[]): readonly Variant<TurnControl>[] => {
    const guarded = guardInput(turn, exactTurns ? 1 : null, effects)
    return guarded.length > 0
      ? guarded
      : nextModelCallVariants(turn, exactTurns ? 0 : null, effects)
  }

  const moves = (state: TurnControl): readonly Move<TurnControl>[] => {
    const steps = phaseSteps(state)
    return definition.maxDurationMs === undefined
      ? steps
      : [
          ...steps,
          recordedMove(
            finishNow(turn, "failed", dropCalls(turn, state.calls)),
            { by: "clock", agent, ends: "turn" },
            agent,
            `The turn of ${agent} takes too long.`,
          ),
        ]
  }

  return setting.readsWrites
    ? reportingLater({ start, moves, waits }, turn)
    : { start, moves, waits }

  function phaseSteps(state: TurnControl): readonly Move<TurnControl>[] {
    switch (state.phase) {
      case "before":
        return functions(turn, early, services(hooks.beforeAgent), begin, (effects) => [
          finishNow(turn, "done", [...effects, ...outputKeyWrites(turn, turn.textValue)]),
        ])
      case "guarding":
        return guardingSteps(turn, state)
      case "preparing": {
        const { turnCalls, modelIndex } = state
        const call = (effects: readonly RunEffect[]): readonly Variant<TurnControl>[] => [
          ...makeCall(turn, turnCalls, modelIndex, effects),
          ...(routes.failsInCall ? failRoute(turn, turnCalls, modelIndex, effects) : []),
        ]
        const does = `${agent} fails before its model is called.`
        return [
          ...(canFail ? [{ ...finishNow(turn, "failed"), records: 0, does, agent }] : []),
          ...functions(turn, beforeModel, beforeModel, call, (effects) => [
            nextVariant(control("asking", turnCalls, { modelIndex }), effects),
          ]),
        ]
      }
      case "asking": {
        const steps = withGuardrails(turn, state, responses(turn, state))
        return aroundModel.length === 0 || state.isContinued
          ? steps
          : steps.flatMap((move) =>
              functionSequence(aroundModel, agent, location, setting).map(({ effects }) => ({
                ...move,
                effects: [...effects, ...move.effects],
              })),
            )
      }
      case "approving":
        return approvalSteps(turn, state)
      case "calling":
        return callSteps(turn, state)
      case "user":
        return userSteps(turn, state)
      case "budget":
        return [
          ...callModel(turn, state.turnCalls, state.modelIndex).map((variant) =>
            recordedMove(
              variant,
              { by: "person", agent, tool: null, does: "approve" },
              agent,
              "A person raises the budget.",
            ),
          ),
          recordedMove(
            finishNow(turn, "limited"),
            { by: "person", agent, tool: null, does: "reject" },
            agent,
            "A person refuses to raise the budget.",
          ),
        ]
      case "after": {
        const { signal, writes, answered } = state.ending ?? {
          signal: "done",
          writes: false,
          answered: false,
        }
        const end = (
          effects: readonly RunEffect[],
          written: boolean,
        ): readonly Variant<TurnControl>[] => [
          finishNow(
            turn,
            signal,
            [...effects, ...(written ? outputKeyWrites(turn, turn.textValue) : [])],
            {
              answeredByTool: answered,
            },
          ),
        ]
        return functions(
          turn,
          late,
          late,
          (effects) => end(effects, writes),
          (effects) => end(effects, true),
        )
      }
    }
  }
}

/** Returns whether an effect is an event to which the policy's automaton reacts. */
const isRead = (effect: RunEffect | null, { automaton }: Setting): boolean =>
  effect?.type === "occurs" && automaton.reads(effect.occurrence)

/**
 * Returns the effect that reports the model call that summarizes the conversation to the policy.
 * Returns null if the agent has no summarizer.
 */
function summaryOccurrence(
  definition: LlmDefinition,
  location: NestedLocation,
  { chart }: Setting,
): RunEffect | null {
  const summarizer = summarizerIn(chart, definition)
  if (summarizer === null) return null
  const agent = definition.compaction?.summarizer ?? ""
  const activity = { id: `${location.id}/${agent}`, agent, tool: null }
  const name = summarizer.endpoint?.url ?? summarizer.model ?? ""
  return occurrenceEffect({ kind: "model", name, agent, within: [...location.within, activity] })
}
