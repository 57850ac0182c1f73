import type { Counter, Histogram, Meter, UpDownCounter } from "@opentelemetry/api"

/**
 * The counters and histograms with which runs are measured. All runs that use the same
 * OpenTelemetry meter share them.
 */
export interface RunInstruments {
  readonly activeRuns: UpDownCounter
  readonly activeCalls: UpDownCounter
  readonly pendingRequests: UpDownCounter
  readonly runDuration: Histogram
  readonly requestDuration: Histogram
  readonly operationDuration: Histogram
  readonly tokens: Histogram
  readonly cost: Counter
}

/**
 * Histogram boundaries for the durations of runs and of pending requests, in seconds. They extend
 * to a week, because people may take days to answer.
 */
const longDurations = [0.1, 0.5, 1, 5, 10, 30, 60, 300, 900, 3600, 14_400, 86_400, 604_800]

const created = new WeakMap<Meter, RunInstruments>()

/**
 * Returns the counters and histograms of an OpenTelemetry meter. They are created by the first call
 * for the meter.
 */
export function instrumentsOf(meter: Meter): RunInstruments {
  const known = created.get(meter)
  if (known !== undefined) return known
  const seconds = (name: string, description: string, boundaries: number[]): Histogram =>
    meter.createHistogram(name, {
      description,
      unit: "s",
      advice: { explicitBucketBoundaries: boundaries },
    })
  const instruments: RunInstruments = {
    activeRuns: meter.createUpDownCounter("agent_statecharts.runs.active", {
      description: "Runs that have started and not ended",
      unit: "{run}",
    }),
    activeCalls: meter.createUpDownCounter("agent_statecharts.calls.active", {
      description: "Calls of models and tools in flight",
      unit: "{call}",
    }),
    pendingRequests: meter.createUpDownCounter("agent_statecharts.requests.pending", {
      description: "Requests that wait for a person or a client",
      unit: "{request}",
    }),
    runDuration: seconds("agent_statecharts.run.duration", "Duration of a run", longDurations),
    requestDuration: seconds(
      "agent_statecharts.request.duration",
      "Time until a request was answered or expired",
      longDurations,
    ),
    operationDuration: seconds(
      "gen_ai.client.operation.duration",
      "Duration of a call of a model or a tool",
      [0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92],
    ),
    tokens: meter.createHistogram("gen_ai.client.token.usage", {
      description: "Tokens of a model call",
      unit: "{token}",
      advice: {
        explicitBucketBoundaries: [
          1, 4, 16, 64, 256, 1024, 4096, 16_384, 65_536, 262_144, 1_048_576, 4_194_304,
        ],
      },
    }),
    cost: meter.createCounter("agent_statecharts.cost", {
      description: "Cost of model calls, in the currency of the prices",
    }),
  }
  created.set(meter, instruments)
  return instruments
}
