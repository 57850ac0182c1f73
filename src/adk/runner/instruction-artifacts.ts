import type { AgentChart } from "../../machines/contract/agent-chart.js"
import type { Artifacts } from "../../machines/contract/artifacts.js"
import type { SessionKey } from "../../runtime/journal/session-store.js"
import { artifactValue } from "../context/artifact-value.js"
import type { BaseArtifactService } from "../memory/artifact-service.js"

/**
 * Loads the artifacts that the instructions of a chart insert with `{artifact.name}`. They are
 * copied to the session, because the run reads artifacts only from the session.
 */
export async function instructionArtifacts(
  service: BaseArtifactService,
  { agents }: AgentChart,
  key: SessionKey,
): Promise<Artifacts> {
  const texts = JSON.stringify(agents)
  const names = (await service.listArtifactKeys(key)).filter((name) =>
    texts.includes(JSON.stringify(`artifact.${name}`).slice(1, -1)),
  )
  const loaded = await Promise.all(
    names.map(async (filename) => {
      const value = artifactValue(await service.loadArtifact({ ...key, filename }))
      return value === undefined ? [] : [[filename, value] as const]
    }),
  )
  return Object.fromEntries(loaded.flat())
}
