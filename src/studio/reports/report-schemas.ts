import * as z from "zod"

const count = z.number()
const optionalCount = z.number().nullable()

/**
 * Schema of a fault certificate (`faults --json`). It contains only the fields that the page shows.
 */
export const certificateFile = z.object({
  certificate: z.literal(1),
  ok: z.boolean(),
  of: z.object({
    chart: z.string(),
    fingerprint: z.string(),
    program: z.string(),
  }),
  baseline: z.object({ status: z.string(), records: count, calls: count, answers: count }),
  kinds: z.record(
    z.string(),
    z.object({ injected: count, equal: count, declared: count, failed: count, skipped: count }),
  ),
  notInjected: z.array(z.object({ kind: z.string(), why: z.string() })),
  runs: count,
  assumes: z.array(z.object({ service: z.string(), kind: z.string(), runs: count })),
  warnings: z.array(z.object({ message: z.string() })),
  policies: z.array(z.string()),
  findings: z.array(
    z.object({
      kind: z.string(),
      at: z.record(z.string(), z.unknown()),
      invariant: z.string(),
      message: z.string(),
      fix: z.string(),
      runs: count,
      command: z.string(),
    }),
  ),
})

export type CertificateFile = z.infer<typeof certificateFile>

const status = z.enum(["PASSED", "FAILED", "NOT_EVALUATED"])
const interval = z.tuple([z.number(), z.number()]).nullable()

const caseResult = z.object({
  status,
  error: z.string().optional(),
  errorMessage: z.string().optional(),
  runs: z.array(z.string()),
  duration: z.number(),
  criteria: z.record(
    z.string(),
    z.object({
      score: optionalCount,
      threshold: z.number(),
      status,
      details: z.array(z.string()).optional(),
    }),
  ),
  passRate: z.object({ passed: count, of: count, interval: interval.optional() }).optional(),
})

const calls = z.object({
  models: count,
  tools: count,
  judge: count,
  tokens: count,
  cost: optionalCount,
})

const problem = z.object({ code: z.string(), message: z.string(), file: z.string() })

/**
 * Schema of an evaluation report (`eval --json`). It contains only the fields that the page shows.
 */
const evaluationReport = z.object({
  version: z.literal(1),
  agent: z.string(),
  fingerprint: z.string(),
  repeat: count,
  duration: z.number(),
  sets: z.array(
    z.object({
      file: z.string(),
      evalSetId: z.string(),
      cases: z.record(z.string(), caseResult),
    }),
  ),
  summary: z.object({ cases: count, passed: count, failed: count, notEvaluated: count }),
  calls,
  warnings: z.array(problem),
  errors: z.array(problem),
})

const ofBoth = <Value extends z.ZodType>(value: Value) => z.object({ a: value, b: value })

/**
 * Schema of a comparison report (`eval --with --json`). It contains only the fields that the page
 * shows.
 */
const comparisonReport = z.object({
  version: z.literal(1),
  agents: ofBoth(z.string()),
  fingerprints: ofBoth(z.string()),
  repeat: count,
  duration: z.number(),
  sets: z.array(
    z.object({
      file: z.string(),
      evalSetId: z.string(),
      cases: z.record(
        z.string(),
        z.object({
          a: caseResult,
          b: caseResult,
          criteria: z.record(z.string(), z.object({ delta: optionalCount })),
          changed: z.object({ status: z.boolean(), text: z.boolean().optional() }),
        }),
      ),
    }),
  ),
  summary: z.object({ improved: count, regressed: count, unchanged: count }),
  calls,
  warnings: z.array(problem),
  errors: z.array(problem),
})

export const evaluationFile = z.union([evaluationReport, comparisonReport])

export type EvaluationFile = z.infer<typeof evaluationFile>
export type CaseResultFile = z.infer<typeof caseResult>
