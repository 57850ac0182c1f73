import { compactionSteps } from "./compacting-llm-agent.config.js"
import { hookedTurnConfig } from "./hooked-llm-agent.config.js"

const id = "guardedLlmAgent"
const to = (state: string): string => `#${id}.${state}`

const { onTooLong, states: compactionStates } = compactionSteps(id)

const base = hookedTurnConfig({
  id,
  callModel: "guardedModel",
  nextCall: "checkingInput",
  onTooLong,
  states: {
    ...compactionStates,
    checkingInput: {
      always: [
        { guard: { type: "hasNewInput" }, target: to("guardingInput") },
        { target: to("checkingLength") },
      ],
    },
    guardingInput: {
      invoke: {
        id: "guardrail",
        src: "guardrail",
        input: {},
        onDone: [
          {
            guard: { type: "guardrailDecides" },
            target: to("callingModel"),
            actions: [{ type: "applyInputVerdict" }],
          },
          {
            guard: { type: "hasMoreGuardrails" },
            target: to("guardingInput"),
            reenter: true,
            actions: [{ type: "applyInputVerdict" }],
          },
          { target: to("checkingLength"), actions: [{ type: "applyInputVerdict" }] },
        ],
      },
    },
  },
})

const { callingModel } = base.states

/**
 * The XState config of the turn of an LlmAgent with guardrails (docs/semantics.md#guardrails). In
 * addition to the states of `compactingLlmAgentConfig`, it has states in which guardrails with
 * `mode: "before"` check the input. The actor `guardedModel`, which makes the model call, runs all
 * other guardrails.
 */
export const guardedLlmAgentConfig = {
  ...base,
  states: {
    ...base.states,
    callingModel: {
      ...callingModel,
      exit: [{ type: "recordCheckedInput" }],
      invoke: {
        ...callingModel.invoke,
        onDone: [
          {
            guard: { type: "repairsAtTurnLimit" },
            target: to("limited"),
            actions: [{ type: "rejectText" }, { type: "limitTurn" }],
          },
          {
            guard: { type: "repairsText" },
            target: to("checkingInput"),
            reenter: true,
            actions: [{ type: "rejectText" }, { type: "askForGuardedText" }],
          },
          ...callingModel.invoke.onDone,
        ],
      },
    },
  },
}
