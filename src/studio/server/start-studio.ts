import { randomBytes } from "node:crypto"
import { listenWith } from "../../adapters/listen.js"
import type { CompleteJournal } from "../../runtime/journal/journal.js"
import type { CompileAs } from "../../serving/compile-as.js"
import { RunHub } from "../../serving/run-hub.js"
import type { OpenRunServices } from "../../serving/run-services.js"
import { drawings } from "./check-text.js"
import { pageFiles } from "./page-files.js"
import { studioApp } from "./studio-app.js"
import { Workspace } from "./workspace.js"

export interface StudioOptions {
  /** A file or a folder. */
  readonly place: string
  readonly journal: CompleteJournal
  readonly openServices: OpenRunServices
  readonly compileAs?: CompileAs
  /** Default 127.0.0.1: nobody else can reach it. */
  readonly host?: string
  /** Default 0: any free port. */
  readonly port?: number
  /** Milliseconds in which a client has to send a whole request, body included; default 60,000. */
  readonly requestTimeoutMs?: number
  /** Guards the API; a random one unless given. */
  readonly token?: string
}

export interface Studio {
  /** With the token: whoever has it may run the workflows. */
  readonly url: string
  readonly port: number
  /** Leaves every run as it is, to be resumed. */
  close(): Promise<void>
}

/** Serves the studio: a page on this machine that edits, draws, runs and travels through workflows. */
export async function startStudio({
  place,
  journal,
  openServices,
  compileAs = {},
  host = "127.0.0.1",
  port = 0,
  token = randomBytes(18).toString("base64url"),
  requestTimeoutMs,
}: StudioOptions): Promise<Studio> {
  const draw = drawings()
  const runs = new RunHub(journal, openServices)
  const hosts = new Set([
    "127.0.0.1",
    "localhost",
    "[::1]",
    host.includes(":") ? `[${host}]` : host,
  ])
  const app = studioApp({
    workspace: new Workspace(place, compileAs),
    runs,
    draw,
    page: pageFiles(),
    token,
    hosts,
  })
  const {
    server,
    port: bound,
    origin,
  } = await listenWith(app, {
    host,
    port,
    ...(requestTimeoutMs === undefined ? {} : { requestTimeoutMs }),
  })
  return {
    url: `${origin}/?token=${token}`,
    port: bound,
    async close() {
      await runs.close()
      await new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      })
    },
  }
}
