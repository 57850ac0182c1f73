import { existsSync, readdirSync, readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { openFolder } from "../../src/adapters/files/index.js"
import type { ConfigFolder } from "../../src/compiler/index.js"
import type { CallServices } from "../../src/runtime/index.js"

const here = new URL("../../examples/", import.meta.url)

/** An action of a person while the run is idle. It applies to the oldest pending request. */
export type Answer =
  | { readonly approve: true; readonly args?: Readonly<Record<string, unknown>> }
  | { readonly reject: true; readonly reason?: string }
  | { readonly answer: unknown }
  | { readonly user: string }

interface Expected {
  readonly status: string
  readonly text: string | null
  /** The final state without the counters of the runtime. */
  readonly state: Readonly<Record<string, unknown>>
  /** The number of requests to each agent's model, including retries. */
  readonly calls: Readonly<Record<string, number>>
  /** The system messages of some agents, one for each call. */
  readonly system?: Readonly<Record<string, readonly unknown[]>>
}

/** Whether the folder contains answers and host functions. The command in the README passes them. */
interface Parts {
  readonly hasAnswers: boolean
  readonly hasServices: boolean
}

/** One folder of `examples/`. */
export interface Example extends Parts {
  readonly name: string
  /** The argument of the command: a config file, or a folder of Agent Config YAML. */
  readonly path: string
  readonly workflow: string | ConfigFolder
  readonly scenario: object
  readonly answers: readonly Answer[]
  /** The host functions of its `services.mjs`, by name. */
  readonly services: NonNullable<CallServices["services"]>
  readonly expected: Expected
  readonly chart: unknown
  readonly drawing: string
  /** The stored picture, or null. */
  readonly svg: string | null
  readonly readme: string
}

export const examplesFolder = fileURLToPath(here)

const read = (name: string, file: string): string =>
  readFileSync(new URL(`${name}/${file}`, here), "utf8")

const has = (name: string, file: string): boolean => existsSync(new URL(`${name}/${file}`, here))

export const examples: readonly Example[] = await Promise.all(
  readdirSync(here)
    .filter((name) => has(name, "scenario.json"))
    .map(async (name) => {
      const [hasAnswers, hasServices] = [has(name, "answers.json"), has(name, "services.mjs")]
      return {
        name,
        hasAnswers,
        hasServices,
        ...workflowOf(name),
        scenario: withoutDelays(JSON.parse(read(name, "scenario.json")) as Script),
        answers: hasAnswers ? (JSON.parse(read(name, "answers.json")) as readonly Answer[]) : [],
        services: hasServices ? await servicesOf(name) : {},
        expected: JSON.parse(read(name, "expected.json")) as Expected,
        chart: JSON.parse(read(name, "chart.json")) as unknown,
        drawing: read(name, "drawing.mmd"),
        svg: has(name, "drawing.svg") ? read(name, "drawing.svg") : null,
        readme: read(name, "README.md"),
      }
    }),
)

function workflowOf(name: string): Pick<Example, "workflow" | "path"> {
  return has(name, "workflow.json")
    ? { workflow: read(name, "workflow.json"), path: `examples/${name}/workflow.json` }
    : { workflow: openFolder(fileURLToPath(new URL(name, here))), path: `examples/${name}` }
}

/** Loads the host functions as the command does. */
async function servicesOf(name: string): Promise<Example["services"]> {
  const module = (await import(new URL(`${name}/services.mjs`, here).href)) as {
    readonly services: Example["services"]
  }
  return module.services
}

type Script = Readonly<
  Record<"llm" | "tools" | "http", Readonly<Record<string, readonly object[]>> | undefined>
>

/** Removes the delays, which are only useful for people who watch a run. */
function withoutDelays({ llm = {}, tools = {}, http = {} }: Script): object {
  const hurry = (scripts: Readonly<Record<string, readonly object[]>>): object =>
    Object.fromEntries(
      Object.entries(scripts).map(([id, entries]) => [
        id,
        entries.map((entry) => ("delayMs" in entry ? { ...entry, delayMs: 0 } : entry)),
      ]),
    )
  return { llm: hurry(llm), tools: hurry(tools), http: hurry(http) }
}
