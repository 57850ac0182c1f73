import { execFile } from "node:child_process"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { expect, test } from "vitest"

const run = promisify(execFile)
const folder = fileURLToPath(new URL("../../", import.meta.url))

/** Runs a program in a separate process and returns the JSON that it prints. */
async function runProgram(code: string): Promise<unknown> {
  const { stdout } = await run(process.execPath, ["--input-type=module", "--eval", code], {
    cwd: folder,
  })
  return JSON.parse(stdout)
}

/** Imports the runtime of the built package, and lists the files of RxJS that Node has loaded. */
const importRuntime = `
  import { createRequire } from "node:module"
  await import("agent-statecharts/runtime")
  const rxjs = Object.keys(createRequire("${folder}").cache).filter((file) => file.includes("node_modules/rxjs/"))
  console.log(JSON.stringify(rxjs))`

test("importing the runtime loads no file of RxJS, because the bundle includes its Observable", async () => {
  expect(await runProgram(importRuntime)).toEqual([])
})

test("the installed RxJS accepts the events of the built package", async () => {
  const program = `
    import { compileOrThrow } from "agent-statecharts"
    import { createRunner } from "agent-statecharts/runtime"
    import { filter, firstValueFrom, from, isObservable, lastValueFrom, map, merge, of, switchMap, take, toArray } from "rxjs"
    const chart = compileOrThrow({ rootAgentId: "clerk", agents: [{ type: "LlmAgent", id: "clerk", model: "small" }] })
    const small = { call: async () => ({ content: "done", exitFlow: true }) }
    const start = () => createRunner({ models: { small } }).start(chart, { prompt: "go" }).events$
    const typeOf = map(({ type }) => type)
    const unsubscribed = start()
    let seen = 0
    unsubscribed.pipe(take(1)).subscribe(() => seen++)
    console.log(JSON.stringify({
      isObservable: isObservable(start()),
      piped: await lastValueFrom(start().pipe(filter(({ type }) => type.startsWith("run.")), typeOf)),
      first: (await firstValueFrom(start())).type,
      converted: await lastValueFrom(from(start()).pipe(typeOf)),
      inner: await lastValueFrom(of(1).pipe(switchMap(start), typeOf)),
      merged: (await lastValueFrom(merge(start(), start()).pipe(typeOf, toArray()))).filter((type) => type === "run.finished").length,
      seen,
    }))`
  expect(await runProgram(program)).toEqual({
    isObservable: true,
    piped: "run.finished",
    first: "run.started",
    converted: "run.finished",
    inner: "run.finished",
    merged: 2,
    seen: 1,
  })
})
