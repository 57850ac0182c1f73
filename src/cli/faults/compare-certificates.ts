import * as z from "zod"
import { faultKinds } from "../../faults/contract/fault.js"
import { readJson } from "../files/read-source.js"
import { UsageProblem } from "../errors/usage-problem.js"
import type { FaultCertificate } from "./certificate.js"

const counts = z.object({
  injected: z.number(),
  equal: z.number(),
  declared: z.number(),
  failed: z.number(),
  skipped: z.number(),
})

const stored = z.object({
  certificate: z.literal(1),
  ok: z.boolean(),
  baseline: z.object({
    status: z.string(),
    records: z.number(),
    calls: z.number(),
    answers: z.number(),
  }),
  kinds: z.record(z.string(), counts),
  assumes: z.array(z.object({ service: z.string(), kind: z.string(), runs: z.number() })),
  findings: z.array(z.object({ kind: z.string(), invariant: z.string(), message: z.string() })),
})

/** The fields of a stored fault certificate that a comparison reads. */
type StoredCertificate = z.infer<typeof stored>

/**
 * The assumptions and findings of a fault certificate. Both stored and new certificates contain
 * them.
 */
interface Comparable {
  readonly assumes: readonly StoredCertificate["assumes"][number][]
  readonly findings: readonly StoredCertificate["findings"][number][]
}

/**
 * Reads a fault certificate that `faults --json` has written. Throws a usage error if the file is
 * not a certificate.
 */
export async function readCertificate(file: string): Promise<StoredCertificate> {
  const read = stored.safeParse(await readJson(file, "certificate"))
  if (!read.success)
    throw new UsageProblem(
      `${file} is not a certificate of this command: ${z.prettifyError(read.error).replaceAll("\n", " ")}. Create one with faults ... --json -o ${file}`,
    )
  return read.data
}

/**
 * Returns the differences between two fault certificates in counts, assumptions and findings. Each
 * difference is one line of text.
 */
export function certificateDifferences(
  before: StoredCertificate,
  after: FaultCertificate,
): readonly string[] {
  const found = (certificate: Comparable): readonly string[] =>
    certificate.findings.map(({ kind, invariant, message }) => `${invariant} (${kind}): ${message}`)
  const assumed = ({ assumes }: Comparable): readonly string[] =>
    assumes.map(({ service, kind, runs }) => `${kind} ${service} (in ${runs} runs)`)
  const kinds: Readonly<Record<string, unknown>> = after.kinds
  return [
    ...inField("the run without faults", before.baseline, after.baseline),
    ...faultKinds.flatMap((kind) => inField(kind, before.kinds[kind], kinds[kind])),
    ...inList("assumes", assumed(before), assumed(after)),
    ...inList("finding", found(before), found(after)),
  ]
}

const inField = (name: string, before: unknown, after: unknown): readonly string[] => {
  const [old, now] = [before, after].map((value) =>
    value === undefined ? "none" : JSON.stringify(value),
  )
  return old === now ? [] : [`${name}: ${old} before, ${now} now`]
}

const inList = (
  name: string,
  before: readonly string[],
  after: readonly string[],
): readonly string[] => [
  ...before.filter((each) => !after.includes(each)).map((each) => `${name} no longer: ${each}`),
  ...after.filter((each) => !before.includes(each)).map((each) => `new ${name}: ${each}`),
]
