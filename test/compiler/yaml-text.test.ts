import { describe, expect, test } from "vitest"
import type { CompileOptions, Compiled } from "../../src/compiler/index.js"
import { compile, folderOf } from "../../src/compiler/index.js"
import { caseCount } from "../support/random-cases.js"

const agentOf = ({ chart, diagnostics }: Compiled, name = "writer") => {
  const agent = chart?.agents[name]
  if (agent?.type !== "LlmAgent") throw new Error(JSON.stringify(diagnostics))
  return agent
}

const codes = (text: string, options?: CompileOptions) =>
  compile(text, options).diagnostics.map(({ code }) => code)

const start = "name: writer\nmodel: large\n"

describe("a YAML text", () => {
  test("a YAML text can be a complete config in either dialect", () => {
    expect(compile("name: writer\nmodel: large\ninstruction: Write.").chart?.dialect).toBe("adk")
    const listed =
      "rootAgentId: writer\nagents:\n  - type: LlmAgent\n    id: writer\n    model: large\n"
    expect(compile(listed).chart?.dialect).toBe("graph-compose")
  })

  test("a YAML text can begin with a comment, a directive, a line of dashes or a quoted key", () => {
    for (const first of ["# the writer\n", "%YAML 1.2\n---\n", "---\n", "\n\n", "\uFEFF"])
      expect(codes(first + start)).toEqual([])
    expect(codes(`"name": writer\nmodel: large\n`)).toEqual([])
  })

  test("a block keeps its last line break unless its indicator removes it", () => {
    expect(agentOf(compile(`${start}instruction: |\n  One.\n  Two.\n`)).adk?.instruction).toBe(
      "One.\nTwo.\n",
    )
    expect(agentOf(compile(`${start}instruction: |-\n  One.\n  Two.\n`)).adk?.instruction).toBe(
      "One.\nTwo.",
    )
    expect(
      agentOf(compile(`${start}instruction: >\r\n  One,\r\n  two.\r\n`)).adk?.instruction,
    ).toBe("One, two.\n")
  })

  test("YAML supports anchors, aliases and merge keys, and written keys override merged keys", () => {
    const text = `state:\n  base: &base { tone: calm, words: 100 }\n  loud: { <<: *base, tone: loud }\n  both: { <<: [{ words: 5 }, *base] }\n${start}`
    expect(compile(text).chart?.input.state).toEqual({
      base: { tone: "calm", words: 100 },
      loud: { tone: "loud", words: 100 },
      both: { words: 5, tone: "calm" },
    })
  })

  test("yes and off are read as booleans in boolean fields, with a warning, and quoted texts stay texts", () => {
    const compiled = compile(
      `${start}disallow_transfer_to_peers: yes\ndisallow_transfer_to_parent: Off\noutput_key: "yes"\n`,
    )
    expect(compiled.diagnostics.map(({ code, severity, line }) => [code, severity, line])).toEqual([
      ["yaml_boolean", "warning", 3],
      ["yaml_boolean", "warning", 4],
    ])
    expect(agentOf(compiled).outputKey).toBe("yes")
    expect(codes('{"name": "writer", "model": "large", "disallowTransferToPeers": "yes"}')).toEqual(
      ["wrong_type"],
    )
  })

  test("keys such as __proto__ are kept as data", () => {
    const state =
      compile(`state: { __proto__: { polluted: true }, constructor: 1, 5: five }\n${start}`).chart
        ?.input.state ?? {}
    expect(Object.keys(state).sort()).toEqual(["5", "__proto__", "constructor"])
    expect(Object.hasOwn({}, "polluted") || "polluted" in {}).toBe(false)
  })

  test("a problem in a merged value is reported at the line of the merge", () => {
    const { diagnostics } = compile(
      `name: writer\nmodel: large\nactivity_config:\n  <<: { start_to_close_timeout: never }\n`,
    )
    expect(diagnostics).toMatchObject([{ code: "bad_duration", line: 4 }])
  })
})

describe("hostile YAML texts", () => {
  /** `npm run test:random` tries longer texts. */
  const part = caseCount(3, 1)
  const hostile: Readonly<Record<string, string>> = {
    "brackets without end": `name: ${"[".repeat(300_000 / part)}`,
    "maps without end": `name: ${"{a: ".repeat(100_000 / part)}`,
    "dashes without end": "name:\n" + "- ".repeat(200_000 / part),
    "question marks without end": `name: x\nstate:\n  ${"? ".repeat(100_000 / part)}`,
    "very many keys": Array.from({ length: 90_000 / part }, (_, index) => `k${index}: 1`).join(
      "\n",
    ),
    "the same key again and again": "a: 1\n".repeat(100_000 / part),
    "aliases of aliases": `name: x\nstate:\n  a0: &a0 [x]\n${Array.from({ length: 60 }, (_, index) => `  a${index + 1}: &a${index + 1} [${`*a${index}, `.repeat(9)}x]\n`).join("")}`,
    "aliases in each other": `name: x\nstate:\n  a0: &a0 [x]\n${Array.from({ length: 5000 }, (_, index) => `  a${index + 1}: &a${index + 1} [*a${index}]\n`).join("")}`,
    "a long text by many aliases": `name: x\nstate:\n  long: &long ${"x".repeat(500_000)}\n  all: [${"*long, ".repeat(10_000)}]\n`,
    "many merges of a large map": `name: x\nstate:\n  base: &base {${Array.from({ length: 5000 }, (_, index) => `k${index}: 1`).join(", ")}}\n  all: [${"{<<: *base}, ".repeat(5000)}]\n`,
    "many broken lines": "a: 'x\n".repeat(50_000 / part),
    "many documents": "--- x\n".repeat(50_000 / part),
    "exclamation marks": `name: ${"!".repeat(500_000)}`,
    "too long a text": `name: ${"x".repeat(2_000_000)}`,
  }

  test.each(Object.keys(hostile))("a hostile text is refused: %s", (name) => {
    // Work that grows with the square of the text would exceed the test's timeout.
    const { chart, diagnostics } = compile(hostile[name] ?? "")
    expect(chart).toBeNull()
    expect(diagnostics.some(({ severity }) => severity === "error")).toBe(true)
  })

  test("files that are nested too deeply, and references to too many files, are refused", () => {
    const chain = Object.fromEntries(
      Array.from({ length: 2000 }, (_, index) => [
        index === 0 ? "root_agent.yaml" : `${index}.yaml`,
        `agent_class: SequentialAgent\nname: a${index}\nsub_agents: [{config_path: ${index + 1}.yaml}]\n`,
      ]),
    )
    expect(compile(folderOf(chain)).diagnostics.map(({ code }) => code)).toContain(
      "nesting_too_deep",
    )
    const wide = Object.fromEntries(
      Array.from({ length: 1500 }, (_, index) => [
        `${index}.yaml`,
        `name: a${index}\nmodel: large\n`,
      ]),
    )
    const root = `agent_class: SequentialAgent\nname: all\nsub_agents:\n${Object.keys(wide)
      .map((file) => `  - config_path: ${file}\n`)
      .join("")}`
    expect(
      new Set(
        compile(folderOf({ "root_agent.yaml": root, ...wide })).diagnostics.map(({ code }) => code),
      ),
    ).toEqual(new Set(["config_too_large"]))
  })
})

describe("the services that a chart needs", () => {
  const text = `${start}tools:\n  - name: shop.find\n  - name: shop.make_index\n    args: { top_k: 5 }\n  - name: google_search\nbefore_model_callbacks: [{ name: rules.guard }]\noutput_key: found_item\n`

  test("each service is listed once with its first user, whether or not it was declared to the compiler", () => {
    expect(compile(text).needs).toEqual([
      { name: "large", kind: "model", usedBy: "writer" },
      { name: "rules.guard", kind: "callback", usedBy: "writer" },
      { name: "shop.find", kind: "tool", usedBy: "writer" },
      { name: "shop.make_index", kind: "tool", usedBy: "writer" },
    ])
  })

  test("each missing service is reported once if the available services are declared", () => {
    expect(codes(text)).toEqual(["hosted_tool"])
    expect(codes(text, { services: [] }).toSorted()).toEqual([
      "hosted_tool",
      ...Array.from({ length: 4 }, () => "missing_service"),
    ])
    const services = [
      { name: "large", kind: "model" },
      { name: "rules.guard", kind: "callback" },
      { name: "shop.find", kind: "tool" },
      { name: "shop.make_index", kind: "tool" },
      { name: "google_search", kind: "tool" },
    ] as const
    expect(codes(text, { services })).toEqual([])
  })

  test("a tool contains the declaration of its service and the arguments of its factory", () => {
    const parameters = { type: "object", properties: { word: { type: "string" } } }
    const { chart } = compile(text, {
      services: [
        {
          name: "shop.find",
          kind: "tool",
          shownAs: "find_article",
          description: "Finds.",
          parameters,
          requireConfirmation: true,
        },
      ],
    })
    expect(chart?.tools["find_article"]).toMatchObject({
      type: "FunctionTool",
      service: "shop.find",
      requireConfirmation: true,
    })
    expect(chart?.tools["make_index"]).toMatchObject({
      service: "shop.make_index",
      factory: { top_k: 5 },
    })
    expect(
      agentOf(compile(text, { services: [{ name: "google_search", kind: "tool" }] })).tools,
    ).toContain("google_search")
  })

  test("the default model is used by agents that neither have nor inherit a model", () => {
    const tree =
      "agent_class: SequentialAgent\nname: all\nsub_agents:\n  - {name: one, model: own, sub_agents: [{name: inner}]}\n  - {name: two}\n"
    const { chart, diagnostics } = compile(tree, { defaultModel: "spare" })
    expect(diagnostics).toEqual([])
    expect(
      Object.entries(chart?.agents ?? {}).map(([id, agent]) => [
        id,
        agent.type === "LlmAgent" ? agent.model : null,
      ]),
    ).toEqual([
      ["one", "own"],
      ["inner", "own"],
      ["two", "spare"],
    ])
  })

  test("a declared schema is put into the chart, and an undeclared schema is listed as needed", () => {
    const config = `${start}output_schema: { name: rules.City }\n`
    const jsonSchema = { type: "object", required: ["name"] }
    expect(
      agentOf(
        compile(config, {
          services: [
            { name: "large", kind: "model" },
            { name: "rules.City", kind: "schema", jsonSchema },
          ],
        }),
      ).adk?.outputSchema,
    ).toEqual(jsonSchema)
    expect(compile(config).diagnostics).toMatchObject([
      { code: "missing_service", severity: "warning", line: 3 },
    ])
    expect(compile(config).needs).toContainEqual({
      name: "rules.City",
      kind: "schema",
      usedBy: "writer",
    })
  })

  test("several agents can share the file of an AgentTool", () => {
    const user = (name: string) =>
      `name: ${name}\nmodel: large\ntools:\n  - name: AgentTool\n    args: { agent: expert.yaml }\n`
    const files = {
      "root_agent.yaml":
        "agent_class: SequentialAgent\nname: all\nsub_agents: [{config_path: one.yaml}, {config_path: two.yaml}]\n",
      "one.yaml": user("one"),
      "two.yaml": user("two"),
      "expert.yaml": "name: expert\nmodel: small\n",
    }
    const compiled = compile(folderOf(files))
    expect(compiled.diagnostics).toEqual([])
    expect([agentOf(compiled, "one").tools, agentOf(compiled, "two").tools]).toEqual([
      ["expert"],
      ["expert"],
    ])
  })

  test("an MCP server over HTTP becomes a toolset, an MCP program only if processes are allowed", () => {
    const http = `${start}tools:\n  - name: McpToolset\n    args: { streamable_http_connection_params: { url: "https://tools.example.com/mcp" }, tool_filter: [read], use_mcp_resources: true }\n`
    expect(compile(http).chart?.tools["writer_mcp_0"]).toMatchObject({
      type: "Toolset",
      mcp: { url: "https://tools.example.com/mcp", useResources: true },
      toolFilter: ["read"],
    })
    const program = `${start}tools:\n  - name: google.adk.tools.mcp_tool.mcp_toolset.MCPToolset\n    args: { stdio_server_params: { command: npx, args: [files] } }\n`
    expect(codes(program)).toEqual(["process_not_allowed"])
    expect(compile(program, { allowProcesses: true }).chart?.tools["writer_mcp_0"]).toMatchObject({
      mcp: { command: "npx", args: ["files"] },
    })
  })

  test.each([
    [
      "streamable_http_connection_params: { url: 'https://tools.example.com/mcp', timeout: 2.5 }",
      2500,
    ],
    ["sse_connection_params: { url: 'https://tools.example.com/sse', timeout: 30s }", 30_000],
    ["stdio_connection_params: { server_params: { command: npx }, timeout: 20 }", 20_000],
  ])("the timeout for connecting to an MCP server is in seconds: %s", (parameters, timeoutMs) => {
    const { chart } = compile(
      `${start}tools:\n  - name: McpToolset\n    args: { ${parameters} }\n`,
      { allowProcesses: true },
    )
    expect(chart?.tools["writer_mcp_0"]).toMatchObject({ mcp: { timeoutMs } })
  })

  test("the description of a workflow overrides the description of its root agent", () => {
    const agents = [
      {
        type: "LlmAgent",
        id: "writer",
        description: "Writes.",
        httpConfig: { url: "http://llm.test", method: "POST" },
      },
    ]
    expect(compile({ rootAgentId: "writer", agents, description: "A desk." }).description).toBe(
      "A desk.",
    )
    expect(compile({ rootAgentId: "writer", agents }).description).toBe("Writes.")
    expect(
      compile(
        "agent_class: SequentialAgent\nname: line\ndescription: One after the other.\nsub_agents: []\n",
      ).description,
    ).toBeNull()
    expect(compile(`${start}description: Writes in YAML.\n`).description).toBe("Writes in YAML.")
  })

  test("a timeout of 0 is refused", () => {
    expect(
      codes(
        `${start}tools:\n  - name: McpToolset\n    args: { streamable_http_connection_params: { url: "https://tools.example.com", timeout: 0 } }\n`,
      ),
    ).toEqual(["bad_duration"])
  })
})
