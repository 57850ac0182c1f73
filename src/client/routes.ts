/**
 * HTTP method and path of each server route that the client uses, by OpenAPI operation id. A test
 * compares them with the server's `/openapi.json`.
 */
export const routes = {
  listWorkflows: { method: "GET", path: "/v1/workflows" },
  listRuns: { method: "GET", path: "/v1/runs" },
  listSchedules: { method: "GET", path: "/v1/schedules" },
  listWebhooks: { method: "GET", path: "/v1/webhooks" },
  retryWebhook: { method: "POST", path: "/v1/webhooks/{id}/retry" },
  startRun: { method: "POST", path: "/v1/runs" },
  readRun: { method: "GET", path: "/v1/runs/{id}" },
  readResult: { method: "GET", path: "/v1/runs/{id}/result" },
  readEvents: { method: "GET", path: "/v1/runs/{id}/events" },
  readDrawing: { method: "GET", path: "/v1/runs/{id}/drawing" },
  say: { method: "POST", path: "/v1/runs/{id}/say" },
  approve: { method: "POST", path: "/v1/runs/{id}/approve" },
  reject: { method: "POST", path: "/v1/runs/{id}/reject" },
  answer: { method: "POST", path: "/v1/runs/{id}/answer" },
  deliver: { method: "POST", path: "/v1/runs/{id}/deliver" },
  end: { method: "POST", path: "/v1/runs/{id}/end" },
  cancel: { method: "POST", path: "/v1/runs/{id}/cancel" },
  resume: { method: "POST", path: "/v1/runs/{id}/resume" },
} as const

export type RouteName = keyof typeof routes
