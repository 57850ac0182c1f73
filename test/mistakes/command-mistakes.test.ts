import { mkdirSync, realpathSync, writeFileSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { describe, expect, onTestFinished, test } from "vitest"
import { LlmAgent } from "../../src/adk/index.js"
import { compile, compileOrThrow, createRunner } from "../../src/index.js"
import { cli, folderWith } from "../cli/command.js"
import { temporaryFolder } from "../support/temporary-folder.js"

const folder = temporaryFolder("mistakes-")
const scenario = join(folder, "scenario.json")
writeFileSync(scenario, JSON.stringify({ llm: {}, tools: {} }))

/** Starts a server on a free port that answers every request with one JSON value. */
async function answering(value: object, status = 200): Promise<number> {
  const server = createServer((_, response) => {
    response.statusCode = status
    response.setHeader("content-type", "application/json")
    response.end(JSON.stringify(value))
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  onTestFinished(() => void server.close())
  return (server.address() as AddressInfo).port
}

test.each([
  ["serve", folder],
  ["studio", folder],
  ["scripted-llm", scenario],
])("%s names the port that is in use and how to choose another", async (command, file) => {
  const port = await answering({})
  const { code, stderr } = await cli([command, file, "--port", String(port)], { cwd: folder })
  expect(stderr).toBe(
    `argument_invalid: port ${port} of 127.0.0.1 is already in use. Stop the program that uses it, choose another port with --port, or use --port 0 for any free port.\n`,
  )
  expect(code).toBe(2)
})

test("a URL of --openai without a scheme is rejected with a corrected URL", async () => {
  const { code, stderr } = await cli(["run", "agent.yaml", "--openai", "localhost:11434/v1"])
  expect(stderr).toContain(
    "option '--openai <url>' argument 'localhost:11434/v1' is invalid. The URL has no scheme. Write http://localhost:11434/v1 or https://localhost:11434/v1.",
  )
  expect(code).toBe(2)
})

const agentAt = (url: string, method = "POST") => ({
  rootAgentId: "clerk",
  agents: [{ type: "LlmAgent", id: "clerk", instructions: "Help.", httpConfig: { url, method } }],
})

test("a URL of a config without a scheme gets a suggestion", () =>
  expect(
    compile(agentAt("llm.example.com/agent")).diagnostics.filter(({ code }) => code === "bad_url"),
  ).toMatchObject([
    {
      fix: 'The scheme is missing. Did you mean "http://llm.example.com/agent" or "https://llm.example.com/agent"? Write an absolute URL that starts with http:// or https://, such as https://example.com/agent. The URL may contain {{ templates }}.',
    },
  ]))

test("the error for a chat completion from an HTTP service explains the cause", async () => {
  const port = await answering({ choices: [{ message: { role: "assistant", content: "Hi" } }] })
  const runner = createRunner()
  onTestFinished(() => runner.close())
  const url = `http://127.0.0.1:${port}/v1/chat/completions`
  const { status, error } = await runner.start(compileOrThrow(agentAt(url)), { prompt: "Hello" })
    .result
  expect(status).toBe("failed")
  expect(error).toMatchObject({
    code: "service_answer_malformed",
    message: `agent "clerk": POST ${url} (attempt 1): the response of the model is malformed: it is a chat completion with "choices", as OpenAI's API returns. A service with httpConfig returns {"content": "..."}. For this API, replace httpConfig by "model" and run with --openai URL, or register openAiModel({ baseUrl }) as the model`,
  })
})

test("a misspelled option of an ADK class is reported with a suggestion", () => {
  const options = { name: "clerk", model: "small", instructon: "Help." }
  expect(compile(new LlmAgent(options)).diagnostics).toMatchObject([
    { code: "unknown_field", fix: expect.stringContaining('Did you mean "instruction"?') },
  ])
})

test("a misspelled built-in tool gets a suggestion", () =>
  expect(
    compile(
      "name: clerk\nmodel: small\ninstruction: Help.\ntools: [{name: exit_lop}]\n",
    ).diagnostics.filter(({ code }) => code === "missing_service"),
  ).toMatchObject([{ fix: expect.stringContaining('Did you mean "exit_loop"?') as string }]))

describe("paths that cannot be loaded", () => {
  test.each([
    [
      "a similar file exists",
      ["check", "workflw.json"],
      "the file workflw.json does not exist in FOLDER. Did you mean workflow.json?",
    ],
    [
      "nothing is similar",
      ["check", "order.json"],
      'the file order.json does not exist in FOLDER. Check the path, or use "-" to read from stdin.',
    ],
    [
      "its folder is missing",
      ["check", "flows/order.json"],
      "the file flows/order.json does not exist, because there is no folder FOLDER/flows. Check the path.",
    ],
    [
      "it is an example of the documentation",
      ["check", "examples/ci/refunds.yaml"],
      "the file examples/ci/refunds.yaml does not exist, because there is no folder FOLDER/examples/ci. The examples are part of the package. Copy them: cp -R ",
    ],
    [
      "it is the folder of the examples",
      ["serve", "examples"],
      "the file or folder examples does not exist. The examples are part of the package. Copy them: cp -R ",
    ],
    [
      "it is an empty folder",
      ["check", "empty"],
      "the folder empty does not contain a root_agent.yaml. It contains no other workflow either. Pass a config file, or create a project with: agent-statecharts init",
    ],
    [
      "it is a folder with JSON",
      ["run", "."],
      "the folder . does not contain a root_agent.yaml. Pass one of its workflow files: workflow.json",
    ],
    [
      "it is a module",
      ["run", "workflow.json", "--services", "servces.mjs"],
      "the module servces.mjs does not exist: there is no file FOLDER/servces.mjs. Check the path of --services.",
    ],
    [
      "it is an example",
      ["demo", "travel-planer"],
      'the example "travel-planer" does not exist. Did you mean "travel-planner"? Available examples:',
    ],
  ])("a path that cannot be loaded is reported: %s", async (_, args, message) => {
    const cwd = folderWith({ "workflow.json": agentAt("http://127.0.0.1:9/agent") })
    mkdirSync(join(cwd, "empty"))
    const { code, stderr } = await cli(args, { cwd })
    expect(stderr).toContain(`error: ${message.replaceAll("FOLDER", realpathSync(cwd))}`)
    expect(code).toBe(2)
  })
})

test("the error for a drawing with an unknown extension lists the supported extensions", async () => {
  const cwd = folderWith({ "workflow.json": agentAt("http://127.0.0.1:9/agent") })
  expect(await cli(["draw", "workflow.json", "-o", "chart.gif"], { cwd })).toMatchObject({
    code: 2,
    stderr:
      "error: there is no drawing format for the file chart.gif. Use one of the extensions .svg, .png, .json, .ts, .scxml, .mmd, .mermaid, .md, .txt, or choose a format with --format.\n",
  })
})

test("a workflow instead of a scenario is rejected", async () => {
  const cwd = folderWith({ "workflow.json": agentAt("http://127.0.0.1:9/agent") })
  const { code, stderr } = await cli(["scripted-llm", "workflow.json"], { cwd })
  expect(stderr).toContain("workflow.json is not a valid scenario:\n")
  expect(stderr).toContain("the file is a workflow config and contains no scripted responses")
  expect(code).toBe(2)
})

test("the error for a missing model explains how to register it in a program and on the command line", async () => {
  const cwd = folderWith({ "agent.json": { name: "clerk", model: "large", instruction: "Help." } })
  const { code, stdout } = await cli(["run", "agent.json", "--prompt", "Hi"], { cwd })
  expect(stdout).toContain(
    'service_missing: services are missing: agent "clerk" needs the model "large". Register them in the options of createRunner or toMachine: { models: { "large": openAiModel({ baseUrl }) } }\n  On the command line, pass --services MODULE',
  )
  expect(code).toBe(1)
})

test.each([
  [401, /answered 401 \(attempt 1\).*Check the API key and the header that contains it\./],
  [404, /answered 404 \(attempt 1\).*Check the URL\./],
  [429, /answered 429 \(attempt 1\).*set maximumAttempts in activityConfig\.retryPolicy\./],
])("the status %i of a service has its own suggestion", async (status, expected) => {
  const port = await answering({ error: { message: "no" } }, status)
  const runner = createRunner()
  onTestFinished(() => runner.close())
  const chart = compileOrThrow(agentAt(`http://127.0.0.1:${port}/agent`))
  const { error } = await runner.start(chart, { prompt: "Hello" }).result
  expect(error?.message).toMatch(expected)
})

test("a dotted function is not compared with built-in tools", () =>
  expect(
    compile(
      "name: clerk\nmodel: small\ninstruction: Help.\ntools: [{name: shop.exit_lop}]\n",
    ).diagnostics.map(({ fix }) => fix),
  ).not.toContainEqual(expect.stringContaining("Did you mean")))
