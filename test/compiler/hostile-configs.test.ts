import { describe, expect, test } from "vitest"
import { configLimits } from "../../src/compiler/document/config-limits.js"
import { readWorkflow } from "../../src/compiler/read-workflow.js"
import { llmAgent, sequence, workflow } from "./example-configs.js"

const codes = (source: string | object) => [
  ...new Set(readWorkflow(source).diagnostics.map(({ code }) => code)),
]

describe("deeply nested configs", () => {
  test.each(["[", '{"a":', '{"agents":[', '"[', '["\\"'])(
    "a text with 100,000 times %s is refused without a stack overflow",
    (piece) => {
      expect(["nesting_too_deep", "json_syntax"]).toContain(codes(piece.repeat(100_000))[0])
    },
  )

  test("a well-formed text that is nested too deeply is refused", () => {
    expect(codes("[".repeat(100_000) + "]".repeat(100_000))).toEqual(["nesting_too_deep"])
  })

  test("an object that is nested too deeply is refused", () => {
    let deep: object = {}
    for (let level = 0; level < 100_000; level++) deep = { deep }
    expect(codes(workflow([llmAgent("writer")], { state: deep }))).toEqual(["nesting_too_deep"])
  })

  test("agents can be nested 100 levels deep, by reference or inline, and no deeper", () => {
    const chain = (length: number) => [
      ...Array.from({ length: length - 1 }, (_, level) =>
        sequence(`s${level}`, [level === length - 2 ? "leaf" : `s${level + 1}`]),
      ),
      llmAgent("leaf"),
    ]
    expect(codes(workflow(chain(100)))).toEqual([])
    expect(codes(workflow(chain(101)))).toEqual(["nesting_too_deep"])
    const inline = (levels: number): ReturnType<typeof llmAgent> =>
      llmAgent(`a${levels}`, levels === 1 ? {} : { subAgents: [inline(levels - 1)] })
    expect(codes(workflow([inline(100)]))).toEqual([])
    expect(codes(JSON.stringify(workflow([inline(101)])))).toEqual(["nesting_too_deep"])
  })

  test("a chain and a cycle of 10,000 references are reported", () => {
    const ids = Array.from({ length: 10_000 }, (_, index) => `s${index}`)
    expect(
      codes(
        workflow(
          ids.map((id, index) => (index === 9999 ? llmAgent(id) : sequence(id, [`s${index + 1}`]))),
        ),
      ),
    ).toEqual(["nesting_too_deep"])
    expect(
      codes(workflow(ids.map((id, index) => sequence(id, [`s${(index + 1) % 10_000}`, "s0"])))),
    ).toEqual(["reference_cycle"])
  })

  test("a template with 100,000 brackets is reported", () => {
    const url = `http://llm.test/{{ ${"(".repeat(100_000)}1${")".repeat(100_000)} }}`
    expect(codes(workflow([llmAgent("writer", { httpConfig: { url, method: "POST" } })]))).toEqual([
      "bad_template",
    ])
  })
})

describe("very large configs", () => {
  test("a text that is too long is refused before it is parsed", () => {
    expect(codes(`"${" ".repeat(configLimits.characters)}"`)).toEqual(["config_too_large"])
  })

  test("an object with too many values is refused", () => {
    const endless: unknown[] = []
    endless.length = 2 ** 32 - 1
    expect(codes({ agents: endless })).toEqual(["config_too_large"])
    let shared: object = {}
    for (let level = 0; level < 40; level++) shared = { one: shared, other: shared }
    expect(codes({ state: shared })).toEqual(["config_too_large"])
  })

  test("shared agents that would expand to 2^60 positions are refused", () => {
    const doubled = Array.from({ length: 60 }, (_, level) =>
      sequence(`s${level}`, [`s${level + 1}`, `s${level + 1}`]),
    )
    expect(codes(workflow([...doubled, llmAgent("s60")]))).toEqual(["config_too_large"])
  })

  test("diagnostics above the limit are replaced with a single diagnostic", () => {
    const { diagnostics, workflow: found } = readWorkflow({
      rootAgentId: "x",
      agents: Array.from({ length: 50_000 }, () => 0),
    })
    expect(found).toBeNull()
    expect(diagnostics).toHaveLength(configLimits.diagnostics + 1)
    expect(diagnostics.at(-1)).toMatchObject({ code: "too_many_diagnostics", severity: "error" })
  })
})

describe("objects that are not plain data", () => {
  test("values that are not plain data are refused with their location", () => {
    const cyclic: Record<string, unknown> = { rootAgentId: "x" }
    cyclic["agents"] = [cyclic]
    expect(readWorkflow(cyclic).diagnostics).toMatchObject([
      { code: "config_shape", pointer: "/agents/0" },
    ])
    const strange = [
      () => 1,
      new Date(),
      new Map(),
      Symbol("x"),
      1n,
      Number.NaN,
      new (class Agent {})(),
    ]
    const { diagnostics } = readWorkflow({ rootAgentId: "x", agents: strange })
    expect(diagnostics.map(({ code, pointer }) => [code, pointer])).toEqual(
      strange.map((_, index) => ["wrong_type", `/agents/${index}`]),
    )
  })

  test("an object that throws when its fields are read is refused", () => {
    const trap = new Proxy(
      {},
      {
        ownKeys: () => {
          throw new Error("no")
        },
      },
    )
    expect(codes(trap)).toEqual(["config_shape"])
    expect(
      codes({
        get agents() {
          throw new Error("no")
        },
      }),
    ).toEqual(["config_shape"])
  })

  test("a change to the config object after reading does not change the workflow", () => {
    const state = { key: "before" }
    const { workflow: found } = readWorkflow(workflow([llmAgent("writer")], { state }))
    state.key = "after"
    expect(found?.input.state).toEqual({ key: "before" })
  })

  test("objects without a prototype and fields with the value undefined are accepted", () => {
    const bare = Object.assign(
      Object.create(null),
      workflow([llmAgent("writer", { outputKey: undefined })]),
    )
    expect(codes(bare)).toEqual([])
  })
})

describe("keys with the names of prototype members", () => {
  test("names of prototype members are plain data in the state, in headers and in bodies", () => {
    const text = `{
      "rootAgentId": "writer",
      "agents": [{ "type": "LlmAgent", "id": "writer", "outputKey": "__proto__",
        "httpConfig": { "url": "http://llm.test/writer", "method": "POST", "headers": { "__proto__": "a", "constructor": "b" }, "body": { "__proto__": { "x": 1 } } } }],
      "state": { "__proto__": { "polluted": true }, "constructor": 1, "toString": null },
      "stateMerge": { "__proto__": "append", "constructor": "add" }
    }`
    const { workflow: found, diagnostics } = readWorkflow(text)
    expect(diagnostics).toEqual([])
    expect(Object.keys(found?.input.state ?? {})).toEqual(["__proto__", "constructor", "toString"])
    expect(Object.entries(found?.settings.stateMerge ?? {})).toEqual([
      ["__proto__", "append"],
      ["constructor", "add"],
    ])
    expect(
      found?.root.type === "LlmAgent" && Object.entries(found.root.endpoint?.headers ?? {}),
    ).toEqual([
      ["__proto__", "a"],
      ["constructor", "b"],
    ])
    expect("polluted" in {}).toBe(false)
  })

  test("names of prototype members are not accepted as types, fields or ids", () => {
    const config = JSON.parse(
      '{"rootAgentId":"toString","agents":[{"type":"constructor","id":"a"},{"type":"__proto__","id":"b"}],"__proto__":{},"hasOwnProperty":1}',
    )
    const { diagnostics } = readWorkflow(config)
    expect(diagnostics.map(({ code, pointer }) => [code, pointer])).toEqual([
      ["unknown_agent", "/rootAgentId"],
      ["unknown_agent_type", "/agents/0/type"],
      ["unknown_agent_type", "/agents/1/type"],
      ["unknown_field", "/__proto__"],
      ["unknown_field", "/hasOwnProperty"],
    ])
  })
})
