import type { OnRun } from "../../runtime/runner/runner-options.js"

/**
 * Returns a function that records the OpenTelemetry spans and metrics of a run
 * (docs/observability.md#observe-a-server). If no OpenTelemetry SDK is registered, nothing is
 * recorded, and `warn` is called.
 */
export async function recordTelemetry(warn: (text: string) => void): Promise<OnRun> {
  const { measureRun, traceRun } = await import("../../adapters/telemetry/otel/index.js")
  const { hasProvider } = await import("../../adapters/telemetry/otel/has-provider.js")
  if (!hasProvider())
    warn(
      "no OpenTelemetry SDK is registered, so --telemetry has no effect. Load an SDK with the environment variable NODE_OPTIONS.",
    )
  return (run, { chart, isResumed }) => {
    traceRun(run, { chart, ...(isResumed && { resumed: {} }) })
    measureRun(run, { chart, resumed: isResumed })
  }
}
