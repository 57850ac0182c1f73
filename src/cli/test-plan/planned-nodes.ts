import { secretsFromEnvironment } from "../../adapters/http/index.js"
import type { HttpClient } from "../../adapters/http/client/http-client.js"
import { createHttpNodeService } from "../../adapters/http/http-node-service.js"
import type { NodeService } from "../../machines/contract/graphs/node-service.js"
import type { JsonObject } from "../../machines/data/json-object.js"

/**
 * Creates a service that simulates the nodes of a task graph. It evaluates the templates of the
 * nodes, but sends no requests. `respond` returns the scripted response of a node.
 */
export function plannedNodes(respond: (node: string, path: string) => JsonObject): NodeService {
  return {
    // Each request has a client of its own, which knows the node of the request.
    call: (request, options) =>
      createHttpNodeService({
        client: answering(() => respond(request.node, request.path)),
        secrets: secretsFromEnvironment({ prefix: "AGENT_SECRET_" }),
      }).call(request, options),
  }
}

const answering = (respond: () => JsonObject): HttpClient => ({
  async send() {
    const { httpStatus, json } = respond()
    const headers = { "content-type": "application/json" }
    return typeof httpStatus === "number"
      ? {
          type: "failure",
          code: null,
          reason: `answered ${httpStatus}`,
          retryable: false,
          body: "",
          status: httpStatus,
          headers,
        }
      : {
          type: "answer",
          status: 200,
          contentType: headers["content-type"],
          headers,
          text: JSON.stringify(json),
        }
  },
  close: async () => {},
})
