import { expect, test } from "vitest"
import { editableWorkflow } from "../../../src/compiler/edit/describe-agents.js"
import { edited, refusal } from "./edited.js"

const json = `{
  "agent_class": "Workflow",
  "name": "desk",
  "edges": [
    ["START", "intake", ["budget", "impact"], "letter"],
    ["letter", { "good": "send", "bad": "letter" }],
    ["intake", "send"]
  ],
  "nodes": [
    { "name": "intake", "model": "m", "instruction": "Read." },
    { "name": "budget", "model": "m", "instruction": "Count." },
    { "name": "impact", "model": "m", "instruction": "Judge." },
    { "name": "letter", "model": "m", "instruction": "Write." },
    { "name": "send", "model": "m", "instruction": "Send." }
  ]
}
`
const yaml = `agent_class: Workflow   # the desk
name: desk
edges:
  - [START, intake, letter]   # the usual way
  # A short way.
  - [intake, send]
  - from: letter
    routes: { good: send, bad: intake }
nodes:
  - { name: intake, model: m, instruction: Read. }
  - { name: letter, model: m, instruction: Write. }
  - { name: send, model: m, instruction: Send. }
`
const edgesOf = (text: string): readonly string[] => {
  const workflow = editableWorkflow({ text })
  if (workflow.refused !== null) throw new Error(workflow.refused.message)
  const edges = workflow.agents.flatMap((agent) => agent.edges)
  return edges.map(({ from, to, route }) => `${from} ${to} ${route ?? ""}`.trim()).sort()
}
const childrenOf = (text: string): readonly string[] => {
  const workflow = editableWorkflow({ text })
  if (workflow.refused !== null) throw new Error(workflow.refused.message)
  return workflow.agents.find(({ name }) => name === "desk")?.children ?? []
}
const desk = { name: "desk", route: null } as const

test.each([
  ["JSON", json],
  ["YAML", yaml],
])("an edge of a graph is added to %s as the last entry", (_, text) => {
  const { text: added, agent } = edited(text, {
    ...desk,
    kind: "connectNodes",
    from: "send",
    to: "letter",
    route: "late",
  })
  expect(agent).toBe("send")
  expect(edgesOf(added)).toEqual([...edgesOf(text), "send letter late"].sort())
  const comments = (all: string): readonly string[] => all.match(/#.*/g) ?? []
  expect(comments(added)).toEqual(comments(text))
})

test.each([
  ["JSON", json],
  ["YAML", yaml],
])("an entry of %s with a single edge is removed with the edge", (_, text) => {
  const removed = edited(text, { ...desk, kind: "disconnectNodes", from: "intake", to: "send" })
  expect(edgesOf(removed.text)).toEqual(edgesOf(text).filter((edge) => edge !== "intake send"))
})

test("if one edge of an entry is removed, the other edges become separate entries", () => {
  const command = { ...desk, kind: "disconnectNodes" } as const
  const parallel = edited(json, { ...command, from: "intake", to: "impact" })
  expect(edgesOf(parallel.text)).toEqual(edgesOf(json).filter((edge) => edge !== "intake impact"))
  const route = edited(yaml, { ...command, from: "letter", to: "send", route: "good" })
  expect(edgesOf(route.text)).toEqual(edgesOf(yaml).filter((edge) => edge !== "letter send good"))
  expect(route.text).toContain("# the usual way")
})

test("adding an existing edge, removing an unknown edge and losing a comment are refused", () => {
  expect(refusal(json, { ...desk, kind: "connectNodes", from: "intake", to: "send" })).toBe(
    "edge_exists",
  )
  expect(refusal(json, { ...desk, kind: "connectNodes", from: "send", to: "START" })).toBe(
    "agent_unknown",
  )
  expect(refusal(json, { ...desk, kind: "disconnectNodes", from: "send", to: "intake" })).toBe(
    "edge_unknown",
  )
  expect(refusal(yaml, { ...desk, kind: "disconnectNodes", from: "intake", to: "letter" })).toBe(
    "layout_unsupported",
  )
  const writer = { kind: "connectNodes", name: "send", from: "a", to: "b", route: null } as const
  expect(refusal(json, writer)).toBe("not_a_graph")
})

test.each([
  ["JSON", json],
  ["YAML", yaml],
])("a node is added to a graph in %s with an edge to it", (_, text) => {
  const after = edited(text, {
    kind: "addAgent",
    type: "LlmAgent",
    name: "check",
    placement: { after: "letter" },
  })
  expect(after.agent).toBe("check")
  expect(edgesOf(after.text)).toEqual([...edgesOf(text), "letter check"].sort())
  expect(childrenOf(after.text)).toEqual([...childrenOf(text), "check"])
  const into = edited(text, { kind: "addAgent", type: "WaitAgent", placement: { into: "desk" } })
  expect(edgesOf(into.text)).toEqual([...edgesOf(text), "START wait"].sort())
  expect(into.text.split("\n").filter((line) => line.includes("#"))).toEqual(
    text.split("\n").filter((line) => line.includes("#")),
  )
  expect(
    refusal(text, { kind: "addAgent", type: "LlmAgent", placement: { before: "letter" } }),
  ).toBe("placement_invalid")
})

test.each(["  - [START, one]\n", "- [START, one]\n"])(
  "the first node in a graph without a list of nodes gets a new list after the edges %j",
  (entry) => {
    const text = `agent_class: Workflow\nname: desk\nedges:\n${entry}`
    const { text: added } = edited(text, {
      kind: "addAgent",
      type: "LlmAgent",
      name: "two",
      placement: { into: "desk" },
    })
    expect(edgesOf(added)).toEqual(["START one", "START two"])
    expect(added).toMatch(/^nodes:\n\s*- name: two/m)
  },
)

test("a removed node leaves its neighbours connected, unless it chooses a route", () => {
  const remove = (text: string, name: string) => edited(text, { kind: "removeAgent", name }).text
  const budget = remove(json, "budget")
  expect(childrenOf(budget)).toEqual(["intake", "impact", "letter", "send"])
  expect(edgesOf(budget)).toEqual(
    [...edgesOf(json).filter((edge) => !edge.includes("budget")), "intake letter"].sort(),
  )
  const letter = remove(json, "letter")
  expect(edgesOf(letter)).toEqual(edgesOf(json).filter((edge) => !edge.includes("letter")))
  expect(refusal(yaml, { kind: "removeAgent", name: "letter" })).toBe("layout_unsupported")
  expect(childrenOf(remove(yaml.replace("   # the usual way", ""), "letter"))).toEqual([
    "intake",
    "send",
  ])
})

test("an edge that occurs several times is removed from all entries", () => {
  const twice = json.replace(
    '["intake", "send"]',
    '["intake", "send"],\n    { "from": "intake", "to": "send" },\n    ["intake", "send", "letter"]',
  )
  const removed = edited(twice, { ...desk, kind: "disconnectNodes", from: "intake", to: "send" })
  expect(edgesOf(removed.text)).toEqual(edgesOf(twice).filter((edge) => edge !== "intake send"))
  expect(edgesOf(removed.text)).toContain("send letter")
})

test("an entry that defines a node is not removed with an edge", () => {
  const text =
    "agent_class: Workflow\nname: desk\nedges:\n  - [START, { agent_class: LlmAgent, name: writer, model: m }, reader]\n"
  const { from, to } = { from: "START", to: "writer" }
  expect(refusal(text, { ...desk, kind: "disconnectNodes", from, to })).toBe("layout_unsupported")
  // The definition of a node stays if a later edge refers to the node by its name.
  const twice = `${text}  - [START, writer]\n`
  expect(childrenOf(twice)).toEqual(["writer", "reader"])
  expect(refusal(twice, { ...desk, kind: "disconnectNodes", from, to })).toBe("layout_unsupported")
})
