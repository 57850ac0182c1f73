import type { ProjectChoices } from "./project-choices.js"
import { projectPaths } from "./project-paths.js"

/** Packages that a new project needs for its model provider, in addition to this package. */
const providerPackages: Readonly<
  Record<ProjectChoices["provider"], Readonly<Record<string, string>>>
> = {
  scripted: {},
  openai: {},
  ollama: {},
  "ai-sdk": { "@ai-sdk/openai-compatible": "^2.0.87", ai: "^6.0.322" },
}

/**
 * Creates the content of the `package.json` for a new project. `source` is the version range or
 * address of this package.
 */
export function projectManifest(choices: ProjectChoices, name: string, source: string): object {
  const { config, services, models } = projectPaths(choices)
  const isTypeScript = choices.dialect === "typescript"
  const built = (command: string): string =>
    isTypeScript ? `npm run build && ${command}` : command
  const scripted = built(
    `agent-statecharts run ${config} --scripted scenario.json --services ${services}`,
  )
  const drawing = "workflow.svg"
  return {
    name,
    version: "0.0.0",
    private: true,
    type: "module",
    engines: { node: ">=20.19" },
    scripts: {
      ...(isTypeScript && { build: "tsc && node dist/write-config.js" }),
      start:
        choices.provider === "scripted"
          ? scripted
          : built(`agent-statecharts run ${config} --services ${models}`),
      "start:scripted": scripted,
      check: built(`agent-statecharts check ${config}`),
      draw: built(`agent-statecharts draw ${config} -o ${drawing}`),
      test: built("node --test test/workflow.test.mjs"),
    },
    dependencies: { ...providerPackages[choices.provider], "agent-statecharts": source },
    ...(isTypeScript && {
      devDependencies: { "@types/node": "^20.19.27", typescript: "^7.0.2" },
    }),
  }
}
