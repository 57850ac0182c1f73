// Registers an OpenTelemetry SDK that prints each ended span and each measurement as a line of JSON.
import { createNoopMeter, metrics, trace } from "@opentelemetry/api"
import { BasicTracerProvider, SimpleSpanProcessor } from "@opentelemetry/sdk-trace-base"

const print = (line) => process.stdout.write(`otel ${JSON.stringify(line)}\n`)

trace.setGlobalTracerProvider(
  new BasicTracerProvider({
    spanProcessors: [
      new SimpleSpanProcessor({
        export(spans, done) {
          for (const { name } of spans) print({ span: name })
          done({ code: 0 })
        },
        shutdown: async () => {},
      }),
    ],
  }),
)

const measure = (metric) => (value, attributes) => print({ metric, value, attributes })
metrics.setGlobalMeterProvider({
  getMeter: () => ({
    ...createNoopMeter(),
    createHistogram: (name) => ({ record: measure(name) }),
    createCounter: (name) => ({ add: measure(name) }),
    createUpDownCounter: (name) => ({ add: measure(name) }),
  }),
})
