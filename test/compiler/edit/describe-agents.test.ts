import { join } from "node:path"
import { readFileSync } from "node:fs"
import { describe, expect, test } from "vitest"
import { openFolder } from "../../../src/adapters/files/open-folder.js"
import {
  agentForm,
  editableWorkflow,
  referencedAgents,
} from "../../../src/compiler/edit/describe-agents.js"

const path = join(import.meta.dirname, "../../../examples/adk-yaml-team/root_agent.yaml")
const team = { text: readFileSync(path, "utf8"), folder: openFolder(path) }

const loop = {
  text: `name: rounds
agent_class: LoopAgent
max_iterations: 3
sub_agents:
  - name: writer
    model: large
    outputKey: text
`,
}

describe("the agents of a workflow", () => {
  test("agents have a parent, an index, sub-agents, and the file that defines them", () => {
    const workflow = editableWorkflow(team)
    if (workflow.refused !== null) throw new Error(workflow.refused.message)
    expect(workflow).toMatchObject({ dialect: "adk" })
    expect(workflow.types).toContain("LoopAgent")
    const byName = Object.fromEntries(workflow.agents.map((agent) => [agent.name, agent]))
    expect(byName["newsroom"]).toMatchObject({
      parent: null,
      isRoot: true,
      isContainer: true,
      edges: [],
      file: null,
    })
    expect(byName["drafting"]).toMatchObject({
      type: "LoopAgent",
      parent: "newsroom",
      index: 1,
      isRoot: false,
      file: "team/drafting.yaml",
      children: ["writer", "critic"],
    })
    expect(byName["editor"]).toMatchObject({ type: "HumanAgent", canHaveSubAgents: false })
  })

  test("agents in other files are located at the entry that includes them", () => {
    const found = referencedAgents(team).map(({ name, file, from, to }) => [
      name,
      file,
      team.text.slice(from, to),
    ])
    expect(found).toContainEqual([
      "drafting",
      "team/drafting.yaml",
      "- config_path: team/drafting.yaml",
    ])
    expect(found).toContainEqual([
      "writer",
      "team/drafting/writer.yaml",
      "- config_path: team/drafting.yaml",
    ])
    expect(found.findIndex(([name]) => name === "drafting")).toBeLessThan(
      found.findIndex(([name]) => name === "writer"),
    )
  })
})

describe("the form of an agent", () => {
  test("has the fields of its type with their values, in the spelling of the text", () => {
    const form = agentForm(loop, "writer")
    if (form.refused !== null) throw new Error(form.refused.message)
    const byKey = Object.fromEntries(form.fields.map((field) => [field.key, field]))
    expect(form.type).toBe("LlmAgent")
    expect(byKey["id"]).toMatchObject({ name: "name", isRequired: true, value: "writer" })
    expect(byKey["outputKey"]).toMatchObject({ name: "outputKey", value: "text" })
    expect(byKey["instruction"]).not.toHaveProperty("value")
    expect(byKey["includeContents"]).toMatchObject({
      schema: { enum: ["default", "none"] },
      default: "default",
    })
    expect(byKey).not.toHaveProperty("subAgents")
    expect(byKey).not.toHaveProperty("instructions")
  })

  test("contains every definition to which its schemas refer", () => {
    for (const name of ["writer", "rounds"]) {
      const form = agentForm(loop, name)
      if (form.refused !== null) throw new Error(form.refused.message)
      const references = [...JSON.stringify(form).matchAll(/"#\/\$defs\/(\w+)"/g)]
      for (const [, definition = ""] of references)
        expect(form.definitions).toHaveProperty([definition])
    }
  })

  test("is refused for an agent in another file, with the name of the file", () => {
    const { refused } = agentForm(team, "writer")
    expect(refused?.code).toBe("other_file")
    expect(refused?.message).toContain("team/drafting/writer.yaml")
  })
})
