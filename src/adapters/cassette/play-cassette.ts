import { AgentStatechartsError } from "../../errors.js"
import type { ModelService, ToolService } from "../../machines/contract/services.js"
import { CallFailedError } from "../../machines/contract/services.js"
import type { CallServices } from "../../runtime/index.js"
import { fieldDifferences } from "../../runtime/index.js"
import { modelCassetteRequest, toolCassetteRequest, maskOf } from "./cassette-request.js"
import type { CassetteEntry, CassetteRequest } from "./cassette.js"
import { readCassette } from "./cassette.js"

/** A call during a replay for which the cassette contains no matching recorded response. */
export interface CassetteMiss {
  readonly request: CassetteRequest
  /**
   * The recorded request that is most similar to the unmatched request. Requests of the same call
   * are preferred, then requests of the same agent. null if the cassette contains neither.
   */
  readonly nearest: CassetteRequest | null
  /**
   * The differences between the request and `nearest`, one line of text for each difference. Empty
   * if `nearest` is null.
   */
  readonly differences: readonly string[]
}

export interface CassettePlayer {
  /**
   * Services for `createRunner` that respond only with recorded responses. WaitAgents, which pause
   * a run for a given time, do not wait.
   */
  readonly services: Required<Pick<CallServices, "models" | "tools" | "http" | "skipWaits">>
  readonly misses: readonly CassetteMiss[]
  /** Returns the recorded calls that the replay has not used so far. */
  unused(): readonly CassetteEntry[]
  /**
   * Returns one message for each request without a recorded response and for each unused recorded
   * call. The list is empty if the replay was complete.
   */
  problems(): readonly string[]
  /**
   * Checks that every request had a recorded response and that every recorded call was used. Call
   * this method at the end of a test.
   *
   * @throws AgentStatechartsError `cassette_missed` if a request had no recorded response or a
   * recording was not used
   */
  verify(): void
}

/**
 * Creates services that replay a cassette. A call receives a recorded response if the recorded call
 * has the same agent path, call number and attempt, and an equal request. Every other call fails
 * with `cassette_missed`. The error message contains the request and the most similar recorded
 * request.
 *
 * @example
 * const player = playCassette(JSON.parse(await readFile("cassette.json", "utf8")))
 * await createRunner(player.services).start(chart).result
 * player.verify()
 *
 * @throws AgentStatechartsError `cassette_invalid`
 */
export function playCassette(
  cassette: unknown,
  { mask = [] }: { readonly mask?: readonly string[] } = {},
): CassettePlayer {
  const { entries } = readCassette(cassette)
  const hide = maskOf(mask)
  const byKey = grouped(entries, keyOf)
  const byAgent = grouped(entries, ({ kind, agent }) => `${kind} ${agent}`)
  const used = new Set<CassetteEntry>()
  const misses: CassetteMiss[] = []
  const answer = (asked: CassetteRequest): unknown => {
    const recorded = byKey.get(keyOf(asked)) ?? []
    const entry =
      recorded.find((one) => !used.has(one) && one.digest === asked.digest) ??
      recorded.find((one) => one.digest === asked.digest)
    if (entry === undefined) {
      const miss = missOf(
        asked,
        recorded[0] ?? nearestAmong(asked, byAgent.get(`${asked.kind} ${asked.agent}`) ?? []),
      )
      misses.push(miss)
      throw new CallFailedError({
        code: "cassette_missed",
        message: inWords(miss),
        retryable: false,
      })
    }
    used.add(entry)
    if (entry.ok) return structuredClone(entry.answer)
    throw new CallFailedError(entry.failure)
  }
  const model: ModelService = {
    call: async (request) => answer(modelCassetteRequest(request, hide)),
  }
  const tool: ToolService = { call: async (request) => answer(toolCassetteRequest(request, hide)) }
  const signaling = new Set(
    entries.flatMap((entry) => (entry.ok && entry.signals === true ? [entry.of] : [])),
  )
  const named = <Service>(
    kind: CassetteRequest["kind"],
    serviceOf: (name: string) => Service,
  ): Readonly<Record<string, Service>> =>
    Object.fromEntries(
      entries.flatMap((entry) =>
        entry.kind === kind && !entry.http && entry.of !== null
          ? [[entry.of, serviceOf(entry.of)]]
          : [],
      ),
    )
  const unused = (): readonly CassetteEntry[] => entries.filter((entry) => !used.has(entry))
  const problems = (): readonly string[] => [
    ...misses.map(inWords),
    ...unused().map((entry) => `recorded but not called: ${nameOf(entry)}`),
  ]
  return {
    services: {
      models: named("model", (name) => (signaling.has(name) ? { ...model, signals: true } : model)),
      tools: named("tool", () => tool),
      http: { model, tool },
      skipWaits: true,
    },
    misses,
    unused,
    problems,
    verify() {
      const found = problems()
      if (found.length > 0) throw new AgentStatechartsError("cassette_missed", found.join("\n"))
    },
  }
}

function grouped(
  entries: readonly CassetteEntry[],
  by: (entry: CassetteEntry) => string,
): ReadonlyMap<string, readonly CassetteEntry[]> {
  const groups = new Map<string, CassetteEntry[]>()
  for (const entry of entries) {
    const group = groups.get(by(entry))
    if (group === undefined) groups.set(by(entry), [entry])
    else group.push(entry)
  }
  return groups
}

const keyOf = ({ kind, key, attempt }: CassetteRequest): string => `${kind} ${key} ${attempt}`

const nameOf = ({ kind, key, agent, of, attempt }: CassetteRequest): string =>
  `${kind === "model" ? `agent "${agent}" calls its model` : `agent "${agent}" calls the tool "${of}"`} (${key}${attempt > 1 ? `, attempt ${attempt}` : ""})`

/**
 * Returns the recorded request that differs from the request `asked` in the fewest fields. If
 * several recorded requests are equally similar, returns the first of them. Returns null if
 * `entries` is empty.
 */
function nearestAmong(
  asked: CassetteRequest,
  entries: readonly CassetteEntry[],
): CassetteRequest | null {
  let nearest: { readonly entry: CassetteEntry; readonly differences: number } | null = null
  for (const entry of entries) {
    const differences = fieldDifferences(entry.request, asked.request)?.fields.length ?? 0
    if (nearest === null || differences < nearest.differences) nearest = { entry, differences }
  }
  return nearest?.entry ?? null
}

function missOf(asked: CassetteRequest, nearest: CassetteRequest | null): CassetteMiss {
  return {
    request: asked,
    nearest,
    differences:
      nearest === null ? [] : (fieldDifferences(nearest.request, asked.request)?.lines ?? []),
  }
}

function inWords({ request: asked, nearest, differences }: CassetteMiss): string {
  if (nearest === null)
    return `the cassette has no response for this call: ${nameOf(asked)}; it has no recorded calls of this agent. Record the cassette again`
  const which =
    nearest.key === asked.key
      ? "it was recorded with a different request"
      : `the most similar recorded request is ${nearest.key}`
  return [
    `the cassette has no response for this call: ${nameOf(asked)}; ${which}`,
    ...differences.map((line) => `  ${line}`),
  ].join("\n")
}
