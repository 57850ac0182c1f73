import { describe, expect, test } from "vitest"
import { begin, interpreters } from "../support/in-both-interpreters.js"
import { scriptedServices } from "../support/scripted-services.js"
import { chartOf, llm, sequence } from "../support/workflow.js"

describe.each(interpreters)("a condition that fails during its evaluation (%s)", (interpreter) => {
  test("the run fails with a message that suggests a fix for the condition", async () => {
    const chart = chartOf(
      [
        sequence("steps", [{ agentId: "writer", when: "session_state['score'] >= 8" }]),
        llm("writer"),
      ],
      { state: { score: "9" } },
    )
    const { error } = await begin(interpreter, chart, scriptedServices({})).controls.whenSettled()
    expect(error?.message).toContain("'>=' not supported between instances of 'str' and 'int'")
    expect(error?.message).toContain("float(session_state['score'])")
  })
})
