import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"

const files = {
  "scenario.json": "--scripted",
  "answers.json": "--answers",
  "services.mjs": "--services",
  "policy.yaml": "--policy",
}

const countFields = ["injected", "equal", "declared", "failed"]

/**
 * Checks one vector with the command `faults`. `faults` takes the arguments of the command and the
 * working directory, and returns its exit code and output. Returns the failures as texts.
 */
export async function playVector(folder, faults) {
  const expected = JSON.parse(readFileSync(join(folder, "expect.json"), "utf8"))
  const options = Object.entries(files).flatMap(([file, option]) =>
    existsSync(join(folder, file)) ? [option, file] : [],
  )
  const { code, stdout } = await faults(["workflow.json", ...options, "--json"], folder)
  if (code === 2) return [`exit code: expected ${expected.exitCode}, got 2`]
  const certificate = JSON.parse(stdout)
  const failures = []
  const compare = (name, wanted, actual) => {
    if (JSON.stringify(wanted) !== JSON.stringify(actual))
      failures.push(`${name}: expected ${JSON.stringify(wanted)}, got ${JSON.stringify(actual)}`)
  }
  compare("exit code", expected.exitCode, code)
  compare("ok", expected.ok, certificate.ok)
  for (const [field, value] of Object.entries(expected.baseline))
    compare(`baseline.${field}`, value, certificate.baseline[field])
  compare("kinds", Object.keys(expected.kinds).sort(), Object.keys(certificate.kinds).sort())
  for (const [kind, counts] of Object.entries(expected.kinds))
    for (const field of expected.ok ? countFields : ["injected"])
      compare(`${kind}.${field}`, counts[field], certificate.kinds[kind]?.[field])
  for (const wanted of expected.findings ?? [])
    if (!certificate.findings.some((finding) => isFinding(finding, wanted)))
      failures.push(`no finding ${JSON.stringify(wanted)}`)
  for (const { code: warning, service } of expected.warnings ?? [])
    if (!certificate.warnings.some((one) => one.code === warning && one.service === service))
      failures.push(`no warning ${warning} of ${service}`)
  if (expected.ok) {
    compare("findings", [], certificate.findings)
    const names = certificate.assumes.map(({ service }) => service)
    compare("assumes", [...expected.assumes].sort(), [...new Set(names)].sort())
  }
  return failures
}

const isFinding = ({ kind, invariant, at, message }, wanted) => {
  const text = `${message} ${JSON.stringify(at)}`.toLowerCase()
  return (
    kind === wanted.kind &&
    invariant === wanted.invariant &&
    Object.entries(wanted.at ?? {}).every(([field, value]) => at[field] === value) &&
    (wanted.mentions ?? []).every((mention) => text.includes(mention.toLowerCase()))
  )
}
