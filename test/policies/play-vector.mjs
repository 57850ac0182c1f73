import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { playPolicy } from "./play-policy.mjs"

/**
 * Checks one vector with the command `check`, and plays the runs of its violated policies. `command`
 * executes a command of the package and returns its exit code and output. Returns the failures as
 * texts. `plays`: whether the runs are played with the command `run`, too.
 */
export async function playVector(folder, command, plays = true) {
  const expected = JSON.parse(readFileSync(join(folder, "expect.json"), "utf8"))
  const workflow = ["workflow.json", "workflow.yaml"]
    .map((name) => join(folder, name))
    .find((file) => existsSync(file))
  const found = mkdtempSync(join(tmpdir(), "policy-vector-"))
  try {
    return await playIn({ folder, workflow, found, expected }, command, plays)
  } finally {
    rmSync(found, { recursive: true })
  }
}

async function playIn(vector, command, plays) {
  const { folder, workflow, found, expected } = vector
  const policy = ["--policy", join(folder, "policy.yaml"), "--counterexamples", found]
  const { code, stdout } = await command(["check", workflow, ...policy, "--json"])
  const failures = []
  const exitCodes = [expected.exitCode].flat()
  if (!exitCodes.includes(code))
    failures.push(`exit code: expected ${exitCodes.join(" or ")}, got ${code}`)
  const output = JSON.parse(stdout)
  if (expected.diagnostics !== undefined)
    return [
      ...failures,
      ...compareDiagnostics(expected.diagnostics, output[0].policies.diagnostics),
    ]
  const { warnings, results } = output[0].policies
  for (const wanted of expected.warnings ?? [])
    if (
      !warnings.some(
        (one) => one.code === wanted.code && one.policy === wanted.policy && mentions(one, wanted),
      )
    )
      failures.push(`no warning ${JSON.stringify(wanted)}`)
  for (const [name, wanted] of Object.entries(expected.policies)) {
    const result = results.find((one) => one.name === name)
    for (const failure of result === undefined ? ["no verdict"] : compareResult(wanted, result))
      failures.push(`${name}: ${failure}`)
    if (plays && result?.counterexample != null)
      for (const failure of await playPolicy(wanted, result, vector, command))
        failures.push(`${name}: ${failure}`)
  }
  return failures
}

function compareDiagnostics(expected, diagnostics) {
  const left = [...diagnostics]
  return expected.flatMap((wanted) => {
    const [first, last = first] = [wanted.line].flat()
    const index = left.findIndex(
      (one) =>
        one.code === wanted.code && one.line >= first && one.line <= last && mentions(one, wanted),
    )
    if (index === -1) return [`no diagnostic ${JSON.stringify(wanted)}`]
    left.splice(index, 1)
    return []
  })
}

function compareResult(wanted, { verdict, line, vacuous, message, reasons, counterexample }) {
  const failures = []
  const verdicts = [wanted.verdict].flat()
  if (!verdicts.includes(verdict))
    failures.push(`expected ${verdicts.join(" or ")}, got ${verdict}`)
  if (line !== wanted.line) failures.push(`expected line ${wanted.line}, got ${line}`)
  if (wanted.vacuous !== undefined && vacuous !== wanted.vacuous)
    failures.push(`expected vacuous ${wanted.vacuous}, got ${vacuous}`)
  if (!mentions({ message, fix: "" }, wanted)) failures.push(`the message is "${message}"`)
  if (verdict === "violated" && counterexample.records > (wanted.mostRecords ?? Infinity))
    failures.push(`expected at most ${wanted.mostRecords} records, got ${counterexample.records}`)
  if (verdict === "unknown")
    for (const reason of wanted.reasons ?? [])
      if (!reasons.some((one) => isReason(one, reason)))
        failures.push(`no reason ${JSON.stringify(reason)} in ${JSON.stringify(reasons)}`)
  return failures
}

const isReason = (one, wanted) =>
  ["code", "function", "toolset", "model"].every(
    (field) => wanted[field] === undefined || one[field] === wanted[field],
  ) && mentions(one, wanted)

const mentions = ({ message, fix }, { mentions: texts = [] }) =>
  texts.every((text) => `${message} ${fix}`.toLowerCase().includes(text.toLowerCase()))
