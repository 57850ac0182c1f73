import type { Reporter, TestModule } from "vitest/node"

/** Lists the tests that failed and then passed when they were repeated. Each of them is a defect. */
export class FlakyTests implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const flaky = modules.flatMap(({ children, relativeModuleId }) =>
      [...children.allTests("passed")]
        .filter((test) => test.diagnostic()?.flaky === true)
        .map(({ fullName }) => `  ${relativeModuleId} > ${fullName}`),
    )
    if (flaky.length > 0)
      process.stdout.write(`Flaky tests, which passed when repeated:\n${flaky.join("\n")}\n`)
  }
}
