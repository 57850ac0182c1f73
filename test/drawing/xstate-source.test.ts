import { spawnSync } from "node:child_process"
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"
import { createActor } from "xstate"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import type { AgentChart } from "agent-statecharts/machines"
import type { CallServices, RunControls } from "agent-statecharts/runtime"
import { controlActor, createRunner } from "agent-statecharts/runtime"
import { createHttpServices } from "agent-statecharts/adapters/http"
import {
  scriptedAgents,
  scriptedModels,
  startScriptedService,
} from "agent-statecharts/adapters/scripted"
import { drawXstate } from "agent-statecharts/drawing"
import type { AnyStateMachine } from "xstate"
import type { Example } from "../examples/example-folder.js"
import { examples } from "../examples/example-folder.js"
import { give } from "../examples/give-answer.js"

interface Exported {
  readonly chart: AgentChart
  readonly machines: Readonly<Record<string, AnyStateMachine>>
  readonly createMachine: (services: CallServices) => AnyStateMachine
}

const project = fileURLToPath(new URL("../../", import.meta.url))
const tsc = join(project, "node_modules/typescript/bin/tsc")
// A separate package, in which imports of both packages resolve as in a project that has installed them.
const folder = mkdtempSync(join(project, "test/drawing/exported-"))

beforeAll(() => {
  mkdirSync(join(folder, "src"))
  for (const { name, chart } of examples)
    writeFileSync(join(folder, "src", `${name}.ts`), drawXstate(chart as AgentChart))
  const compilerOptions = {
    target: "es2022",
    module: "nodenext",
    strict: true,
    noUncheckedIndexedAccess: true,
    skipLibCheck: true,
    types: [],
    outDir: "out",
    rootDir: "src",
  }
  writeFileSync(
    join(folder, "tsconfig.json"),
    JSON.stringify({ compilerOptions, include: ["src"] }),
  )
})

afterAll(() => rmSync(folder, { recursive: true }))

describe("the exported source of every example", () => {
  test("the exported source of every example compiles", () => {
    const { status, stdout } = spawnSync(process.execPath, [tsc, "-p", folder], {
      encoding: "utf8",
    })
    expect({ status, stdout }).toEqual({ status: 0, stdout: "" })
  })

  describe.each(examples)("the exported source of $name", (example) => {
    const load = async (): Promise<Exported> =>
      (await import(
        /* @vite-ignore */ pathToFileURL(join(folder, "out", `${example.name}.js`)).href
      )) as Exported

    test("the exported source contains the original chart and separate machines", async () => {
      const { chart, machines } = await load()
      expect(chart).toEqual(example.chart)
      for (const machine of Object.values(machines))
        expect(createActor(machine).getSnapshot().status).toBe("active")
    })

    test.each([
      ["createActor", startActor],
      [
        "createRunner",
        ({ chart }: Exported, services: CallServices): RunControls =>
          createRunner(services).start(chart),
      ],
    ] as const)("a run through %s ends like a run of the original chart", async (_, start) => {
      const exported = await load()
      const ours = await play(example, (services) =>
        createRunner(services).start(example.chart as AgentChart),
      )
      expect(await play(example, (services) => start(exported, services))).toEqual(ours)
      expect(ours).toMatchObject({ status: example.expected.status, text: example.expected.text })
    })
  })
})

function startActor({ createMachine }: Exported, services: CallServices): RunControls {
  const actor = createActor(createMachine(services), { input: {} })
  const controls = controlActor(actor)
  actor.start()
  return controls
}

/** Removes the run id and the headers of responses, which differ between runs, from a state. */
const withoutRun = (state: object, runId: string): unknown =>
  JSON.parse(JSON.stringify(state).replaceAll(runId, "run"), (key, value: unknown) =>
    key === "headers" ? {} : value,
  )

async function play(
  { scenario, answers, chart, services }: Example,
  start: (services: CallServices) => RunControls,
): Promise<object> {
  const service = await startScriptedService(scenario)
  const http = createHttpServices({ dispatcher: service.dispatcher() })
  try {
    const run = start({
      http: { ...http, agent: scriptedAgents(http.model) },
      models: scriptedModels(chart as AgentChart, http.model),
      services,
      skipWaits: true,
    })
    for (const answer of answers) {
      await run.whenSettled()
      give(answer, run)
    }
    const { runId, status, text, state } = await run.whenSettled()
    return { status, text, state: withoutRun(state, runId) }
  } finally {
    await http.close()
    await service.close()
  }
}
