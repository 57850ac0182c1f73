import { execFileSync } from "node:child_process"
import { existsSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import type { RunEvent } from "../../src/machines/contract/run-event.js"
import { chatServer, completion, spoken } from "../adapters/model/openai-server.js"
import { cli, cliProcess, folderWith, isBuilt, main, samples, start } from "./command.js"

const cwd = folderWith(samples)
const run = (name: string, scenario: string, ...more: readonly string[]): readonly string[] => [
  "run",
  `${name}.json`,
  "--scripted",
  `${scenario}.scenario.json`,
  ...more,
]

describe.skipIf(!isBuilt)("run", () => {
  test("run prints each step as a line, then the status, state and text, without colors", async () => {
    const { code, stdout, stderr } = await cli(run("pair", "pair"), { cwd })
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" })
    expect(stdout).toMatch(
      /Scripted responses: pair\.scenario\.json, served at http:\/\/127\.0\.0\.1:\d+\./,
    )
    expect(stdout).toMatch(/\d\.\d\ds {2}asker started/)
    expect(stdout).toMatch(/\d\.\d\ds {2}asker finished: What\?/)
    expect(stdout).toMatch(/✔ completed in .* 2 model calls, 0 tool calls/)
    expect(stdout).toMatch(
      /State\n {2}question {2}"What\?"\n {2}reply {5}"That\."\n\nText\n {2}That\.\n$/,
    )
    expect(stdout).not.toContain("\u001b")
  })

  test("run lists the failed tool calls of a completed run", async () => {
    const { code, stdout } = await cli(run("payment", "broken-pay"), { cwd })
    expect(code).toBe(0)
    expect(stdout).toMatch(/✔ completed in .*\n\n1 failed tool call\n {2}pay \(payer\): .*400/)
  })

  test("--json prints only events, one per line", async () => {
    const { code, stdout } = await cli(
      run(
        "pair",
        "pair",
        "--json",
        "--run-id",
        "r-1",
        "--prompt",
        "Tell me.",
        "--state",
        '{"depth":2}',
      ),
      { cwd },
    )
    expect(code).toBe(0)
    const events = stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as RunEvent)
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index))
    expect(events[0]).toMatchObject({ type: "run.started", runId: "r-1", prompt: "Tell me." })
    expect(events.at(-1)).toMatchObject({
      type: "run.finished",
      result: { status: "completed", state: { depth: 2, reply: "That." } },
    })
  })

  test("--quiet prints only the final text, and --prompt - reads the prompt from stdin", async () => {
    expect(
      await cli(run("pair", "pair", "--quiet", "--prompt", "-"), { cwd, input: "Well?\n" }),
    ).toEqual({ code: 0, stdout: "That.\n", stderr: "" })
  })

  test("run accepts a compiled chart, and a config from stdin", async () => {
    await cli(["compile", "pair.json", "-o", "run.chart.json"], { cwd })
    expect(
      (await cli(["run", "run.chart.json", "--scripted", "pair.scenario.json", "-q"], { cwd }))
        .stdout,
    ).toBe("That.\n")
    expect(
      (
        await cli(["run", "-", "--scripted", "pair.scenario.json", "-q"], {
          cwd,
          input: JSON.stringify(samples["pair.json"]),
        })
      ).stdout,
    ).toBe("That.\n")
  })

  test("--scripted responds to the calls of registered and unregistered tools", async () => {
    const folder = folderWith({
      "agent.json": {
        name: "clerk",
        model: "any",
        instruction: "Look, then pay.",
        tools: ["look", "pay"],
        globalTools: [
          {
            type: "HttpTool",
            id: "pay",
            httpConfig: { url: "https://example.com/pay", method: "POST" },
          },
        ],
        initialUserInput: "go",
      },
      "s.json": {
        llm: {
          clerk: [
            {
              toolCalls: [
                { function_name: "look", function_args: { id: 7 } },
                { function_name: "pay", function_args: {} },
              ],
            },
            { content: "Done." },
          ],
        },
        tools: { look: [{ seen: "by the script" }], pay: [{ paid: "by the script" }] },
      },
    })
    writeFileSync(
      join(folder, "code.mjs"),
      `const never = () => { throw new Error("really called") }
       export const services = { look: never }
       export const tools = { pay: { call: never } }
       export const models = { any: { call: never } }`,
    )
    const scripted = ["run", "agent.json", "--scripted", "s.json"]
    for (const more of [[], ["--services", "code.mjs"]]) {
      const { code, stdout } = await cli([...scripted, ...more], { cwd: folder })
      expect(code).toBe(0)
      expect(stdout).toContain('look: {"seen":"by the script"}')
      expect(stdout).toContain('pay: {"paid":"by the script"}')
    }
  })

  test("--services loads host functions, and --scripted responds for models that agents call by name", async () => {
    const folder = folderWith({
      "agent.json": {
        name: "clerk",
        model: "any",
        instruction: "Look.",
        tools: ["look"],
        initialUserInput: "go",
      },
      "s.json": {
        llm: {
          clerk: [
            { toolCalls: [{ function_name: "look", function_args: { id: 7 } }] },
            { content: "Seen." },
          ],
        },
      },
    })
    writeFileSync(
      join(folder, "code.mjs"),
      "export const services = { look: (context, { id }) => ({ seen: id }) }",
    )
    writeFileSync(join(folder, "empty.mjs"), "export const other = {}")
    const { code, stdout } = await cli(
      ["run", "agent.json", "--scripted", "s.json", "--services", "code.mjs"],
      { cwd: folder },
    )
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: expect.stringContaining('received the result of look: {"seen":7}'),
    })
    expect(await cli(["run", "agent.json", "--scripted", "s.json"], { cwd: folder })).toMatchObject(
      {
        code: 1,
        stdout: expect.stringMatching(/needs the (tool|service) "look"[^]*--services MODULE/),
      },
    )
    expect((await cli(["runs", "list"], { cwd: folder })).stdout).not.toContain("interrupted")
    expect(
      await cli(["run", "agent.json", "--services", "empty.mjs"], { cwd: folder }),
    ).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("exports neither services, models, tools nor workflows"),
    })
  })

  test("run calls models by name on OpenAI-compatible servers, with the API key of the environment", async () => {
    const { baseUrl, asked } = await chatServer([
      completion({ content: "Hello from there." }),
      completion({ content: "And again." }),
    ])
    const folder = folderWith({
      "agent.json": {
        name: "greeter",
        model: "gemini-2.5-flash",
        instruction: "Greet.",
        initialUserInput: "Hi.",
      },
    })
    const { code, stdout } = await cli(["run", "agent.json", "--openai", baseUrl, "-q"], {
      cwd: folder,
      env: { OPENAI_API_KEY: "sk-1234567890" },
    })
    expect({ code, stdout }).toEqual({ code: 0, stdout: "Hello from there.\n" })
    expect(asked[0]).toMatchObject({
      body: { model: "gemini-2.5-flash" },
      headers: { authorization: "Bearer sk-1234567890" },
    })
    writeFileSync(
      join(folder, "agent.json"),
      JSON.stringify({
        name: "greeter",
        model: "ollama:llama3:8b",
        instruction: "Greet.",
        initialUserInput: "Hi.",
      }),
    )
    expect(
      (await cli(["run", "agent.json", "-q"], { cwd: folder, env: { OLLAMA_BASE_URL: baseUrl } }))
        .stdout,
    ).toBe("And again.\n")
    expect(asked[1]?.body).toMatchObject({ model: "llama3:8b" })
  })

  test("--json prints text deltas as they arrive, and the log prints only complete responses", async () => {
    const { baseUrl } = await chatServer([
      spoken(["Hello ", "there."]),
      spoken(["Hello ", "there."]),
    ])
    const folder = folderWith({
      "agent.json": { name: "greeter", model: "m", instruction: "Greet.", initialUserInput: "Hi." },
    })
    const { code, stdout } = await cli(["run", "agent.json", "--openai", baseUrl, "--json"], {
      cwd: folder,
    })
    expect(code).toBe(0)
    const events = stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as RunEvent)
    expect(events.flatMap((event) => (event.type === "model.delta" ? [event.text] : []))).toEqual([
      "Hello ",
      "there.",
    ])
    const log = await cli(["run", "agent.json", "--openai", baseUrl], { cwd: folder })
    expect(log.stdout).toMatch(/greeter finished: Hello there\./)
    expect(log.stdout.match(/Hello/g)).toHaveLength(3)
  })

  test("a services module can declare the parameters of its tools, which run and check use", async () => {
    const folder = folderWith({
      "s.json": {
        llm: {
          clerk: [
            { toolCalls: [{ function_name: "look", function_args: { id: "seven" } }] },
            { toolCalls: [{ function_name: "look", function_args: { id: 7 } }] },
            { content: "Seen." },
          ],
        },
      },
    })
    writeFileSync(
      join(folder, "agent.yaml"),
      "name: clerk\nmodel: any\ninstruction: Look.\ntools:\n  - name: desk.look\n",
    )
    writeFileSync(
      join(folder, "code.mjs"),
      `export const services = { "desk.look": (context, { id }) => ({ seen: id }) }
       export const declarations = [{ name: "desk.look", kind: "tool", parameters: { type: "object", properties: { id: { type: "number" } }, required: ["id"] } }]`,
    )
    const { code, stdout } = await cliProcess(
      ["run", "agent.yaml", "--prompt", "go", "--scripted", "s.json", "--services", "code.mjs"],
      { cwd: folder },
    )
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: expect.stringMatching(/look: \{"error":".*id.*\n[^]*look: \{"seen":7\}/),
    })
    expect(
      (await cliProcess(["check", "agent.yaml", "--services", "code.mjs"], { cwd: folder })).code,
    ).toBe(0)
    writeFileSync(
      join(folder, "code.mjs"),
      `export const declarations = [{ name: "desk.lok", kind: "tool" }]`,
    )
    expect(
      (await cliProcess(["check", "agent.yaml", "--services", "code.mjs"], { cwd: folder })).stdout,
    ).toContain("desk.look")
    writeFileSync(join(folder, "code.mjs"), "export const declarations = 5")
    expect(
      await cliProcess(["check", "agent.yaml", "--services", "code.mjs"], { cwd: folder }),
    ).toMatchObject({ code: 2, stderr: expect.stringContaining("but it must be a list") })
  })

  test("a failed run exits with code 1, and its output names the agent and the cause", async () => {
    const { code, stdout } = await cli(run("pair", "failing"), { cwd })
    expect(code).toBe(1)
    expect(stdout).toMatch(/✖ failed[^]*model_call_failed: .*"teller".*500/)
  })

  test("a run that stops at a limit exits with code 4", async () => {
    const { code, stdout } = await cli(run("cycling", "cycling"), { cwd })
    expect(code).toBe(4)
    expect(stdout).toContain("■ stopped at a limit")
  })

  test("run exits with code 2 if the config is invalid", async () => {
    expect(await cli(["run", "broken.json"], { cwd })).toMatchObject({
      code: 2,
      stdout: "",
      stderr: expect.stringContaining("unknown_agent at"),
    })
  })
})

describe.skipIf(!isBuilt)("a waiting run", () => {
  test("a waiting run prints its pending request and how to answer it, and exits with code 3", async () => {
    const { code, stderr } = await cli(run("payment", "payment"), { cwd })
    expect(code).toBe(3)
    expect(stderr).toContain("payer asks for approval")
    expect(stderr).toContain("Pay 5?")
    expect(stderr).toContain('proposes pay {"amount":5}')
    expect(stderr).toContain('{"approve":true,"args":{"amount":5}}')
    expect(stderr).toContain("--answers FILE")
  })

  test("run reads answers from a file, one answer each time the run is idle", async () => {
    const folder = folderWith({
      ...samples,
      "yes.json": [{ approve: true, args: { amount: 4 } }],
      "no.json": [{ reject: true, reason: "too much" }],
      "city.json": [{ answer: "Tokyo" }],
    })
    const yes = await cli(run("payment", "payment", "--answers", "yes.json"), { cwd: folder })
    expect(yes.code).toBe(0)
    expect(yes.stdout).toContain('payer calls pay {"amount":4}')
    const no = await cli(run("payment", "payment", "--answers", "no.json"), { cwd: folder })
    expect(no.stdout).not.toContain("calls pay")
    expect(
      (await cli(run("human", "human", "--answers", "city.json"), { cwd: folder })).stdout,
    ).toMatch(/city {2}"Tokyo"/)
  })

  test("an answer that matches no request or is invalid is reported with exit code 2", async () => {
    const folder = folderWith({
      ...samples,
      "wrong.json": [{ user: "hello" }],
      "none.json": [{ maybe: true }],
    })
    const wrong = await cli(run("payment", "payment", "--answers", "wrong.json"), { cwd: folder })
    expect(wrong.code).toBe(2)
    expect(wrong.stderr).toContain(
      '{"user":"hello"} does not match a pending request: payer asks for approval',
    )
    expect(
      await cli(run("payment", "payment", "--answers", "none.json"), { cwd: folder }),
    ).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("answer 1 in none.json is not valid"),
    })
  })

  test("an answer in the file can end or cancel a run", async () => {
    const folder = folderWith({
      ...samples,
      "end.json": [{ end: true }],
      "cancel.json": [{ cancel: true }],
    })
    expect(
      (await cli(run("payment", "payment", "--answers", "end.json"), { cwd: folder })).code,
    ).toBe(0)
    expect(
      (await cli(run("payment", "payment", "--answers", "cancel.json"), { cwd: folder })).code,
    ).toBe(130)
  })
})

describe.skipIf(!isBuilt)("interruptions of a run", () => {
  test("without a journal, Ctrl-C cancels the run, prints its state, and exits with code 130", async () => {
    const { child, ended, says } = start(run("pair", "slow", "--no-journal"), { cwd })
    await says("teller started")
    child.kill("SIGINT")
    const { code, stdout, stderr } = await ended
    expect(code).toBe(130)
    expect(stderr).toContain("Press Ctrl-C again")
    expect(stdout).toMatch(/■ cancelled[^]*question {2}"What\?"/)
  })

  test("run does not crash if the reader of its output closes the pipe", () => {
    const command = `"${process.execPath}" "${main}" ${run("pair", "pair", "--json").join(" ")} | head -n 1; exit \${PIPESTATUS[0]}`
    expect(
      JSON.parse(
        execFileSync("bash", ["-c", command], {
          cwd,
          encoding: "utf8",
          stdio: ["ignore", "pipe", "inherit"],
        }),
      ),
    ).toMatchObject({ type: "run.started" })
  })
})

const scriptCommand = ["/usr/bin/script", "/bin/script"].find((path) => existsSync(path)) ?? null

describe.skipIf(!isBuilt || scriptCommand === null || process.platform !== "linux")(
  "a run in a terminal",
  () => {
    const terminal = (args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
      start(
        [
          "-qefc",
          `stty cols 100 rows 30; "${process.execPath}" "${main}" ${args.join(" ")}`,
          "/dev/null",
        ],
        { cwd, env: { TERM: "xterm", ...env }, command: scriptCommand ?? "" },
      )

    test("the agent tree is redrawn in place and in color, and the cursor is shown again at the end", async () => {
      const { code, stdout } = await terminal(run("pair", "calm")).ended
      expect(code).toBe(0)
      expect(stdout).toContain("\u001b[3A")
      expect(stdout).toContain("\u001b[32m✔")
      expect(stdout.lastIndexOf("\u001b[?25h")).toBeGreaterThan(stdout.lastIndexOf("\u001b[?25l"))
    })

    test("NO_COLOR disables colors", async () => {
      const { stdout } = await terminal(run("pair", "pair"), { NO_COLOR: "1" }).ended
      for (const code of [1, 2, 31, 32, 33, 36]) expect(stdout).not.toContain(`\u001b[${code}m`)
    })

    test("run prompts the user to approve a tool call, and continues after the approval", async () => {
      const { child, ended, says } = terminal(run("payment", "payment"))
      await says("Allow the call of pay?")
      child.stdin.write("\r")
      const { code, stdout } = await ended
      expect(code).toBe(0)
      expect(stdout).toContain("1 tool call")
    })
  },
)

describe.skipIf(!isBuilt)("scripted-llm", () => {
  test("scripted-llm serves until Ctrl-C, logs requests, and lists the unused responses", async () => {
    const { child, ended, says } = start(["scripted-llm", "pair.scenario.json", "--port", "0"], {
      cwd,
    })
    const url = /http:\/\/[\d.]+:\d+/.exec(await says("Press Ctrl-C to stop"))?.[0]
    const response = await fetch(`${url}/asker`, {
      method: "POST",
      body: JSON.stringify({ messages: [], tools: [], state: {} }),
    })
    expect(await response.json()).toEqual({ content: "What?" })
    await says("-> 200")
    child.kill("SIGINT")
    const { code, stdout } = await ended
    expect(code).toBe(0)
    expect(stdout).toMatch(/agent "asker" call 1: POST .*\/asker -> 200/)
    expect(stdout).toContain('Unused responses: agent "teller" response 1.')
  })
})

describe.skipIf(
  !isBuilt || !existsSync(join(main, "../../../examples/travel-planner/scenario.json")),
)("demo", () => {
  test("demo runs the travel planner and writes its chart and its drawing", async () => {
    const folder = folderWith({})
    const { code, stdout } = await cli(["demo"], { cwd: folder })
    expect(code).toBe(0)
    expect(stdout).toMatch(
      /flight_agent started[^]*hotel_agent started[^]*activity_agent started[^]*joined 3 branches[^]*✔ completed/,
    )
    for (const file of ["travel-planner.chart.json", "travel-planner.mmd"])
      expect(existsSync(join(folder, ".agent-statecharts", file))).toBe(true)
  })

  test("demo runs an example with its host functions from any working directory", async () => {
    const { code, stdout } = await cli(["demo", "adk-capital-agent"], { cwd: folderWith({}) })
    expect(code).toBe(0)
    expect(stdout).toMatch(
      /get_capital_city: \{"country":"Kenya","capital":"Nairobi"\}[^]*✔ completed/,
    )
  })

  test("demo sends the user messages of the scenario between invocations, and then ends the run", async () => {
    const { code, stdout, stderr } = await cli(["demo", "adk-coordinator"], { cwd: folderWith({}) })
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" })
    expect(stdout).toMatch(
      /dining finished: Table 21[^]*received the message: [^\n]*room 12[^]*dining hands off to housekeeping[^]*housekeeping finished[^]*✔ completed/,
    )
  })
})
