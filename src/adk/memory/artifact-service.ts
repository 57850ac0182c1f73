import { AgentStatechartsError } from "../../errors.js"
import type { SessionKey } from "../../runtime/journal/session-store.js"
import type { Part } from "../events/content.js"

export interface SaveArtifactRequest extends SessionKey {
  /**
   * Name of the artifact. If the name starts with `user:`, all sessions of the user share the
   * artifact.
   */
  readonly filename: string
  readonly artifact: Part
  readonly customMetadata?: Readonly<Record<string, unknown>>
}

export interface LoadArtifactRequest extends SessionKey {
  readonly filename: string
  /** Number of the version to load, counted from 0. Default: the newest version. */
  readonly version?: number
}

export interface DeleteArtifactRequest extends SessionKey {
  readonly filename: string
}

export type ListVersionsRequest = DeleteArtifactRequest

export type ListArtifactKeysRequest = SessionKey

/** Metadata of one version of an artifact, without its content. */
export interface ArtifactVersion {
  readonly version: number
  readonly canonicalUri?: string
  readonly customMetadata?: Readonly<Record<string, unknown>>
  readonly mimeType?: string
}

/**
 * A service that stores versions of files and texts by name. Pass an implementation to a `Runner`
 * as `artifactService`.
 */
export interface BaseArtifactService {
  /** Saves a new version and resolves to its number. The first version is 0. */
  saveArtifact(request: SaveArtifactRequest): Promise<number>
  /**
   * Resolves to the newest version of an artifact, or to `version` if it is set. Resolves to
   * undefined if the artifact does not exist.
   */
  loadArtifact(request: LoadArtifactRequest): Promise<Part | undefined>
  /** Resolves to the sorted names of all artifacts of the session and of the session's user. */
  listArtifactKeys(request: ListArtifactKeysRequest): Promise<string[]>
  deleteArtifact(request: DeleteArtifactRequest): Promise<void>
  listVersions(request: ListVersionsRequest): Promise<number[]>
  listArtifactVersions(request: ListVersionsRequest): Promise<ArtifactVersion[]>
  getArtifactVersion(request: LoadArtifactRequest): Promise<ArtifactVersion | undefined>
}

interface StoredVersion {
  readonly part: Part
  readonly metadata: ArtifactVersion
}

/** An artifact service that stores artifacts in the memory of this process. */
export class InMemoryArtifactService implements BaseArtifactService {
  /** Versions of artifacts, by owner and then by artifact name. An owner is a session or a user. */
  readonly #owners = new Map<string, Map<string, StoredVersion[]>>()

  async saveArtifact(request: SaveArtifactRequest): Promise<number> {
    const { filename, artifact, customMetadata } = request
    const { text, inlineData, fileData } = artifact
    if (inlineData === undefined && fileData === undefined && (text ?? "") === "")
      throw new AgentStatechartsError(
        "input_refused",
        `the artifact "${filename}" is empty; pass { text }, { inlineData } or { fileData }`,
      )
    const owner = ownerOf(request)
    const artifacts = this.#owners.get(owner) ?? new Map<string, StoredVersion[]>()
    const versions = artifacts.get(filename) ?? []
    const version = versions.length
    const mimeType = inlineData?.mimeType ?? fileData?.mimeType
    versions.push({
      part: structuredClone(artifact),
      metadata: {
        version,
        ...(customMetadata !== undefined && { customMetadata: structuredClone(customMetadata) }),
        ...(mimeType !== undefined && { mimeType }),
      },
    })
    this.#owners.set(owner, artifacts.set(filename, versions))
    return version
  }

  async loadArtifact(request: LoadArtifactRequest): Promise<Part | undefined> {
    return structuredClone(this.#version(request)?.part)
  }

  async listArtifactKeys(request: ListArtifactKeysRequest): Promise<string[]> {
    const owners = [request, { ...request, filename: sharedPrefix }].map(ownerOf)
    return owners.flatMap((owner) => [...(this.#owners.get(owner)?.keys() ?? [])]).sort()
  }

  async deleteArtifact(request: DeleteArtifactRequest): Promise<void> {
    this.#owners.get(ownerOf(request))?.delete(request.filename)
  }

  async listVersions(request: ListVersionsRequest): Promise<number[]> {
    return [...this.#versions(request).keys()]
  }

  async listArtifactVersions(request: ListVersionsRequest): Promise<ArtifactVersion[]> {
    return this.#versions(request).map(({ metadata }) => structuredClone(metadata))
  }

  async getArtifactVersion(request: LoadArtifactRequest): Promise<ArtifactVersion | undefined> {
    return structuredClone(this.#version(request)?.metadata)
  }

  #versions(request: ListVersionsRequest): readonly StoredVersion[] {
    return this.#owners.get(ownerOf(request))?.get(request.filename) ?? []
  }

  #version(request: LoadArtifactRequest): StoredVersion | undefined {
    const versions = this.#versions(request)
    return versions[request.version ?? versions.length - 1]
  }
}

/** Prefix of the names of artifacts that all sessions of a user share. */
const sharedPrefix = "user:"

const ownerOf = ({
  appName,
  userId,
  sessionId,
  filename = "",
}: SessionKey & { readonly filename?: string }): string =>
  JSON.stringify(
    filename.startsWith(sharedPrefix) ? [appName, userId] : [appName, userId, sessionId],
  )
