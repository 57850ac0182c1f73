import { describe, expect, test } from "vitest"
import { completionsAt, hoverAt } from "../../src/studio/server/editor-help/editor-help.js"

/** Returns a text without the mark `|`, and the offset of the mark, which is the cursor. */
function edited(path: string, marked: string) {
  const offset = marked.indexOf("|")
  return { path, text: marked.slice(0, offset) + marked.slice(offset + 1), offset }
}

const labels = (path: string, marked: string): readonly string[] =>
  completionsAt(edited(path, marked))?.options.map(({ label }) => label) ?? []

describe("completion in JSON", () => {
  const inJson = (marked: string): readonly string[] => labels("workflow.json", marked)

  test("completion lists the fields of a workflow that are not set yet", () => {
    const fields = inJson('{ "rootAgentId": "a", "|" }')
    expect(fields).toContain("agents")
    expect(fields).toContain("maxModelCalls")
    expect(fields).not.toContain("rootAgentId")
    expect(fields).not.toContain("max_model_calls")
  })

  test("completion lists the fields of an agent's type while the text is incomplete", () => {
    const fields = inJson('{ "agents": [{ "type": "LoopAgent", "id": "rounds", "|')
    expect(fields).toContain("maxAgentLoopIterations")
    expect(fields).not.toContain("instructions")
    expect(inJson('{ "agents": [{ "type": "LlmAgent", "id": "a", "|')).toContain("instructions")
  })

  test("completion lists the fields of all types for an agent without a type, and the types", () => {
    expect(inJson('{ "agents": [{ | }] }')).toEqual(
      expect.arrayContaining(["type", "instructions", "maxAgentLoopIterations"]),
    )
    expect(inJson('{ "agents": [{ "type": "|" }] }')).toEqual([
      "LlmAgent",
      "HumanAgent",
      "WorkflowAgent",
      "RemoteA2AAgent",
      "WaitAgent",
      "SequentialAgent",
      "ParallelAgent",
      "LoopAgent",
    ])
  })

  test("completion lists the fields and values of nested objects", () => {
    expect(
      inJson(
        '{ "agents": [{ "type": "LlmAgent", "activityConfig": { "retryPolicy": { "|" } } }] }',
      ),
    ).toContain("maximumAttempts")
    expect(inJson('{ "agents": [{ "type": "ParallelAgent", "failurePolicy": | }] }')).toContain(
      "fail-fast",
    )
    expect(inJson('{ "agents": [{ "type": "LlmAgent", "disallowTransferToPeers": | }] }')).toEqual([
      "true",
      "false",
    ])
  })

  test("completion replaces the word inside the quotes", () => {
    const marked = '{ "agents": [], "rootA|gent" }'
    const found = completionsAt(edited("workflow.json", marked))
    expect(found).toMatchObject({ from: 17, to: 26 })
    expect(found?.options).toContainEqual({
      label: "rootAgentId",
      description: "The agent with which a run starts.",
      insert: '"rootAgentId": ',
    })
  })

  test("completion uses snake_case in the adk dialect", () => {
    const fields = inJson('{ "name": "a", "sub_agents": [{ "agent_class": "LlmAgent", "|" }] }')
    expect(fields).toContain("output_key")
    expect(fields).not.toContain("outputKey")
    expect(inJson('{ "name": "a", "agent_class": "|" }')).toContain("Workflow")
  })

  test.each(["|", "[|]", '{ "state": { "|" } }', '{ "agents": "|" }', "{ } |"])(
    "completion does not throw in %s",
    (marked) => expect(() => inJson(marked)).not.toThrow(),
  )
})

describe("completion in YAML", () => {
  const inYaml = (marked: string): readonly string[] => labels("root_agent.yaml", marked)

  test("completion lists the fields of a workflow in an empty file", () => {
    expect(inYaml("|")).toEqual(expect.arrayContaining(["name", "agent_class", "instruction"]))
  })

  test("completion lists the fields at the indentation of the cursor", () => {
    const text = "agent_class: LoopAgent\nname: rounds\nsub_agents:\n  - name: writer\n"
    expect(inYaml(`${text}    outp|`)).toContain("output_key")
    expect(inYaml(`${text}    |`)).not.toContain("max_iterations")
    expect(inYaml(`${text}ma|`)).toContain("max_iterations")
    expect(inYaml(`${text}  - |`)).toContain("instruction")
    expect(inYaml(`${text}  - config|`)).not.toContain("max_iterations")
  })

  test("completion lists values after a colon", () => {
    expect(inYaml("name: a\nagent_class: |\n")).toContain("SequentialAgent")
    expect(inYaml("name: a\nagent_class: Seq|\ndescription: b\n")).toContain("SequentialAgent")
    expect(inYaml('name: a\ninclude_contents: "n|"')).toEqual(["default", "none"])
  })

  test("completion replaces the name of a field that has a value", () => {
    const text = "name: a\nsub|_agents:\n  - name: b\n"
    expect(inYaml(text)).toContain("sub_agents")
    expect(completionsAt(edited("root_agent.yaml", text))).toMatchObject({ from: 8, to: 18 })
  })

  test("completion lists nothing inside a text", () => {
    expect(inYaml("instruction: |\n".replace("|", "a few words|"))).toEqual([])
  })
})

describe("the explanation of a field", () => {
  test("a field is explained with its description, in both formats and all spellings", () => {
    expect(hoverAt(edited("workflow.json", '{ "rootA|gentId": "a" }'))).toEqual({
      from: 3,
      to: 14,
      name: "rootAgentId",
      description: "The agent with which a run starts.",
    })
    for (const field of ["output_key", "outputKey"])
      expect(hoverAt(edited("a.yaml", `name: a\n|${field}: draft\n`))).toMatchObject({
        name: field,
        description: expect.stringContaining("State key") as string,
      })
  })

  test("values and unknown fields have no explanation", () => {
    expect(hoverAt(edited("a.yaml", "name: wri|ter\n"))).toBeNull()
    expect(hoverAt(edited("workflow.json", '{ "root|": 5, "agents": [] }'))).toBeNull()
  })
})
