import { AgentStatechartsError } from "../../errors.js"
import type { ModelService, ToolService } from "../../machines/contract/services.js"
import { CallFailedError } from "../../machines/contract/services.js"
import type { CallServices } from "../../runtime/index.js"
import { fieldDifferences } from "../../runtime/index.js"
import { modelCassetteRequest, toolCassetteRequest, maskOf } from "./cassette-request.js"
import type { CassetteEntry, CassetteRequest } from "./cassette.js"
import { readCassette } from "./cassette.js"

/** A call that the cassette has no answer for. */
export interface CassetteMiss {
  readonly asked: CassetteRequest
  /** The recorded request that is most like it: that of the same call, else another one of the same agent; null: there is none. */
  readonly nearest: CassetteRequest | null
  /** Where they differ, a line each. */
  readonly differences: readonly string[]
}

export interface CassettePlayer {
  /** Services that answer from the cassette and from nowhere else. */
  readonly services: Required<Pick<CallServices, "models" | "tools" | "http">>
  readonly misses: readonly CassetteMiss[]
  /** Recorded calls that have not been made. */
  unused(): readonly CassetteEntry[]
  /** What was asked and is not in the cassette, and what is in it and was not asked: an item each. */
  problems(): readonly string[]
  /** @throws AgentStatechartsError `cassette_missed` if something was asked that is not in the cassette, or something in it was not asked. */
  verify(): void
}

/**
 * Plays a cassette: a call is answered with what the same call was answered when it was recorded, known by agent path, ordinal and attempt, if
 * it asks the same. Anything else fails with `cassette_missed`, which tells what was asked and what had been recorded.
 *
 * @example
 * const player = playCassette(JSON.parse(await readFile("cassette.json", "utf8")))
 * await createRunner(player.services).start(chart).result
 * player.verify()
 *
 * @throws AgentStatechartsError `cassette_invalid`.
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
  const named = <Service>(
    kind: CassetteRequest["kind"],
    service: Service,
  ): Readonly<Record<string, Service>> =>
    Object.fromEntries(
      entries.flatMap((entry) =>
        entry.kind === kind && !entry.http && entry.of !== null ? [[entry.of, service]] : [],
      ),
    )
  const unused = (): readonly CassetteEntry[] => entries.filter((entry) => !used.has(entry))
  const problems = (): readonly string[] => [
    ...misses.map(inWords),
    ...unused().map((entry) => `recorded but not called: ${nameOf(entry)}`),
  ]
  return {
    services: { models: named("model", model), tools: named("tool", tool), http: { model, tool } },
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

/** The one with the fewest fields that differ; of those, the first. */
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
    asked,
    nearest,
    differences:
      nearest === null ? [] : (fieldDifferences(nearest.request, asked.request)?.lines ?? []),
  }
}

function inWords({ asked, nearest, differences }: CassetteMiss): string {
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
