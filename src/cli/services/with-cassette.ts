import { writeFile } from "node:fs/promises"
import type { CallServices } from "../../runtime/host/call-services.js"
import { readJson } from "../files/read-source.js"
import { UsageProblem } from "../errors/usage-problem.js"

interface CassetteCalls {
  readonly calls: Pick<CallServices, "models" | "tools" | "http" | "skipWaits">
  problems(): readonly string[]
  /** Writes the recorded calls to the cassette file of the option `--record`. */
  close(): Promise<void>
}

/** Wraps services so that their calls are recorded to a cassette file, or replayed from one. */
export async function withCassette(
  calls: CassetteCalls["calls"],
  {
    record,
    cassette,
  }: { readonly record: string | undefined; readonly cassette: string | undefined },
): Promise<CassetteCalls> {
  if (record !== undefined && cassette !== undefined)
    throw new UsageProblem("--record and --cassette cannot be combined. Remove one of them.")
  if (record === undefined && cassette === undefined)
    return { calls, problems: () => [], close: async () => {} }
  const { playCassette, recordCassette } = await import("../../adapters/cassette/index.js")
  if (cassette !== undefined) {
    const player = playCassette(await readJson(cassette, "cassette"))
    return { calls: player.services, problems: player.problems, close: async () => {} }
  }
  const recorder = recordCassette(calls)
  return {
    calls: recorder.services,
    problems: () => [],
    close: () =>
      record === undefined
        ? Promise.resolve()
        : writeFile(record, `${JSON.stringify(recorder.cassette(), null, 2)}\n`),
  }
}
