import * as z from "zod"
import type { EvaluationReport } from "../../evaluation/index.js"
import { readJson } from "../files/read-source.js"
import { UsageProblem } from "../errors/usage-problem.js"

const score = z.number().nullable()
const status = z.enum(["PASSED", "FAILED", "NOT_EVALUATED"])

/** Schema of the fields that a comparison reads from an earlier evaluation report. */
const schema = z.looseObject({
  version: z.literal(1),
  agent: z.string(),
  fingerprint: z.string(),
  sets: z.array(
    z.looseObject({
      evalSetId: z.string(),
      cases: z.record(
        z.string(),
        z.looseObject({
          status,
          criteria: z.record(
            z.string(),
            z.looseObject({ score, threshold: z.number(), perRun: z.array(score).optional() }),
          ),
        }),
      ),
    }),
  ),
})

/**
 * Reads a report that an earlier `eval --json FILE` has written. Throws a usage error if the file
 * is not such a report.
 */
export async function readBaseline(file: string): Promise<EvaluationReport> {
  const value = await readJson(file, "report")
  const read = schema.safeParse(value)
  // The cast is safe: `eval --json` has written the fields that are not checked.
  if (read.success) return value as EvaluationReport
  const [issue] = read.error.issues
  throw new UsageProblem(
    `${file} is not a report of eval: ${issue?.path.join(".") || "the file"}: ${issue?.message ?? "it cannot be read"}. Write a report with: eval AGENT EVALSET --json ${file}`,
  )
}
