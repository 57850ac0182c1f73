import { fileURLToPath } from "node:url"
import { defineConfig, mergeConfig } from "vitest/config"
import config, { isolated, optimizesLater } from "./vitest.config.js"

/*
 * The tests of `npm run test:quick`. They use the sources instead of `dist/`, so they need no build.
 */

const src = fileURLToPath(new URL("./src/", import.meta.url))

/** Tests that start processes, servers or browsers, need the build, or run many random cases. */
const slow = [
  "test/adapters/{engine,inspect,mcp}/**/*.test.ts",
  "test/adapters/a2a/killed-run.test.ts",
  "test/adapters/{secret-leaks,optional-packages}.test.ts",
  "test/adk/{machine-agent,snippets,snippets-compile}.test.ts",
  "test/adk-native/**/*.test.ts",
  "test/client/**/*.test.ts",
  "test/analysis/{bounds,bounds-are-reached,bounds-hold,policies,states-hold}.test.ts",
  "test/cli/**/*.test.ts",
  "test/compiler/{chart-size,config-schema,hostile-configs,never-throws,vectors,yaml-text}.test.ts",
  "test/conformance/**/*.test.ts",
  "test/docs/{command-line,snippets}.test.ts",
  "test/drawing/{layout,svg,xstate-source}.test.ts",
  "test/examples/**/*.test.ts",
  "test/expression/{escape-attempts,limits,python,random}.test.ts",
  "test/faults/**/*.test.ts",
  "test/journals/**/*.test.ts",
  "test/kill/**/*.test.ts",
  "test/evaluation/{command,examples,limits,schemas,vectors}.test.ts",
  "test/mistakes/command-mistakes.test.ts",
  "test/policies/{enforce,monitor,routes-hold,vectors}.test.ts",
  "test/properties/{planted-bugs,policies,random-configs,random-runs}.test.ts",
  "test/release/**/*.test.ts",
  "test/restarts/**/*.test.ts",
  "test/restate/**/*.test.ts",
  "test/run-chart/**/*.test.ts",
  "test/runtime/{both-interpreters-agree,circles,compaction,parallel-forms-agree,random-graphs}.test.ts",
  "test/runtime/past/coverage.test.ts",
  "test/security/**/*.test.ts",
  "test/server/**/*.test.ts",
  "test/adapters/model-limits.test.ts",
  "test/response-cache/stores.test.ts",
  "test/sessions/{deleted-users,postgres,stores}.test.ts",
  "test/studio/**/*.test.ts",
]

const { projects: _, ...test } = config.test ?? {}

export default mergeConfig(
  { ...config, test },
  defineConfig({
    resolve: {
      alias: [
        { find: /^agent-statecharts$/, replacement: `${src}index.ts` },
        { find: /^agent-statecharts\/adk$/, replacement: `${src}adk-on-node.ts` },
        { find: /^agent-statecharts\/(.+)$/, replacement: `${src}$1/index.ts` },
      ],
    },
    test: {
      // These files do not wait, so one process per core is enough.
      maxWorkers: "100%",
      include: ["test/**/*.test.ts"],
      exclude: [...isolated, ...slow],
      isolate: false,
      execArgv: optimizesLater,
    },
  }),
)
