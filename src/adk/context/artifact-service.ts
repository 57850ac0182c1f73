import type { Part } from "../events/content.js"

/**
 * Loads and saves the artifacts of the current session. The methods have the names of ADK's
 * artifact service, but they do not take the session as an argument.
 */
export interface ArtifactService {
  saveArtifact(request: { readonly filename: string; readonly artifact: Part }): Promise<number>
  loadArtifact(request: {
    readonly filename: string
    readonly version?: number
  }): Promise<Part | undefined>
  listArtifactKeys(request?: object): Promise<string[]>
  listVersions(request: { readonly filename: string }): Promise<number[]>
}

interface WithArtifacts {
  saveArtifact(filename: string, artifact: Part): Promise<number>
  loadArtifact(filename: string, version?: number): Promise<Part | undefined>
  listVersions(filename: string): Promise<number[]>
  listArtifacts(): Promise<string[]>
}

/** Returns a service that loads and saves artifacts through the methods of a context. */
export const artifactServiceOf = (context: WithArtifacts): ArtifactService => ({
  saveArtifact: ({ filename, artifact }) => context.saveArtifact(filename, artifact),
  loadArtifact: ({ filename, version }) => context.loadArtifact(filename, version),
  listArtifactKeys: () => context.listArtifacts(),
  listVersions: ({ filename }) => context.listVersions(filename),
})
