import { Validator } from "@cfworker/json-schema"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { cli } from "./command.js"
import { temporaryFolder } from "../support/temporary-folder.js"

const folder = temporaryFolder("check-formats-")
const fileOf = (name: string, text: string): string => {
  const path = join(folder, name)
  writeFileSync(path, text)
  return path
}

const workflow = fileOf(
  "clerk #1.json",
  JSON.stringify({
    rootAgentId: "clerk",
    agents: [{ type: "LlmAgent", id: "clerk", model: "small", tools: ["pay", "search"] }],
    globalTools: ["pay", "search"].map((id) => ({
      type: "HttpTool",
      id,
      httpConfig: { url: `https://tools.test/${id}`, method: "POST" },
    })),
  }),
)
const policies = fileOf(
  "rules.policy.yaml",
  `policies:
  - name: no-exports
    never: { call: export }
  - name: pay-after-approval
    description: "Only <people> & their approval."
    allow: { call: pay }
    onlyAfter: approval
`,
)

// The schema comes from the npm package @microsoft/jest-sarif (MIT), without its descriptions.
const schema = JSON.parse(
  readFileSync(new URL("formats/sarif-2.1.0.schema.json", import.meta.url), "utf8"),
) as object

const isValidSarif = (text: string): void => {
  const { valid, errors } = new Validator(schema, "4", false).validate(JSON.parse(text))
  expect(errors).toEqual([])
  expect(valid).toBe(true)
}

test("the SARIF schema rejects an incomplete log", () => {
  expect(new Validator(schema, "4").validate({ version: "2.1.0", runs: [{}] }).valid).toBe(false)
})

test("check --format sarif prints a valid SARIF log with locations in the policy file", async () => {
  const { code, stdout } = await cli(["check", workflow, "--policy", policies, "--format", "sarif"])
  expect(code).toBe(1)
  isValidSarif(stdout)
  const [{ results, tool }] = JSON.parse(stdout).runs
  const violated = results.find(({ ruleId }: { ruleId: string }) =>
    ruleId.endsWith("pay-after-approval"),
  )
  expect(violated).toMatchObject({
    level: "error",
    kind: "fail",
    locations: [
      {
        physicalLocation: {
          artifactLocation: { uri: expect.stringMatching(/^file:.*rules\.policy\.yaml$/) },
          region: { startLine: 4, startColumn: 5 },
        },
      },
    ],
  })
  expect(tool.driver.rules[violated.ruleIndex]).toEqual({ id: violated.ruleId })
  expect(violated.message.text).toContain("Fix: ")
  const steps = violated.codeFlows[0].threadFlows[0].locations
  expect(steps.at(-1).location.message.text).toContain("pay")
  expect(results).toContainEqual(
    expect.objectContaining({ ruleId: "policy/no-exports", level: "none", kind: "pass" }),
  )
})

test("check prints the assumptions of a proof after the verdict", async () => {
  const once = fileOf(
    "once.json",
    JSON.stringify({ ...JSON.parse(readFileSync(workflow, "utf8")), maxOrchestrationCycles: 1 }),
  )
  const budget = fileOf(
    "budget.policy.yaml",
    "policies:\n  - name: cheap\n    budget: { modelCalls: 2 }\nassume: { toolRounds: 1 }\n",
  )
  const { stdout } = await cli(["check", once, "--policy", budget])
  expect(stdout).toMatch(
    /proved cheap\n {2}Assumes: A turn has at most 1 tool round, and models do not ask the user questions\.\n1 policy/,
  )
})

test("check --format sarif reports the problems of a config and of a policy file", async () => {
  const bad = fileOf("bad.json", '{\n  "rootAgentId": "a",\n  "agents": []\n}')
  const config = await cli(["check", bad, "--format", "sarif"])
  expect(config.code).toBe(2)
  isValidSarif(config.stdout)
  expect(JSON.parse(config.stdout).runs[0].results[0]).toMatchObject({ level: "error" })

  const wrong = fileOf("wrong.yaml", "policies:\n  - name: x\n    nevr: { call: pay }\n")
  const policy = await cli(["check", workflow, "--policy", wrong, "--format", "sarif"])
  expect(policy.code).toBe(2)
  isValidSarif(policy.stdout)
  expect(JSON.parse(policy.stdout).runs[0].results[0]).toMatchObject({
    ruleId: "policy_shape",
    locations: [{ physicalLocation: { region: { startLine: 2 } } }],
  })
})

test("check --format junit prints one case for each policy", async () => {
  const { code, stdout } = await cli(["check", workflow, "--policy", policies, "--format", "junit"])
  expect(code).toBe(1)
  expect(stdout).toContain('<testsuites name="agent-statecharts check" tests="3" failures="1"')
  const cases = [...stdout.matchAll(/<testcase name="([^"]*)"/g)].map(([, name]) => name)
  expect(cases).toEqual(["config", "no-exports", "pay-after-approval"])
  expect(stdout).toContain('<failure type="policy/pay-after-approval"')
  expect(stdout).toContain("rules.policy.yaml:4 ")
  expect(stdout).not.toContain("<people>")
})

test("--json is short for --format json, and cannot be combined with --format", async () => {
  const [short, long] = [
    await cli(["check", workflow, "--policy", policies, "--json"]),
    await cli(["check", workflow, "--policy", policies, "--format", "json"]),
  ]
  expect(short.stdout).toBe(long.stdout)
  const both = await cli(["check", workflow, "--json", "--format", "junit"])
  expect(both).toMatchObject({ code: 2 })
})
