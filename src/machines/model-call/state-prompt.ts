import type { ModelByName } from "../contract/agent-definition.js"
import type { SessionState } from "../data/session-state.js"
import { toObject } from "../data/session-state.js"
import { systemKeys } from "../data/system-keys.js"
import { fillInstruction } from "./instruction-template.js"
import type { Instructions } from "./instructions.js"
import { joinTexts, missingKey } from "./instructions.js"
import type { LlmAgentContext } from "./llm-agent-context.js"

/** Maximum length of the session state in a system message, in characters of JSON. */
const maxStateLength = 32_000

/**
 * The system message for a model that was registered under a name. `leftOut` lists the state keys
 * that the message omits because their values are too large.
 */
interface StatePrompt {
  readonly instructions: Instructions
  readonly leftOut: readonly string[]
}

/**
 * Returns the system message for a model that is registered by name. If the agent's settings
 * require it, the message contains values of the session state (docs/semantics.md#models-by-name).
 */
export function statePrompt(
  {
    input,
    state,
    definition: { instructions, handoffText },
  }: Pick<LlmAgentContext, "input" | "state" | "definition">,
  byName: ModelByName,
): StatePrompt {
  switch (byName.state) {
    case "hidden":
      return prompt(joinTexts(instructions, handoffText))
    case "filled": {
      const filled = fillInstruction(instructions ?? "", state)
      return filled.ok
        ? prompt(joinTexts(filled.text, handoffText))
        : {
            instructions: { ok: false, failure: missingKey(input.agent, filled.missing) },
            leftOut: [],
          }
    }
    case "appended": {
      const { text, leftOut } = stateText(state)
      return prompt(joinTexts(joinTexts(instructions, handoffText), text), leftOut)
    }
  }
}

const prompt = (system: string | null, leftOut: readonly string[] = []): StatePrompt => ({
  instructions: { ok: true, system, opening: null },
  leftOut,
})

/**
 * Returns the session state as JSON text, without the keys that the run itself writes. The keys are
 * sorted, so equal states produce equal texts. If the JSON is too long, the largest entries are
 * omitted.
 */
function stateText(state: SessionState): {
  readonly text: string | null
  readonly leftOut: readonly string[]
} {
  const entries = Object.entries(toObject(state))
    .filter(([key]) => !systemKeys.has(key))
    .map(([key, value]) => ({ key, text: `${JSON.stringify(key)}:${JSON.stringify(value)}` }))
    .sort((one, other) => (one.key < other.key ? -1 : 1))
  let length = entries.reduce((sum, { text }) => sum + text.length + 1, 1)
  const leftOut = new Set<string>()
  if (length > maxStateLength)
    for (const { key, text } of entries.toSorted(
      (one, other) => other.text.length - one.text.length,
    )) {
      if (length <= maxStateLength) break
      leftOut.add(key)
      length -= text.length + 1
    }
  const kept = entries.flatMap(({ key, text }) => (leftOut.has(key) ? [] : [text]))
  return {
    text: kept.length === 0 ? null : `The session state as JSON:\n{${kept.join(",")}}`,
    leftOut: [...leftOut],
  }
}

/**
 * Returns the warning about state keys that are missing in the system message because the session
 * state is too large.
 */
export const leftOutWarning = (agent: string, keys: readonly string[]): string =>
  `the session state is too large for the system message of agent "${agent}": ${keys.map((key) => JSON.stringify(key)).join(", ")} ${keys.length === 1 ? "is" : "are"} left out; write {key} in its instructions to choose the keys that the model receives, or set "stateInPrompt": false`
