import type { Part } from "../events/content.js"

/** The artifacts of the session that code runs in, by the names of ADK's service. Who the session belongs to need not be said. */
export interface ArtifactService {
  saveArtifact(request: { readonly filename: string; readonly artifact: Part }): Promise<number>
  loadArtifact(request: { readonly filename: string }): Promise<Part | undefined>
  listArtifactKeys(request?: object): Promise<string[]>
  listVersions(request: { readonly filename: string }): Promise<number[]>
}

interface WithArtifacts {
  saveArtifact(filename: string, artifact: Part): Promise<number>
  loadArtifact(filename: string): Promise<Part | undefined>
  listArtifacts(): Promise<string[]>
}

/** One version of an artifact is kept: version 0. */
export const artifactServiceOf = (context: WithArtifacts): ArtifactService => ({
  saveArtifact: ({ filename, artifact }) => context.saveArtifact(filename, artifact),
  loadArtifact: ({ filename }) => context.loadArtifact(filename),
  listArtifactKeys: () => context.listArtifacts(),
  listVersions: async ({ filename }) => ((await context.loadArtifact(filename)) ? [0] : []),
})
