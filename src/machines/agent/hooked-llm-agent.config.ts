import type { CallTransition } from "./llm-agent.config.js"
import { turnConfig } from "./llm-agent.config.js"

const hooks = (hook: "beforeAgent" | "afterAgent") => ({
  id: hook,
  src: "hookList",
  input: { hook },
})

/**
 * Returns the XState state that runs the `afterAgent` callbacks and then enters the final state
 * `final`. The callbacks can replace the text of the turn. If a callback escalates, the outcome is
 * `escalated` instead of `done`.
 */
const afterAgent = (to: (state: string) => string, final: string) => ({
  invoke: {
    ...hooks("afterAgent"),
    onDone: [
      {
        guard: { type: "hooksThrew" },
        target: to("failed"),
        actions: [{ type: "failCallback" }],
      },
      ...(final === "done"
        ? [
            {
              guard: { type: "escalatesAtEnd" },
              target: to("escalated"),
              actions: [{ type: "useCallbackText" }],
            },
          ]
        : []),
      { target: to(final), actions: [{ type: "useCallbackText" }] },
    ],
  },
})

/**
 * The parts in which the XState configs of turns with callbacks differ. They include the states and
 * transitions before a model call and after a failed call.
 */
export interface CallSteps {
  readonly id: string
  /** Name of the actor that makes the model call and runs its callbacks, such as `hookedModel`. */
  readonly callModel: string
  /**
   * Key of the XState state that the machine enters to start the next model call, such as
   * `callingModel`.
   */
  readonly nextCall: string
  /**
   * Transitions after a model call that failed because the conversation is too long for the model.
   */
  readonly onTooLong: readonly CallTransition[]
  /**
   * States of the machine that are not part of every turn with callbacks, by state key. Empty if
   * there are none.
   */
  readonly states: object
}

/**
 * Returns the XState config of an LlmAgent's turn with callbacks. It consists of the states of
 * `llmAgentConfig`, states that run the callbacks before and after the turn, and the additional
 * `states`.
 */
export function hookedTurnConfig({ id, callModel, nextCall, onTooLong, states }: CallSteps) {
  const to = (state: string): string => `#${id}.${state}`
  const base = turnConfig({
    id,
    callModel,
    nextCall,
    onTooLong,
    ends: { done: "afterDone", exited: "afterExited", escalated: "afterEscalated" },
  })
  const start = [{ type: "startTurn" }]
  const failed = { target: to("failed"), actions: [{ type: "failCallback" }] }
  const ask = (of: PreparationSource) => ({ id: of, src: "hostCode", input: { of } })
  /**
   * Transitions that lead from the `beforeAgent` callbacks to the first model call. On the way,
   * host functions can return the global instruction, the instruction and the tools. The first
   * transition with a true guard is taken. The last transition leads to the model call.
   */
  const preparations = [
    {
      guard: { type: "hasGlobalInstructionService" },
      target: to("instructingGlobally"),
    },
    { guard: { type: "hasInstructionService" }, target: to("instructing") },
    { guard: { type: "hasToolsets" }, target: to("listingTools") },
    { target: to(nextCall) },
  ]
  const nextPreparations = (after: number, action: string) =>
    preparations.slice(after).map((next) => ({ ...next, actions: [{ type: action }] }))
  return {
    ...base,
    states: {
      ...base.states,
      preparing: { always: [{ target: to("beforeAgent"), actions: start }] },
      beforeAgent: {
        invoke: {
          ...hooks("beforeAgent"),
          onDone: [
            { guard: { type: "hooksThrew" }, ...failed },
            {
              guard: { type: "hooksAnswerAndEscalate" },
              target: to("escalated"),
              actions: [{ type: "useCallbackText" }],
            },
            {
              guard: { type: "hooksAnswered" },
              target: to("done"),
              actions: [{ type: "useCallbackText" }],
            },
            ...nextPreparations(0, "applyHostChanges"),
          ],
        },
      },
      instructingGlobally: {
        invoke: {
          ...ask("globalInstruction"),
          onDone: [
            { guard: { type: "hostFailed" }, ...failed },
            ...nextPreparations(1, "storeGlobalInstruction"),
          ],
        },
      },
      instructing: {
        invoke: {
          ...ask("instruction"),
          onDone: [
            { guard: { type: "hostFailed" }, ...failed },
            ...nextPreparations(2, "storeInstruction"),
          ],
        },
      },
      listingTools: {
        invoke: {
          ...ask("toolset"),
          onDone: [
            {
              guard: { type: "listsNoTools" },
              target: to("failed"),
              actions: [{ type: "failToolset" }],
            },
            {
              guard: { type: "hasMoreToolsets" },
              target: to("listingTools"),
              reenter: true,
              actions: [{ type: "selectTools" }],
            },
            ...nextPreparations(3, "selectTools"),
          ],
        },
      },
      ...states,
      afterDone: afterAgent(to, "done"),
      afterExited: afterAgent(to, "exited"),
      afterEscalated: afterAgent(to, "escalated"),
    },
  }
}

/** The XState config of the turn of an LlmAgent with callbacks and without `compaction`. */
export const hookedLlmAgentConfig = hookedTurnConfig({
  id: "hookedLlmAgent",
  callModel: "hookedModel",
  nextCall: "callingModel",
  onTooLong: [],
  states: {},
})

/** Kinds of values that host functions can return before the first model call of a turn. */
export type PreparationSource = "globalInstruction" | "instruction" | "toolset"
