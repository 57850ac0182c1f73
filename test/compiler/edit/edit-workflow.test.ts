import { describe, expect, test } from "vitest"
import { folderOf } from "../../../src/compiler/1-parse/files/config-folder.js"
import { edited, refusal } from "./edited.js"

const json = `{
  "rootAgentId": "flow",
  "agents": [
    {
      "type": "SequentialAgent",
      "id": "flow",
      "subAgents": [{ "agentId": "draft" }, { "agentId": "review", "when": "state.ok" }]
    },
    { "type": "LlmAgent", "id": "draft", "model": "large" },
    { "type": "LlmAgent", "id": "review", "model": "large" }
  ]
}
`

const yaml = `# The team.
name: team
agent_class: SequentialAgent
sub_agents:
  # Writes.
  - name: writer
    model: large # the best

  # Checks.
  - name: checker
    model: small
    instruction: |-
      Check it.
      # This is text.
# The end.
`

describe("editing JSON", () => {
  test("a new agent is defined in the list of agents and referenced at its position", () => {
    const { text, agent } = edited(json, {
      kind: "addAgent",
      type: "LlmAgent",
      name: "check",
      placement: { after: "draft" },
    })
    expect(agent).toBe("check")
    expect(text).toBe(
      json
        .replace('{ "agentId": "draft" },', '{ "agentId": "draft" }, { "agentId": "check" },')
        .replace(
          '"id": "review", "model": "large" }',
          '"id": "review", "model": "large" },\n    {\n      "type": "LlmAgent",\n      "id": "check",\n      "model": "large"\n    }',
        ),
    )
  })

  test("agents in brackets on one line move without other changes", () => {
    const { text } = edited(json, {
      kind: "moveAgent",
      name: "review",
      placement: { before: "draft" },
    })
    expect(text).toBe(
      json.replace(
        '[{ "agentId": "draft" }, { "agentId": "review", "when": "state.ok" }]',
        '[{ "agentId": "review", "when": "state.ok" }, { "agentId": "draft" }]',
      ),
    )
  })

  test("wrapping the root agent changes the reference to it", () => {
    const { text } = edited(json, { kind: "wrapAgents", names: ["flow"], type: "LoopAgent" })
    expect(text).toContain('"rootAgentId": "loop"')
    expect(JSON.parse(text).agents.at(-1)).toEqual({
      type: "LoopAgent",
      id: "loop",
      maxAgentLoopIterations: 3,
      subAgents: [{ agentId: "flow" }],
    })
  })

  test("a field is written before the sub-agents, in the spelling of the config", () => {
    const { text } = edited(json, {
      kind: "setField",
      agent: "flow",
      field: ["output_key"],
      value: "result",
    })
    expect(text).toBe(json.replace('"id": "flow",', '"id": "flow",\n      "outputKey": "result",'))
  })
})

describe("editing YAML", () => {
  test("an agent moves with the comments above it", () => {
    const { text } = edited(yaml, {
      kind: "moveAgent",
      name: "checker",
      placement: { before: "writer" },
    })
    expect(text).toBe(`# The team.
name: team
agent_class: SequentialAgent
sub_agents:
  # Checks.
  - name: checker
    model: small
    instruction: |-
      Check it.
      # This is text.

  # Writes.
  - name: writer
    model: large # the best
# The end.
`)
  })

  test("wrapped agents keep their lines, with more indentation", () => {
    const { text } = edited(yaml, {
      kind: "wrapAgents",
      names: ["checker"],
      type: "LoopAgent",
      newName: "rounds",
    })
    expect(text).toContain(`
  - agent_class: LoopAgent
    name: rounds
    max_iterations: 3
    sub_agents:
      # Checks.
      - name: checker
        model: small
        instruction: |-
          Check it.
          # This is text.
# The end.
`)
  })

  test("the settings of a workflow stay at the top if its root agent is wrapped", () => {
    const { text } = edited(`# head\nname: a # own\nmodel: m\nmax_model_calls: 3\n`, {
      kind: "wrapAgents",
      names: ["a"],
      type: "SequentialAgent",
    })
    expect(text).toBe(`# head
agent_class: SequentialAgent
name: sequence
max_model_calls: 3
sub_agents:
  - name: a # own
    model: m
`)
  })

  test("a changed value keeps the comment of its line, also if it gets several lines", () => {
    const { text } = edited(yaml, {
      kind: "setField",
      agent: "writer",
      field: ["model"],
      value: "a\nb",
    })
    expect(text).toContain("    model: |- # the best\n      a\n      b\n")
    const back = edited(text, {
      kind: "setField",
      agent: "writer",
      field: ["model"],
      value: "large",
    })
    expect(back.text).toBe(yaml)
  })

  test("only the changed entries of a list are written", () => {
    const config = "name: a\nmodel: m\ntools:\n  - one # first\n  - two # second\n"
    const { text } = edited(config, {
      kind: "setField",
      agent: "a",
      field: ["tools"],
      value: ["one", "three", "four"],
    })
    expect(text).toBe("name: a\nmodel: m\ntools:\n  - one # first\n  - three # second\n  - four\n")
  })

  test("removing the last sub-agent leaves an empty list", () => {
    const config = "name: a\nmodel: m\nsub_agents: # none\n  - name: b\n    model: m\n"
    const { text } = edited(config, { kind: "removeAgent", name: "b" })
    expect(text).toBe("name: a\nmodel: m\nsub_agents: [] # none\n")
    const { text: again } = edited(text, {
      kind: "addAgent",
      type: "LlmAgent",
      name: "b",
      placement: { into: "a" },
    })
    expect(again).toBe(config)
  })
})

describe("editing the workflows in a graph", () => {
  const node = (id: string, agent: string): string =>
    `    { "id": "${id}", "type": "adk", "dependencies": [], "config": {
      "rootAgentId": "${agent}",
      "agents": [{ "type": "LlmAgent", "id": "${agent}", "model": "m" }] } }`
  const graph = (...nodes: readonly string[]): string =>
    `{\n  "nodes": [\n${nodes.join(",\n")}\n  ]\n}\n`
  const two = graph(node("one", "first"), node("two", "second"))

  test("a command changes the node with the agent", () => {
    const { text } = edited(two, { kind: "renameAgent", from: "second", to: "other" })
    expect(text).toBe(graph(node("one", "first"), node("two", "other")))
    const added = edited(two, { kind: "addAgent", type: "LlmAgent", placement: { into: "first" } })
    const again = edited(added.text, {
      kind: "addAgent",
      type: "LlmAgent",
      placement: { into: "second" },
    })
    expect([added.agent, again.agent]).toEqual(["agent", "agent_2"])
  })

  test("an agent cannot be moved to another node, and an ambiguous name is refused", () => {
    const into = { into: "first" } as const
    expect(refusal(two, { kind: "moveAgent", name: "second", placement: into })).toBe(
      "agent_is_root",
    )
    const same = graph(node("one", "first"), node("two", "first"))
    expect(refusal(same, { kind: "removeAgent", name: "first" })).toBe("agent_ambiguous")
  })
})

describe("commands on agents in other files, and refused commands", () => {
  const folder = folderOf({
    "root_agent.yaml": "",
    "part.yaml": "name: part\nmodel: m\n",
  })
  const files = {
    text: "name: team\nagent_class: SequentialAgent\nsub_agents:\n  - config_path: part.yaml\n  - name: own\n    model: m\n",
    folder,
  }

  test("a new agent gets the model of an agent in another file", () => {
    const { text } = edited(
      {
        text: "name: team\nagent_class: SequentialAgent\nsub_agents:\n  - config_path: part.yaml\n",
        folder,
      },
      { kind: "addAgent", type: "LlmAgent", placement: { after: "part" } },
    )
    expect(text).toContain("  - config_path: part.yaml\n  - name: agent\n    model: m\n")
  })

  test("the fields of an agent in another file cannot be changed, but its position can", () => {
    expect(refusal(files, { kind: "setField", agent: "part", field: ["model"], value: "x" })).toBe(
      "other_file",
    )
    expect(refusal(files, { kind: "renameAgent", from: "part", to: "x" })).toBe("other_file")
    expect(
      edited(files, { kind: "moveAgent", name: "part", placement: { after: "own" } }).text,
    ).toContain("- name: own\n    model: m\n  - config_path: part.yaml\n")
  })

  test.each([
    [{ kind: "removeAgent", name: "flow" } as const, "agent_is_root"],
    [{ kind: "removeAgent", name: "nobody" } as const, "agent_unknown"],
    [{ kind: "moveAgent", name: "flow", placement: { into: "flow" } } as const, "agent_is_root"],
    [{ kind: "renameAgent", from: "draft", to: "review" } as const, "name_taken"],
    [{ kind: "renameAgent", from: "draft", to: "a b" } as const, "name_invalid"],
    [{ kind: "unwrapAgent", name: "draft" } as const, "not_a_container"],
    [
      { kind: "moveAgent", name: "review", placement: { into: "draft" } } as const,
      "condition_lost",
    ],
    [
      { kind: "addAgent", type: "WorkflowAgent", placement: { into: "flow" } } as const,
      "field_missing",
    ],
    [{ kind: "addAgent", type: "JoinNode", placement: { into: "flow" } } as const, "type_unknown"],
    [{ kind: "setField", agent: "draft", field: ["colour"], value: 1 } as const, "field_unknown"],
  ])("the command %j is refused as %s", (command, code) => {
    expect(refusal(json, command)).toBe(code)
  })

  test("texts with syntax errors are refused", () => {
    expect(refusal('{ "agents": [', { kind: "removeAgent", name: "a" })).toBe("config_invalid")
  })

  test("an agent whose anchor is used elsewhere cannot be removed or changed", () => {
    const config =
      "name: team\nagent_class: SequentialAgent\nsub_agents:\n  - name: a\n    model: &m large\n  - name: b\n    model: *m\n"
    expect(refusal(config, { kind: "removeAgent", name: "a" })).toBe("layout_unsupported")
    expect(refusal(config, { kind: "setField", agent: "a", field: ["model"], value: "x" })).toBe(
      "layout_unsupported",
    )
    expect(
      edited(config, { kind: "setField", agent: "b", field: ["model"], value: "x" }).text,
    ).toContain("- name: b\n    model: x\n")
  })
})
