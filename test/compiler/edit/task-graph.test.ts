import { describe, expect, test } from "vitest"
import { compile } from "../../../src/compiler/compile.js"
import type { EditCommand } from "../../../src/compiler/edit/contract/edit-command.js"
import { agentForm, editableWorkflow } from "../../../src/compiler/edit/describe-agents.js"
import { edited, refusal } from "./edited.js"

const json = `{
  "nodes": [
    {
      "id": "load",
      "type": "http",
      "http": { "method": "GET", "url": "https://a.example/load" },
      "conditions": { "continueTo": [{ "to": "pay", "when": "{{ data.ok = true }}" }] }
    },
    {
      "id": "pay",
      "type": "http",
      "dependencies": ["load"],
      "http": { "method": "POST", "url": "https://a.example/pay" }
    },
    { "id": "ask", "type": "confirmation", "dependencies": ["pay"] },
    {
      "id": "failed",
      "type": "error_boundary",
      "protectedNodes": ["pay"],
      "http": { "method": "POST", "url": "https://a.example/failed" }
    },
    {
      "id": "write",
      "type": "adk",
      "dependencies": ["ask"],
      "config": {
        "rootAgentId": "writer",
        "agents": [{ "type": "LlmAgent", "id": "writer", "model": "m" }]
      }
    }
  ]
}
`
const yaml = `# Payments.
nodes:
  # Reads the order.
  - id: load   # first
    type: http
    http: { method: GET, url: https://a.example/load }
    conditions:
      continue_to:
        # Only good orders.
        - to: pay
          when: "{{ data.ok = true }}"   # checked
  - id: pay
    type: http
    dependencies: [load]
    http: { method: POST, url: https://a.example/pay }
  - id: ask
    type: confirmation
    dependencies:
      # Waits for the payment.
      - pay
  - id: failed
    type: error_boundary
    protected_nodes: [pay]
    http: { method: POST, url: https://a.example/failed }
  - id: write
    type: adk
    dependencies: [ask]
    config:
      root_agent_id: writer
      agents:
        - { type: LlmAgent, id: writer, model: m }
# The end.
`
const texts = [
  ["JSON", json],
  ["YAML", yaml],
] as const

const editable = (text: string) => {
  const workflow = editableWorkflow({ text })
  if (workflow.refused !== null) throw new Error(workflow.refused.message)
  return workflow
}
const edgesOf = (text: string): readonly string[] =>
  (editable(text).agents.find(({ type }) => type === "graph")?.edges ?? [])
    .map(({ from, to, route }) => `${from} ${to}${route === null ? "" : ` ${route}`}`)
    .sort()
const typesOf = (text: string): Readonly<Record<string, string | null>> =>
  Object.fromEntries(editable(text).agents.map(({ name, type }) => [name, type]))
const commentsOf = (text: string): readonly string[] => text.match(/# .*/g) ?? []
const errorsOf = (text: string): readonly string[] =>
  compile(text)
    .diagnostics.filter(({ severity }) => severity === "error")
    .map(({ message }) => message)
const graph = { name: "graph" } as const
const good = "{{ data.ok = true }}"
const late = "{{ data.late = true }}"
const initial = ["ask write", `load pay ${good}`, "pay ask", "pay failed"]

describe.each(texts)("a graph in %s", (_, text) => {
  const after = (command: EditCommand, from: string = text): string => {
    const changed = edited(from, command)
    expect(errorsOf(changed.text)).toEqual([])
    return changed.text
  }

  test("is described with its nodes, its edges and its agents", () => {
    expect(edgesOf(text)).toEqual(initial)
    expect(typesOf(text)).toEqual({
      graph: "graph",
      load: "http",
      pay: "http",
      ask: "confirmation",
      failed: "error_boundary",
      write: "adk",
      writer: "LlmAgent",
    })
  })

  test("gets an edge as a dependency, and removing the edge restores the text", () => {
    const edge = { ...graph, from: "load", to: "ask", route: null } as const
    const connected = after({ ...edge, kind: "connectNodes" })
    expect(edgesOf(connected)).toEqual([...initial, "load ask"].sort())
    expect(commentsOf(connected)).toEqual(commentsOf(text))
    expect(after({ ...edge, kind: "disconnectNodes" }, connected)).toBe(text)
  })

  test("gets an edge with a condition as a dependency and an entry of continueTo", () => {
    const edge = { ...graph, from: "load", to: "write", route: late } as const
    const connected = after({ ...edge, kind: "connectNodes" })
    expect(edgesOf(connected)).toEqual([...initial, `load write ${late}`].sort())
    expect(commentsOf(connected)).toEqual(commentsOf(text))
    expect(after({ ...edge, kind: "disconnectNodes" }, connected)).toBe(text)
  })

  test("creates the fields around the first condition of a node, and removes them with it", () => {
    const added = after({
      ...graph,
      kind: "changeRoute",
      from: "pay",
      to: "ask",
      route: null,
      newRoute: late,
    })
    expect(edgesOf(added)).toContain(`pay ask ${late}`)
    const removed = { ...graph, kind: "changeRoute", from: "pay", to: "ask" } as const
    expect(after({ ...removed, route: late, newRoute: null }, added)).toBe(text)
  })

  test("changes a condition in place, and removes it", () => {
    const edge = { ...graph, kind: "changeRoute", from: "load", to: "pay", route: good } as const
    const changed = after({ ...edge, newRoute: late })
    expect(changed).toBe(text.replace(good, late))
    const always = after({ ...edge, newRoute: null })
    expect(edgesOf(always)).toContain("load pay")
    expect(always).not.toMatch(/conditions|continue/)
  })

  test("can have several conditions for one edge, which are removed one by one", () => {
    const edge = { ...graph, from: "load", to: "pay" } as const
    const two = after({ ...edge, kind: "connectNodes", route: late })
    expect(edgesOf(two)).toEqual([...initial, `load pay ${late}`].sort())
    const one = after({ ...edge, kind: "disconnectNodes", route: late }, two)
    expect(one).toBe(text)
    const none = after({ ...edge, kind: "disconnectNodes", route: good }, one)
    expect(edgesOf(none)).toEqual(["ask write", "pay ask", "pay failed"])
    expect(none).toContain("pay")
  })

  test("stores an edge to an error boundary as a protected node", () => {
    const edge = { ...graph, from: "load", to: "failed", route: null } as const
    const connected = after({ ...edge, kind: "connectNodes" })
    expect(edgesOf(connected)).toEqual([...initial, "load failed"].sort())
    expect(after({ ...edge, kind: "disconnectNodes" }, connected)).toBe(text)
  })

  test.each(["http", "adk", "confirmation", "error_boundary"])(
    "gets a new %s node after another node, and removing the node restores the text",
    (type) => {
      const added = edited(text, { kind: "addAgent", type, placement: { after: "pay" } })
      expect(errorsOf(added.text)).toEqual([])
      const id = added.agent ?? ""
      expect(typesOf(added.text)[id]).toBe(type)
      expect(edgesOf(added.text)).toEqual([...initial, `pay ${id}`].sort())
      expect(after({ kind: "removeAgent", name: id }, added.text)).toBe(text)
    },
  )

  test("gets a new node without dependencies, and removing the node restores the text", () => {
    const { text: added, agent } = edited(text, {
      kind: "addAgent",
      type: "http",
      name: "other",
      placement: { into: "graph" },
    })
    expect(agent).toBe("other")
    expect(edgesOf(added)).toEqual(initial)
    expect(after({ kind: "removeAgent", name: "other" }, added)).toBe(text)
  })

  test("keeps the neighbours of a removed node connected, with the condition of the edge", () => {
    const removed = after({ kind: "removeAgent", name: "ask" })
    expect(edgesOf(removed)).toEqual([`load pay ${good}`, "pay failed", "pay write"])
    const shorter = edited(text, { kind: "removeAgent", name: "pay" }).text
    expect(edgesOf(shorter)).toEqual(["ask write", `load ask ${good}`])
    // A node that chooses the next node leaves no edges.
    const first = edited(text, { kind: "removeAgent", name: "load" }).text
    expect(edgesOf(first)).toEqual(["ask write", "pay ask", "pay failed"])
  })

  test("has forms for the fields of its nodes", () => {
    const form = agentForm({ text }, "pay")
    if (form.refused !== null) throw new Error(form.refused.message)
    expect(form.type).toBe("http")
    expect(form.fields.map(({ key }) => key)).toEqual([
      "strict",
      "http",
      "outputMapping",
      "validation",
      "conditions",
      "activityConfig",
    ])
    const url = after({
      kind: "setField",
      agent: "pay",
      field: ["http", "url"],
      value: "https://b.example/pay",
    })
    expect(url).toBe(text.replace("https://a.example/pay", "https://b.example/pay"))
  })

  test.each([
    [{ ...graph, kind: "connectNodes", from: "pay", to: "ask", route: null }, "edge_exists"],
    [{ ...graph, kind: "connectNodes", from: "load", to: "pay", route: null }, "edge_exists"],
    [{ ...graph, kind: "connectNodes", from: "load", to: "pay", route: good }, "edge_exists"],
    [{ ...graph, kind: "connectNodes", from: "pay", to: "pay", route: null }, "placement_invalid"],
    [{ ...graph, kind: "connectNodes", from: "none", to: "pay", route: null }, "agent_unknown"],
    [
      { ...graph, kind: "connectNodes", from: "ask", to: "failed", route: late },
      "condition_unsupported",
    ],
    [
      { ...graph, kind: "connectNodes", from: "load", to: "failed", route: late },
      "condition_unsupported",
    ],
    [{ ...graph, kind: "disconnectNodes", from: "load", to: "pay", route: null }, "edge_unknown"],
    [
      { ...graph, kind: "changeRoute", from: "ask", to: "write", route: null, newRoute: late },
      "condition_unsupported",
    ],
    [{ kind: "addAgent", type: "forEach", placement: { after: "pay" } }, "type_unknown"],
    [{ kind: "addAgent", type: "http", placement: { before: "pay" } }, "placement_invalid"],
    [{ kind: "addAgent", type: "http", name: "a-b", placement: { after: "pay" } }, "name_invalid"],
    [{ kind: "addAgent", type: "http", name: "ask", placement: { after: "pay" } }, "name_taken"],
    [
      { kind: "addAgent", type: "error_boundary", placement: { into: "graph" } },
      "placement_invalid",
    ],
    [{ kind: "removeAgent", name: "nobody" }, "agent_unknown"],
    [{ kind: "renameAgent", from: "pay", to: "charge" }, "graph_unsupported"],
    [{ kind: "wrapAgents", names: ["pay"], type: "LoopAgent" }, "graph_unsupported"],
    [{ kind: "moveAgent", name: "pay", placement: { after: "ask" } }, "graph_unsupported"],
    [{ kind: "setField", agent: "pay", field: ["dependencies"], value: [] }, "field_unknown"],
  ] as const satisfies readonly (readonly [EditCommand, string])[])(
    "refuses %j as %s",
    (command, code) => {
      expect(refusal(text, command)).toBe(code)
    },
  )
})

test("removing a loop also removes its end, and the nodes of the loop stay connected", () => {
  const loop = `{
  "nodes": [
    { "id": "list", "type": "http", "http": { "method": "GET", "url": "https://a.example/list" } },
    { "id": "each", "type": "forEach", "dependencies": ["list"], "forEach": { "items": "{{ results.list.data[] }}" } },
    { "id": "call", "type": "http", "dependencies": ["each"], "http": { "method": "POST", "url": "https://a.example/call" } },
    { "id": "end", "type": "endForEach", "forEachId": "each", "dependencies": ["call"] },
    { "id": "store", "type": "http", "dependencies": ["end"], "http": { "method": "POST", "url": "https://a.example/store" } }
  ]
}
`
  for (const name of ["each", "end"]) {
    const { text } = edited(loop, { kind: "removeAgent", name })
    expect(edgesOf(text)).toEqual(["call store", "list call"])
    expect(errorsOf(text)).toEqual([])
  }
})

test("a node with the name of its root agent can be connected, extended and removed", () => {
  const same = json.replaceAll("writer", "write")
  const edge = { ...graph, kind: "connectNodes", from: "pay", to: "write", route: null } as const
  expect(edgesOf(edited(same, edge).text)).toContain("pay write")
  const added = edited(same, {
    kind: "addAgent",
    type: "confirmation",
    placement: { after: "write" },
  })
  expect(edgesOf(added.text)).toContain("write confirmation")
  expect(typesOf(edited(same, { kind: "removeAgent", name: "write" }).text)).not.toHaveProperty(
    "write",
  )
  const field = { kind: "setField", agent: "write", field: ["model"], value: "large" } as const
  expect(edited(same, field).text).toContain('"model": "large"')
})

test("the route of an edge of a Workflow is changed in place, with its comment", () => {
  const workflow = `agent_class: Workflow
name: desk
edges:
  - [START, a]
  - [a, b]   # the usual way
  - { from: b, to: a, route: again }   # a loop
nodes:
  - { name: a, model: m, instruction: A. }
  - { name: b, model: m, instruction: B. }
`
  const change = { kind: "changeRoute", name: "desk" } as const
  const first = edited(workflow, { ...change, from: "a", to: "b", route: null, newRoute: "next" })
  expect(commentsOf(first.text)).toEqual(commentsOf(workflow))
  const second = { ...change, from: "b", to: "a", route: "again", newRoute: null } as const
  const changed = edited(first.text, second).text
  expect(commentsOf(changed)).toEqual(commentsOf(workflow))
  const edges = editable(changed).agents.flatMap((agent) => agent.edges)
  expect(edges.map(({ from, to, route }) => `${from} ${to} ${route ?? ""}`)).toEqual([
    "START a ",
    "a b next",
    "b a ",
  ])
  expect(refusal(changed, second)).toBe("edge_unknown")
})
