import { defineConfig } from "vitest/config"

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    testTimeout: 60_000,
    expect: { poll: { timeout: 55_000, interval: 10 } },
    // The machine that runs this has two cores; tests with real sockets and processes need room to be on time.
    maxWorkers: 2,
    pool: "forks",
    execArgv: ["--expose-gc"],
  },
})
