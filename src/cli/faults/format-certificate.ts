import { type FaultKind, faultKinds } from "../../faults/contract/fault.js"
import { positionText, subjectOf } from "../../faults/contract/fault-position.js"
import type { FaultCertificate, StoredFinding } from "./certificate.js"
import type { Paint } from "../terminal/paint.js"
import { oneLine, safeName } from "../terminal/untrusted-text.js"

const count = (number: number, noun: string): string =>
  `${number.toLocaleString("en-US")} ${noun}${number === 1 ? "" : "s"}`

/** Formats a fault certificate as lines of text for a terminal. */
export function certificateLines(certificate: FaultCertificate, paint: Paint): readonly string[] {
  const { of, baseline, notInjected, runs, policies, assumes, warnings, findings } = certificate
  const skipped = Object.values(certificate.kinds).reduce((sum, kind) => sum + kind.skipped, 0)
  const run = `${baseline.status}, ${count(baseline.records, "record")}, ${count(baseline.calls, "call")}, ${count(baseline.answers, "answer")}`
  const why = new Map(notInjected.map((each) => [each.kind, each.why] as const))
  const verdict =
    findings.length === 0
      ? paint.success(`${count(runs, "run")}, no invariant broken${policyText(policies)}`)
      : paint.error(
          `${count(runs, "run")}, ${count(
            findings.reduce((sum, each) => sum + each.runs, 0),
            "broken invariant",
          )}`,
        )
  return [
    `faults of ${safeName(of.chart)} (fault-free: ${run})${skipped === 0 ? "" : `, ${count(skipped, "place")} skipped by --most`}`,
    ...faultKinds.flatMap((kind) => kindLine(kind, certificate, why.get(kind))),
    verdict,
    ...(assumes.length === 0
      ? []
      : [
          `The certificate assumes that these services recognize a repeated Idempotency-Key: ${assumedText(assumes)}`,
        ]),
    ...(baseline.status === "waiting"
      ? [
          `${paint.warning("warning")}: the run without faults waits for an answer, so nothing after this request is tested. Pass the answers of people with --answers.`,
        ]
      : []),
    ...warnings.map(({ message }) => `${paint.warning("warning")}: ${oneLine(message)}`),
    ...findingLines(findings, paint),
  ]
}

/**
 * Maximum number of services in one line of the text output. The JSON output contains all of them.
 */
const maxServices = 20

function assumedText(assumes: FaultCertificate["assumes"]): string {
  const named = assumes
    .slice(0, maxServices)
    .map(({ service, runs }, index) =>
      index === 0
        ? `${safeName(service)} (asked twice in ${count(runs, "run")})`
        : `${safeName(service)} (in ${runs})`,
    )
  const more = assumes.length - named.length
  return [...named, ...(more === 0 ? [] : [`and ${more} more, see --json`])].join(", ")
}

const policyText = (names: readonly string[]): string =>
  names.length === 0
    ? ""
    : `; the ${names.length === 1 ? "policy" : "policies"} ${names.map(safeName).join(", ")} hold${names.length === 1 ? "s" : ""} in all of them`

const numberWidth = 6

function kindLine(
  kind: FaultKind,
  { kinds }: FaultCertificate,
  why: string | undefined,
): readonly string[] {
  const counts = kinds[kind]
  const name = `  ${kind.padEnd(13)}`
  if (counts === undefined) return why === undefined ? [] : [`${name} ${why}`]
  const { injected, skipped, ...outcomes } = counts
  const found = Object.entries(outcomes).filter(([, runs]) => runs > 0)
  const results = found.map(([outcome, runs]) => `${String(runs)} ${outcome}`).join(", ")
  const left = skipped === 0 ? "" : ` (${skipped} skipped)`
  const runs = `${String(injected).padStart(numberWidth)} ${injected === 1 ? "run " : "runs"}`
  return [`${name}${runs}   ${results}${left}`]
}

/**
 * Formats invariant violations as lines of text. Groups them by the invariant and by the function,
 * tool or agent that the fault affects. Formats the first violation of each group in full, with the
 * number of other affected runs.
 */
function findingLines(findings: readonly StoredFinding[], paint: Paint): readonly string[] {
  const groups = new Map<string, StoredFinding[]>()
  for (const finding of findings) {
    const group = `${finding.invariant} ${subjectOf(finding.at)}`
    groups.set(group, [...(groups.get(group) ?? []), finding])
  }
  return [...groups.values()].flatMap(([first, ...others]) => {
    if (first === undefined) return []
    const { kind, at, invariant, message, fix, command, runs } = first
    const where = kind === "none" ? "without faults" : `${kind} at ${positionText(at)}`
    const more = runs - 1 + others.reduce((sum, other) => sum + other.runs, 0)
    return [
      "",
      `${paint.error(invariant)}: ${oneLine(message)}`,
      `  ${oneLine(where)}${more === 0 ? "" : `, and in ${count(more, "other run")}`}`,
      `  ${oneLine(fix)}`,
      paint.dim(`  ${oneLine(command)}`),
    ]
  })
}
