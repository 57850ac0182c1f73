import type { Listening } from "../../adapters/listen.js"
import { listenWith } from "../../adapters/listen.js"
import type { CompleteJournal } from "../../runtime/journal/journal.js"
import type { MemoryService } from "../../runtime/journal/memory-service.js"
import type { ResponseCache } from "../../runtime/journal/response-cache.js"
import type { SessionStore } from "../../runtime/journal/session-store.js"
import type { CompileAs } from "../../serving/compile-as.js"
import { RunHub } from "../../serving/run-hub.js"
import type { OpenRunServices } from "../../serving/run-services.js"
import { warmUpEngine } from "../../drawing/layout/layout-engine.js"
import { cachedDrawings } from "../../drawing/svg/cached-drawings.js"
import type { PolicyChecker } from "./checks/policy-checker.js"
import { pageFiles } from "./page-files.js"
import { randomToken, readAddress, storeAddress } from "./stored-address.js"
import { studioApp } from "./studio-app.js"
import type { ReadDeclarations } from "./studio-services.js"
import { StudioServices } from "./studio-services.js"
import { Workspace } from "./workspace.js"

/** Options of {@link startStudio}. */
export interface StudioOptions {
  /** Path of a workflow file, or of a folder with workflows. */
  readonly path: string
  readonly journal: CompleteJournal
  /**
   * Stores the sessions, which contain the state and messages of conversations. Default: sessions
   * are stored in memory.
   */
  readonly sessions?: SessionStore
  /** Stores the long-term memory of users. Default: no memory. */
  readonly memory?: MemoryService
  /**
   * Cache for model responses that all runs share. Default: each runner caches responses in memory.
   */
  readonly responseCache?: ResponseCache
  readonly openServices: OpenRunServices
  /** Checks the policies of the workflows that the studio shows. */
  readonly checker: PolicyChecker
  /**
   * Imports a module with host functions and returns its service declarations. Called only for
   * modules that the user has allowed. If absent, declarations in modules are ignored.
   */
  readonly readDeclarations?: ReadDeclarations
  readonly compileAs?: CompileAs
  /** Address on which the server listens. Default: `127.0.0.1` (localhost only). */
  readonly host?: string
  /** Port on which the server listens. Default: 0, which selects any free port. */
  readonly port?: number
  /**
   * Maximum time in milliseconds in which a client must send a complete request. Default: 60,000.
   */
  readonly requestTimeoutMs?: number
  /**
   * Token that the API requires in each request. Default: the stored token, or a new random token.
   */
  readonly token?: string
  /**
   * Path of a file that stores the port and the token, so that open tabs and links work after a
   * restart. Default: they are not stored.
   */
  readonly addressFile?: string
}

/** A studio whose server is listening. */
export interface Studio {
  /**
   * URL of the studio, including the token. Anyone with this URL can run the workflows, so keep it
   * secret.
   */
  readonly url: string
  readonly port: number
  /** Stops the server. Its runs are interrupted and can be resumed later. */
  close(): Promise<void>
}

/** Starts the HTTP server of the studio. Resolves when the server listens. */
export async function startStudio({
  path,
  journal,
  sessions,
  memory,
  responseCache,
  openServices,
  checker,
  readDeclarations = async () => undefined,
  compileAs = {},
  host = "127.0.0.1",
  port = 0,
  addressFile,
  requestTimeoutMs,
  ...options
}: StudioOptions): Promise<Studio> {
  const stored = addressFile === undefined ? null : readAddress(addressFile)
  const token = options.token ?? stored?.token ?? randomToken()
  const draw = cachedDrawings()
  const workspace = new Workspace(path, compileAs)
  const services = new StudioServices(workspace, openServices, readDeclarations)
  const runs = new RunHub(journal, services.open, {
    ...(sessions !== undefined && { sessions }),
    ...(memory !== undefined && { memory }),
    ...(responseCache !== undefined && { responseCache }),
  })
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
  const listenOn = (tried: number): Promise<Listening> =>
    listenWith(app, {
      host,
      port: tried,
      ...(requestTimeoutMs !== undefined && { requestTimeoutMs }),
    })
  let isPortInUse = false
  const {
    server,
    port: bound,
    origin,
  } = port !== 0 || stored === null
    ? await listenOn(port)
    : await listenOn(stored.port).catch(() => {
        // Another program, or another studio with this journal, uses the port.
        isPortInUse = true
        return listenOn(0)
      })
  if (addressFile !== undefined && !isPortInUse) storeAddress(addressFile, { port: bound, token })
  // While the browser starts, the server is idle. If `elkjs` is missing, the drawing that needs it
  // reports the error.
  setImmediate(() => void warmUpEngine().catch(() => {}))
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
