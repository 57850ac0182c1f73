import { mkdtempSync, writeFileSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, onTestFinished, test } from "vitest"
import { LlmAgent } from "../../src/adk/index.js"
import { compile, compileOrThrow, createRunner } from "../../src/index.js"
import { cli } from "../cli/command.js"

const folder = mkdtempSync(join(tmpdir(), "mistakes-"))
const scenario = join(folder, "scenario.json")
writeFileSync(scenario, JSON.stringify({ llm: {}, tools: {} }))

/** Starts a server on a free port that answers every request with one JSON value. */
async function answering(value: object): Promise<number> {
  const server = createServer((_, response) => {
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

test("a URL of --openai without a scheme is refused with the corrected URL", async () => {
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
      fix: 'The scheme is missing. Did you mean "http://llm.example.com/agent" or "https://llm.example.com/agent"? Write an absolute URL that starts with http:// or https://, such as https://example.com/agent. It may contain {{ templates }}.',
    },
  ]))

test("a chat completion from an HTTP service is explained", async () => {
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
