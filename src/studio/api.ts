import type { Diagnostic } from "../compiler/diagnostics/diagnostic.js"
import type { PendingRequest } from "../machines/contract/pending-request.js"
import type { RunEvent } from "../machines/contract/run-event.js"
import type { RunAt } from "../runtime/history/snapshot-at.js"
import type { ErrorBody } from "../serving/http-error.js"
import type { HubRun } from "../serving/run-details.js"

/** What the studio's server and its page say to each other, as JSON. */

/** A workflow in the folder. */
export interface StudioFile {
  /** Relative to the folder, with `/`. */
  readonly path: string
  /** Whether answers for its models and tools lie beside it (`scenario.json`). */
  readonly scripted: boolean
}

export interface OpenedFile extends StudioFile {
  readonly text: string
}

/** A text as the compiler sees it. */
export interface Checked {
  readonly diagnostics: readonly Diagnostic[]
  /** The drawing; null where there are errors. */
  readonly svg: string | null
  readonly prompt: string | null
  /** What the runner has to have, in words. */
  readonly needs: readonly string[]
}

export type StudioRun = HubRun

export interface OpenedRun extends StudioRun {
  readonly svg: string
  readonly file: string | null
  readonly prompt: string | null
  readonly forkedFrom: { readonly runId: string; readonly at: number } | null
}

/** A run as it stood at one of its records, with the number of events that had been told. */
export type StudioPast = Omit<RunAt, "events" | "record"> & { readonly seen: number }

export interface StartRequest {
  readonly file: string
  /** As it stands in the editor. */
  readonly text: string
  readonly prompt?: string
  readonly state?: Readonly<Record<string, unknown>>
  /** Whether the scenario beside the file answers for models and tools. */
  readonly scripted?: boolean
}

export type { Diagnostic, PendingRequest, ErrorBody, RunEvent }
