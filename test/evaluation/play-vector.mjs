import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { compareProblems, compareValues } from "./compare-report.mjs"
import { recordRuns } from "./record-runs.mjs"

/**
 * Checks one vector with the command `eval`. `run` takes the arguments of the command line and
 * returns its exit code and output. Returns the failures as texts.
 */
export async function playVector(folder, run) {
  const expected = readJson(join(folder, "expect.json"))
  const agent = ["agent.yaml", "agent.json", "agent"]
    .map((name) => join(folder, name))
    .find((path) => existsSync(path))
  const options = expected.options ?? {}
  const [result, failures] = expected.fromJournal
    ? await playRecording(folder, agent, expected, run)
    : await playEvaluation(folder, agent, expected, run)
  const { code, stderr } = result
  return code === expected.exitCode
    ? failures
    : [
        `exit code: expected ${expected.exitCode}, got ${code}, with options ${JSON.stringify(options)}: ${stderr.slice(-400)}`,
        ...failures,
      ]
}

async function playEvaluation(folder, agent, expected, run) {
  const { options = {}, evalset = "evalset.json" } = expected
  const result = await run([
    "eval",
    agent,
    join(folder, evalset),
    "--json",
    "--scripted",
    join(folder, "scenario.json"),
    ...["with", "scriptedWith", "prices", "services"].flatMap((name) =>
      options[name] === undefined ? [] : [optionName(name), join(folder, options[name])],
    ),
    ...(options.repeat === undefined ? [] : ["--repeat", String(options.repeat)]),
  ])
  let report
  try {
    report = JSON.parse(result.stdout)
  } catch {
    return [result, [`no JSON report: ${result.stdout.slice(0, 200)}`]]
  }
  const cases = report.sets[0]?.cases
  if (expected.errors !== undefined)
    return [result, compareProblems(expected.errors, report.errors)]
  if (expected.compare !== undefined)
    return [
      result,
      [
        ...compareValues(expected.compare.cases, cases, "/cases"),
        ...compareValues(expected.compare.summary, report.summary, "/summary"),
      ],
    ]
  const codes = report.warnings.map(({ code }) => code).sort()
  return [
    result,
    [
      ...compareValues(expected.cases, cases, "/cases"),
      ...compareValues(expected.summary, report.summary, "/summary"),
      ...compareValues([...(expected.warnings ?? [])].sort(), codes, "/warnings"),
    ],
  ]
}

async function playRecording(folder, agent, expected, run) {
  const { options = {}, evalset, mustNotContain = [] } = expected
  const place = mkdtempSync(join(tmpdir(), "evaluation-vector-"))
  try {
    const file = join(place, "out.json")
    await recordRuns(agent, readJson(join(folder, "runs.json")), join(place, "runs"))
    const result = await run([
      "eval",
      agent,
      "--from-journal",
      join(place, "runs"),
      "-o",
      file,
      ...(options.name === undefined ? [] : ["--name", options.name]),
      ...(options.redact ?? []).flatMap((value) => ["--redact", value]),
      ...(options.redactKeys === undefined ? [] : ["--redact-keys", options.redactKeys.join(",")]),
    ])
    const text = existsSync(file) ? readFileSync(file, "utf8") : "null"
    return [
      result,
      [
        ...compareValues(evalset, JSON.parse(text), "/evalset"),
        ...mustNotContain.flatMap((value) => (text.includes(value) ? [`contains ${value}`] : [])),
      ],
    ]
  } finally {
    rmSync(place, { recursive: true, force: true })
  }
}

const readJson = (file) => JSON.parse(readFileSync(file, "utf8"))

const optionName = (name) =>
  `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`
