import { expect, test } from "vitest"
import { analyzeChart } from "../../src/analysis/index.js"
import { compile, folderOf } from "../../src/compiler/index.js"
import type { Compiled } from "../../src/compiler/compile.js"
import { drawMermaid } from "../../src/drawing/index.js"

const call = (workflowFile: string, more: object = {}): string =>
  JSON.stringify({
    rootAgentId: "caller",
    agents: [{ type: "WorkflowAgent", id: "caller", workflowFile, ...more }],
  })

const writer = "name: writer\nmodel: large\ninstruction: Write.\n"

const compileFiles = (files: Readonly<Record<string, string>>, root = "main.json"): Compiled =>
  compile(files[root] ?? "", { file: root, folder: folderOf(files, root) })

const problemsOf = ({ diagnostics }: Compiled) =>
  diagnostics.map(({ code, file, message }) => ({ code, file, message }))

test("a called file of the other dialect is compiled into the chart", () => {
  const { chart, diagnostics, needs } = compileFiles({
    "main.json": call("team/writer.yaml"),
    "team/writer.yaml": writer,
  })
  expect(diagnostics).toEqual([])
  expect(chart?.agents["caller"]).toMatchObject({ workflow: "./team/writer.yaml" })
  expect(chart?.workflows?.["./team/writer.yaml"]).toMatchObject({ dialect: "adk", id: "writer" })
  expect(needs).toEqual([{ name: "large", kind: "model", usedBy: "writer" }])
})

test("a folder of Agent Config YAML calls a file relative to the calling file", () => {
  const { chart, diagnostics } = compile(
    folderOf({
      "root_agent.yaml":
        "agent_class: SequentialAgent\nname: all\nsub_agents:\n  - config_path: team/ask.yaml\n",
      "team/ask.yaml": "agent_class: WorkflowAgent\nname: ask\nworkflow_file: writer.yaml\n",
      "team/writer.yaml": writer,
    }),
  )
  expect(diagnostics).toEqual([])
  expect(Object.keys(chart?.workflows ?? {})).toEqual(["./team/writer.yaml"])
})

test("problems of a called file are reported with the name of the file", () => {
  expect(
    problemsOf(
      compileFiles({ "main.json": call("writer.yaml"), "writer.yaml": `${writer}temprature: 1\n` }),
    ),
  ).toEqual([
    { code: "unknown_field", file: "writer.yaml", message: expect.stringContaining("temprature") },
  ])
})

test.each([
  ["missing.json", "missing_file", 'refers to the file "missing.json", which does not exist'],
  ["../secret.json", "path_outside", "is outside the folder of the config"],
  ["main.json", "reference_cycle", "makes a cycle of calls: main.json -> main.json"],
  ["other.json", "reference_cycle", "makes a cycle of calls: main.json -> other.json -> main.json"],
])("the file %s is refused with %s", (file, code, text) => {
  const problems = problemsOf(
    compileFiles({ "main.json": call(file), "other.json": call("main.json") }),
  )
  expect(problems[0]).toMatchObject({ code, message: expect.stringContaining(text) })
})

test("calls that are nested too deeply are refused", () => {
  const names = Array.from({ length: 12 }, (_, index) => `f${index}.json`)
  const files = Object.fromEntries(
    names.map((name, index) => [name, call(names[index + 1] ?? "writer.yaml")]),
  )
  const { chart, diagnostics } = compileFiles({ ...files, "writer.yaml": writer }, "f0.json")
  expect(chart).toBeNull()
  expect(diagnostics.map(({ code }) => code)).toContain("nesting_too_deep")
})

test("the number of charts in a chart is limited", () => {
  const layer = (file: string): string =>
    JSON.stringify({
      rootAgentId: "all",
      agents: [
        {
          type: "SequentialAgent",
          id: "all",
          subAgents: ["a", "b", "c"].map((agentId) => ({ agentId })),
        },
        ...["a", "b", "c"].map((id) => ({
          type: "WorkflowAgent",
          id,
          workflowFile: `${id}${file}`,
        })),
      ],
    })
  const files: Record<string, string> = { "main.json": layer("1.json") }
  for (const id of ["a", "b", "c"]) {
    for (const depth of [1, 2, 3, 4]) files[`${id}${depth}.json`] = layer(`${depth + 1}.json`)
    files[`${id}5.json`] = JSON.stringify({ name: "writer", model: "large" })
  }
  const { chart, diagnostics } = compileFiles(files)
  expect(chart).toBeNull()
  expect(diagnostics.map(({ code }) => code)).toContain("config_too_large")
})

test.each([
  [{ workflow: "a", workflowFile: "writer.yaml" }, "bad_value", "in addition to"],
  [{ workflow: "writer.yaml" }, "bad_value", "is a path and not the name"],
  [{ workflow: { formatVersion: 1 } }, "bad_value", "is not a compiled chart"],
  [{}, "missing_field", "is missing"],
])("the target %j is refused with %s", (target, code, text) => {
  const { diagnostics } = compileFiles({
    "main.json": JSON.stringify({
      rootAgentId: "caller",
      agents: [{ type: "WorkflowAgent", id: "caller", ...target }],
    }),
    "writer.yaml": writer,
  })
  expect(diagnostics).toContainEqual(
    expect.objectContaining({ code, message: expect.stringContaining(text) }),
  )
})

test("a text without its folder cannot call a file", () => {
  expect(problemsOf(compile(call("writer.yaml")))[0]).toMatchObject({ code: "missing_file" })
})

test("bounds include the calls of called workflows, with the limits of the call", () => {
  const loop =
    "agent_class: LoopAgent\nname: rounds\nmax_iterations: 8\nsub_agents:\n  - name: writer\n    model: large\n"
  const boundsOf = (more: object) => {
    const { chart } = compileFiles({ "main.json": call("loop.yaml", more), "loop.yaml": loop })
    if (chart === null) throw new Error("the config has errors")
    return analyzeChart(chart).bounds
  }
  expect(boundsOf({})).toMatchObject({ modelCalls: { most: 8 }, expected: { modelCalls: 1 } })
  expect(boundsOf({ maxModelCalls: 3 })).toMatchObject({ modelCalls: { most: 3 }, ceiling: 3 })
})

test("a workflow that is called by name has no bound without maxModelCalls", () => {
  const boundsOf = (more: object) => {
    const { chart } = compile({
      rootAgentId: "caller",
      agents: [{ type: "WorkflowAgent", id: "caller", workflow: "research", ...more }],
    })
    if (chart === null) throw new Error("the config has errors")
    return analyzeChart(chart).bounds.modelCalls.most
  }
  expect(boundsOf({})).toBeNull()
  expect(boundsOf({ maxModelCalls: 7 })).toBe(7)
})

test("a call is drawn as a state with the name of the workflow", () => {
  const { chart } = compile({
    rootAgentId: "caller",
    agents: [{ type: "WorkflowAgent", id: "caller", workflow: "research" }],
  })
  if (chart === null) throw new Error("the config has errors")
  expect(drawMermaid(chart)).toContain("caller : calls workflow research")
})
