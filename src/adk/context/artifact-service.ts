import type { Part } from "../events/content.js"

/**
 * Loads and saves the artifacts of the current session, with the method names of ADK's artifact
 * service. Unlike in ADK, you do not pass the session.
 */
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

/**
 * Returns the artifact service of a context. It stores only one version of each artifact, version
 * 0.
 */
export const artifactServiceOf = (context: WithArtifacts): ArtifactService => ({
  saveArtifact: ({ filename, artifact }) => context.saveArtifact(filename, artifact),
  loadArtifact: ({ filename }) => context.loadArtifact(filename),
  listArtifactKeys: () => context.listArtifacts(),
  listVersions: async ({ filename }) => ((await context.loadArtifact(filename)) ? [0] : []),
})
