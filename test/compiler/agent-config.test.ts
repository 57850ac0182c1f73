import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { describe, expect, test } from "vitest"
import { openFolder } from "../../src/adapters/files/index.js"
import type { Diagnostic } from "../../src/compiler/diagnostics/diagnostic.js"
import type { Compiled, ServiceDeclaration } from "../../src/compiler/index.js"
import { compile } from "../../src/compiler/index.js"
import { drawMermaid } from "../../src/drawing/index.js"

/** Folders of Agent Config YAML: configs with mistakes and their diagnostics, and valid configs in unusual spellings. */
const folders = fileURLToPath(new URL("./agent-config/", import.meta.url))

interface Wanted {
  readonly codeWords?: readonly string[]
  readonly file: string
  readonly line: number | readonly [number, number]
  readonly mustMention: readonly (string | readonly string[])[]
  readonly severity?: string | readonly string[]
}

interface Expected {
  readonly services: readonly ServiceDeclaration[]
  readonly chart: "null" | "drawn"
  readonly noErrors?: true
  readonly noOtherErrors?: true
  readonly allowMore?: readonly string[]
  readonly limits?: { readonly ms?: number; readonly heapMb?: number }
  readonly mustNotExist?: readonly string[]
  readonly diagnostics?: readonly Wanted[]
  readonly mustSay?: readonly Wanted[]
  readonly tree?: Tree
  /** The edges of a Workflow: from, to, route. */
  readonly edges?: readonly (readonly string[])[]
}

interface Tree {
  readonly name: string
  readonly type: string
  readonly description?: string
  readonly instruction?: string
  readonly tools?: readonly string[]
  readonly children?: readonly Tree[]
}

const namesIn = (kind: string): readonly string[] =>
  readdirSync(join(folders, kind)).filter((name) =>
    existsSync(join(folders, kind, name, "expected.json")),
  )

function play(
  kind: string,
  name: string,
): { readonly compiled: Compiled; readonly expected: Expected } {
  const folder = join(folders, kind, name)
  const expected = JSON.parse(readFileSync(join(folder, "expected.json"), "utf8")) as Expected
  const scripted = new Set(yamlIn(folder).flatMap((text) => text.match(/\bscripted\/\w+/g) ?? []))
  const models = [...scripted].map((model): ServiceDeclaration => ({ name: model, kind: "model" }))
  return {
    compiled: compile(openFolder(folder), { services: [...expected.services, ...models] }),
    expected,
  }
}

const yamlIn = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".yaml"))
    .map((file) => readFileSync(join(folder, file), "utf8"))

function isMet(
  { codeWords = [""], file, line, mustMention, severity }: Wanted,
  found: Diagnostic,
): boolean {
  const said = `${found.message} ${found.fix}`.toLowerCase()
  const [from, to] = typeof line === "number" ? [line, line] : line
  return (
    found.file === file &&
    (found.line ?? 0) >= from &&
    (found.line ?? 0) <= to &&
    codeWords.some((word) =>
      `${found.code} ${found.message}`.toLowerCase().includes(word.toLowerCase()),
    ) &&
    mustMention.every((words) =>
      [words].flat().some((word) => said.includes(word.toLowerCase())),
    ) &&
    (severity === undefined || [severity].flat().includes(found.severity))
  )
}

/** Matches each wanted diagnostic with one of the diagnostics. Returns the missing ones and the remaining diagnostics. */
function compare(
  wanted: readonly Wanted[],
  diagnostics: readonly Diagnostic[],
): { readonly missing: readonly Wanted[]; readonly left: readonly Diagnostic[] } {
  const left = [...diagnostics]
  const missing = wanted.filter((one) => {
    const index = left.findIndex((found) => isMet(one, found))
    if (index >= 0) left.splice(index, 1)
    return index < 0
  })
  return { missing, left }
}

describe("a folder with mistakes", () => {
  test.each(namesIn("diagnostics"))(
    "every mistake in the folder %s is reported at its location, without other errors",
    (name) => {
      const { compiled, expected } = play("diagnostics", name)
      const { missing, left } = compare(expected.diagnostics ?? [], compiled.diagnostics)
      expect(missing, JSON.stringify(compiled.diagnostics, null, 1)).toEqual([])
      const others = left.filter(
        ({ severity, message }) =>
          severity === "error" &&
          !(expected.allowMore ?? []).some((word) => message.includes(word)),
      )
      expect(others).toEqual([])
      expect(compiled.chart === null).toBe(expected.chart === "null")
      for (const file of expected.mustNotExist ?? []) expect(existsSync(file)).toBe(false)
    },
  )
})

/** Checks that the chart contains the agents of a tree. Host functions are `custom` agents. */
function expectTree(
  { name, type, tools, instruction, description, children = [] }: Tree,
  { chart }: Compiled,
): void {
  const states = JSON.stringify(chart?.machines)
  expect(states).toContain(JSON.stringify(name))
  const agent = chart?.agents[name]
  if (type === "LlmAgent") {
    expect(agent?.type).toBe("LlmAgent")
    if (agent?.type !== "LlmAgent") return
    if (tools !== undefined) expect(agent.tools).toEqual(tools)
    if (instruction !== undefined) expect(agent.adk?.instruction).toBe(instruction)
    if (description !== undefined) expect(agent.description).toBe(description)
  } else expect(agent).toBeUndefined()
  if (type === "custom")
    expect(Object.values(chart?.services ?? {}).map(({ usedBy }) => usedBy)).toContain(name)
  for (const child of children) expectTree(child, { chart } as Compiled)
}

interface Graph {
  readonly nodes: readonly { readonly id: string }[]
  readonly edges: readonly {
    readonly from: number
    readonly to: number
    readonly route?: string
    readonly otherwise?: true
  }[]
}

/** Returns the edges of the only graph in the machines. */
function edgesIn(value: unknown): readonly (readonly string[])[] {
  if (typeof value !== "object" || value === null) return []
  if (!("nodes" in value && "edges" in value)) return Object.values(value).flatMap(edgesIn)
  // Every object with nodes and edges in a chart is a graph.
  const { nodes, edges } = value as Graph
  const name = (index: number): string => nodes[index]?.id ?? "START"
  return edges.map(({ from, to, route, otherwise }) => [
    name(from),
    name(to),
    ...(otherwise ? ["default"] : route === undefined ? [] : [route]),
  ])
}

describe("a valid folder in an unusual spelling", () => {
  test.each(namesIn("shapes"))("the folder %s compiles without errors", (name) => {
    const { compiled, expected } = play("shapes", name)
    expect(compiled.diagnostics.filter(({ severity }) => severity === "error")).toEqual([])
    const { missing } = compare(expected.mustSay ?? [], compiled.diagnostics)
    expect(missing, JSON.stringify(compiled.diagnostics, null, 1)).toEqual([])
    if (compiled.chart === null) throw new Error("there is no chart")
    expect(drawMermaid(compiled.chart)).toMatch(/^stateDiagram-v2\n/)
    if (expected.tree !== undefined) expectTree(expected.tree, compiled)
    if (expected.edges !== undefined)
      expect(edgesIn(compiled.chart.machines).toSorted()).toEqual([...expected.edges].sort())
  })
})
