import { describe, expect, test } from "vitest"
import type { ServiceDeclaration } from "../../src/compiler/index.js"
import { compile, folderOf } from "../../src/compiler/index.js"
import type { AgentChart } from "../../src/machines/contract/agent-chart.js"
import type { HostFunction } from "../../src/runtime/host/host-function.js"
import {
  calls,
  interpreters,
  play,
  scriptedModel,
  toldByTools,
} from "../support/in-both-interpreters.js"

function chartOf(
  files: Readonly<Record<string, string>>,
  services: readonly ServiceDeclaration[] = [],
): AgentChart {
  const { chart, diagnostics } = compile(folderOf(files), {
    services: [{ name: "any", kind: "model" }, ...services],
  })
  if (chart === null) throw new Error(diagnostics.map(({ message }) => message).join("\n"))
  return chart
}

describe.each(interpreters)("a folder of Agent Config YAML (%s)", (interpreter) => {
  test("a tool that is configured with arguments receives them in addition to those of the call", async () => {
    const chart = chartOf(
      {
        "root_agent.yaml":
          "name: clerk\nmodel: any\ninitial_user_input: Find it.\ntools:\n  - name: shop.make_search\n    args: { top_k: 5 }\n",
      },
      [{ name: "shop.make_search", kind: "tool" }],
    )
    const { asked, models } = scriptedModel({
      clerk: [calls("make_search", { word: "tea" }), { content: "Found." }],
    })
    const search: HostFunction = async ({ factory, tool }, input) => ({ factory, tool, input })
    const { rested } = await play(interpreter, chart, {
      models,
      services: { "shop.make_search": search },
    })
    expect(rested).toMatchObject({ status: "completed", text: "Found." })
    expect(toldByTools(asked)).toEqual({
      factory: { top_k: 5 },
      tool: "make_search",
      input: { word: "tea" },
    })
  })

  test("a run fails before its first model call if a named schema is not registered", async () => {
    const chart = chartOf({
      "root_agent.yaml":
        "name: clerk\nmodel: any\noutput_schema: { name: rules.City }\ninitial_user_input: Go.\n",
    })
    const { asked, models } = scriptedModel({ clerk: [{ content: "{}" }] })
    const { rested } = await play(interpreter, chart, { models })
    expect(rested.status).toBe("failed")
    expect(rested.error?.message).toContain('"rules.City"')
    expect(asked).toEqual([])
  })

  test("a Workflow runs nodes from files and from code and follows the declared routes of its router", async () => {
    const files = {
      "root_agent.yaml":
        "agent_class: Workflow\nname: flow\ninitial_user_input: tea\nedges:\n  - [START, nodes/writer.yaml, flows.judge, {again: nodes/writer.yaml, good: nodes/loud.yaml}]\nmax_cycles: 5\n",
      "nodes/writer.yaml":
        "name: writer\nmodel: any\ninstruction: Write.\noutput_key: draft_text\n",
      "nodes/loud.yaml": "name: loud\nagent_class: FunctionNode\nfunc_code: flows.shout\n",
    }
    const chart = chartOf(files, [
      { name: "flows.judge", kind: "node", routes: ["again", "good"] },
      { name: "flows.shout", kind: "node" },
    ])
    const { asked, models } = scriptedModel({
      writer: [{ content: "weak tea" }, { content: "strong tea" }],
    })
    const services: Readonly<Record<string, HostFunction>> = {
      "flows.judge": async (_, input) => (String(input).includes("strong") ? "good" : "again"),
      "flows.shout": async (_, input) => String(input).toUpperCase(),
    }
    const { rested } = await play(interpreter, chart, { models, services })
    expect(rested).toMatchObject({
      status: "completed",
      text: "STRONG TEA",
      state: { draft_text: "strong tea" },
    })
    expect(asked.length).toBe(2)
  })

  test("plugins and a default model can be set in the compile options", async () => {
    const { chart } = compile("name: clerk\ninitial_user_input: Go.\n", {
      defaultModel: "any",
      plugins: [{ type: "Plugin", beforeModelCallback: "cache" }],
    })
    if (chart === null) throw new Error("there is no chart")
    const { asked, models } = scriptedModel({ clerk: [{ content: "from the model" }] })
    const { rested } = await play(interpreter, chart, {
      models,
      services: { cache: async () => ({ content: "from the cache" }) },
    })
    expect(rested.text).toBe("from the cache")
    expect(asked).toEqual([])
  })
})
