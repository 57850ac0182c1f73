import { existsSync, readdirSync, readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { openFolder } from "../../src/adapters/files/index.js"
import type { ConfigFolder } from "../../src/compiler/index.js"

const here = new URL("../../examples/", import.meta.url)

/** What a person says when the run rests; each entry goes to the request that has been open the longest. */
export type Answer =
  | { readonly approve: true; readonly args?: Readonly<Record<string, unknown>> }
  | { readonly reject: true; readonly reason?: string }
  | { readonly answer: unknown }
  | { readonly user: string }

interface Expected {
  readonly status: string
  readonly text: string
  /** The final state without the counters of the runtime. */
  readonly state: Readonly<Record<string, unknown>>
  /** Requests to each agent's model, attempts counted. */
  readonly calls: Readonly<Record<string, number>>
}

/** One folder of `examples/` as it stands on disk. */
export interface Example {
  readonly name: string
  /** A text, or a folder of Agent Config YAML. */
  readonly workflow: string | ConfigFolder
  /** What the command line takes for it. */
  readonly path: string
  readonly scenario: object
  readonly answers: readonly Answer[]
  readonly expected: Expected
  readonly chart: unknown
  readonly drawing: string
  readonly readme: string
}

export const examplesFolder = fileURLToPath(here)

const read = (name: string, file: string): string => readFileSync(new URL(`${name}/${file}`, here), "utf8")

export const examples: readonly Example[] = readdirSync(here)
  .filter((name) => existsSync(new URL(`${name}/scenario.json`, here)))
  .map((name) => ({
    name,
    ...workflowOf(name),
    scenario: withoutDelays(JSON.parse(read(name, "scenario.json")) as Script),
    answers: existsSync(new URL(`${name}/answers.json`, here)) ? (JSON.parse(read(name, "answers.json")) as readonly Answer[]) : [],
    expected: JSON.parse(read(name, "expected.json")) as Expected,
    chart: JSON.parse(read(name, "chart.json")) as unknown,
    drawing: read(name, "drawing.mmd"),
    readme: read(name, "README.md"),
  }))

function workflowOf(name: string): Pick<Example, "workflow" | "path"> {
  return existsSync(new URL(`${name}/workflow.json`, here))
    ? { workflow: read(name, "workflow.json"), path: `examples/${name}/workflow.json` }
    : { workflow: openFolder(fileURLToPath(new URL(name, here))), path: `examples/${name}` }
}

type Script = Readonly<Record<"llm" | "tools", Readonly<Record<string, readonly object[]>> | undefined>>

/** The delays are there for people who watch. */
function withoutDelays({ llm = {}, tools = {} }: Script): object {
  const hurry = (scripts: Readonly<Record<string, readonly object[]>>): object =>
    Object.fromEntries(Object.entries(scripts).map(([id, entries]) => [id, entries.map((entry) => ("delayMs" in entry ? { ...entry, delayMs: 0 } : entry))]))
  return { llm: hurry(llm), tools: hurry(tools) }
}
