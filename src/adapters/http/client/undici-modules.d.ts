/** Types of the modules of undici that `undici-core.ts` imports. */
declare module "undici/lib/api/index.js" {
  import type { Dispatcher } from "undici"
  const api: {
    request(
      this: Dispatcher,
      options: Dispatcher.RequestOptions<null>,
    ): Promise<Dispatcher.ResponseData>
  }
  export default api
}
declare module "undici/lib/core/connect.js" {
  export { buildConnector as default } from "undici"
}
declare module "undici/lib/dispatcher/agent.js" {
  export { Agent as default } from "undici"
}
declare module "undici/lib/dispatcher/dispatcher.js" {
  export { Dispatcher as default } from "undici"
}
