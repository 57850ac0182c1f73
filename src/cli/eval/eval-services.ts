import { existsSync } from "node:fs"
import { join } from "node:path"
import type { EvaluationServices, ServicesOfCases } from "../../evaluation/index.js"
import type { AgentChart } from "../../machines/contract/agent-chart.js"
import { writeTo } from "../files/write-result.js"
import { UsageProblem } from "../errors/usage-problem.js"
import { type OpenServices, openServices } from "../services/open-services.js"
import { withCassette } from "../services/with-cassette.js"
import type { EvalOptions } from "./eval-options.js"
import { readCaseScenarios } from "./scripted-cases.js"

/** The models, tools and other services that answer the calls of all runs in an evaluation. */
export interface EvalServices {
  readonly services: ServicesOfCases
  close(): Promise<void>
}

/**
 * Opens the services that the command-line options select. If they select a scenario, each run has
 * its own scripted service. If they select cassettes, each run has its own cassette file.
 */
export async function openEvalServices(
  chart: AgentChart,
  { scripted, record, cassette, prices: _prices, ...options }: EvalOptions,
  judges: readonly string[],
): Promise<EvalServices> {
  if (record !== undefined && cassette !== undefined)
    throw new UsageProblem("--record and --cassette cannot be combined. Remove one of them.")
  if (scripted !== undefined) {
    const scenarios = await readCaseScenarios(scripted, options.repeat)
    return {
      services: async (evalId, repetition, evalSetId) => {
        const { scenario, judge } = scenarios(evalId, repetition)
        const opened = await openServices(chart, options, { scenario })
        const recorded = await withCaseCassette(opened, { record, cassette }, [
          evalSetId,
          evalId,
          repetition,
        ])
        return {
          ...recorded,
          ...(judge !== null && { judge }),
          close: async () => {
            await recorded.close?.()
            await opened.close()
          },
        }
      },
      close: async () => {},
    }
  }
  const opened = await openServices(chart, options, { models: judges })
  return {
    services:
      record === undefined && cassette === undefined
        ? opened.calls
        : (evalId, repetition, evalSetId) =>
            withCaseCassette(opened, { record, cassette }, [evalSetId, evalId, repetition]),
    close: opened.close,
  }
}

/** Identifies a run of an evaluation by its eval set, case and repetition. */
type RunName = readonly [evalSetId: string, evalId: string, repetition: number]

/**
 * Records the calls of a run to its cassette file, or replays them from this file. Without `record`
 * and `cassette`, returns the services unchanged.
 */
async function withCaseCassette(
  { calls }: Pick<OpenServices, "calls">,
  {
    record,
    cassette,
  }: { readonly record: string | undefined; readonly cassette: string | undefined },
  name: RunName,
): Promise<EvaluationServices> {
  const folder = record ?? cassette
  if (folder === undefined) return calls
  const file = join(folder, cassettePath(name))
  if (cassette !== undefined && !existsSync(file))
    throw new UsageProblem(
      `the cassette ${file} does not exist. Record it with --record ${folder}.`,
    )
  if (record !== undefined) await writeTo(file, "")
  const wrapped = await withCassette(calls, {
    record: record === undefined ? undefined : file,
    cassette: cassette === undefined ? undefined : file,
  })
  return {
    ...calls,
    ...wrapped.calls,
    ...(cassette !== undefined && { isRecording: true }),
    close: wrapped.close,
  }
}

/**
 * Returns the path of a run's cassette file in the cassette folder, for example
 * `orders/refund.0.json`.
 */
const cassettePath = ([evalSetId, evalId, repetition]: RunName): string =>
  join(fileName(evalSetId), `${fileName(evalId)}.${repetition}.json`)

/**
 * Converts an id to a file name. Percent-encodes all characters except letters, digits, `.`, `_`
 * and `-`.
 */
const fileName = (id: string): string =>
  /^\.*$/.test(id)
    ? id.replaceAll(".", "%2E")
    : [...new TextEncoder().encode(id)]
        .map((byte) => {
          const character = String.fromCharCode(byte)
          return /[\w.-]/.test(character)
            ? character
            : `%${byte.toString(16).toUpperCase().padStart(2, "0")}`
        })
        .join("")
