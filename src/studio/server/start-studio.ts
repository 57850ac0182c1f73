import { randomBytes } from "node:crypto"
import { listenWith } from "../../adapters/listen.js"
import type { CompleteJournal } from "../../runtime/journal/journal.js"
import type { CompileAs } from "../../serving/compile-as.js"
import { RunHub } from "../../serving/run-hub.js"
import type { OpenRunServices } from "../../serving/run-services.js"
import { cachedDrawings } from "../../drawing/svg/cached-drawings.js"
import type { PolicyChecker } from "./checks/policy-checker.js"
import { pageFiles } from "./page-files.js"
import { studioApp } from "./studio-app.js"
import type { ReadDeclarations } from "./studio-services.js"
import { StudioServices } from "./studio-services.js"
import { Workspace } from "./workspace.js"

/** Options of {@link startStudio}. */
export interface StudioOptions {
  /** A workflow file, or a folder with workflows. */
  readonly place: string
  readonly journal: CompleteJournal
  readonly openServices: OpenRunServices
  /** Decides the policies that are shown next to the workflows. */
  readonly checker: PolicyChecker
  /** Imports the declarations of a module that the user allowed. Default: modules declare nothing. */
  readonly readDeclarations?: ReadDeclarations
  readonly compileAs?: CompileAs
  /** The address to listen on. Default: 127.0.0.1, which only this machine can reach. */
  readonly host?: string
  /** The port to listen on. Default: 0, any free port. */
  readonly port?: number
  /** Time in which a client must send a complete request, in milliseconds. Default: 60,000. */
  readonly requestTimeoutMs?: number
  /** The token that the API requires. Default: a random token. */
  readonly token?: string
}

/** A running studio. */
export interface Studio {
  /** The address with the token. Everyone who has it can run the workflows. */
  readonly url: string
  readonly port: number
  /** Stops the server. Runs are interrupted and can be resumed. */
  close(): Promise<void>
}

/** Starts the HTTP server of the studio. */
export async function startStudio({
  place,
  journal,
  openServices,
  checker,
  readDeclarations = async () => undefined,
  compileAs = {},
  host = "127.0.0.1",
  port = 0,
  token = randomBytes(18).toString("base64url"),
  requestTimeoutMs,
}: StudioOptions): Promise<Studio> {
  const draw = cachedDrawings()
  const workspace = new Workspace(place, compileAs)
  const services = new StudioServices(workspace, openServices, readDeclarations)
  const runs = new RunHub(journal, services.open)
  const hosts = new Set([
    "127.0.0.1",
    "localhost",
    "[::1]",
    host.includes(":") ? `[${host}]` : host,
  ])
  const app = studioApp({
    workspace,
    services,
    runs,
    journal,
    checker,
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
