/**
 * The part of undici that sends requests. The index of undici also loads `fetch`, caches, mocks and
 * WebSockets: 110 files, which take 40 ms more than these modules. Bun replaces the package
 * `undici` by a module without connection pools, but not its files.
 */
import api from "undici/lib/api/index.js"
import buildConnector from "undici/lib/core/connect.js"
import Agent from "undici/lib/dispatcher/agent.js"
import Dispatcher from "undici/lib/dispatcher/dispatcher.js"

// The index of undici adds these methods too. Users can call them on the dispatcher of a scripted
// service.
Object.assign(Dispatcher.prototype, api)

type RequestOptions = Omit<Dispatcher.RequestOptions<null>, "origin" | "path">

/** Sends a request like `request` of undici, but always with the passed dispatcher. */
const request = (
  dispatcher: Dispatcher,
  { origin, pathname, search }: URL,
  options: RequestOptions,
): Promise<Dispatcher.ResponseData> =>
  api.request.call(dispatcher, { ...options, origin, path: `${pathname}${search}` })

export { Agent, buildConnector, request }
