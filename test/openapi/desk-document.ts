/** An OpenAPI 3.0 document of a service desk, with references, a cycle and four security schemes. */
export const deskDocument = {
  openapi: "3.0.3",
  info: { title: "Desk", version: "1" },
  servers: [{ url: "https://{region}.desk.test/v1/", variables: { region: { default: "eu" } } }],
  security: [{ key: [] }],
  paths: {
    "/tickets": {
      get: {
        operationId: "listTickets",
        tags: ["read"],
        summary: "Lists tickets.",
        parameters: [
          { name: "status", in: "query", schema: { type: "array", items: { type: "string" } } },
          {
            name: "labels",
            in: "query",
            style: "form",
            explode: false,
            schema: { type: "array", items: { type: "string" } },
          },
          {
            name: "filter",
            in: "query",
            style: "deepObject",
            explode: true,
            schema: { type: "object" },
          },
          { name: "X-Trace", in: "header", schema: { type: "string" } },
          { name: "Authorization", in: "header", schema: { type: "string" } },
        ],
      },
      post: {
        operationId: "create ticket",
        tags: ["write"],
        security: [{ login: [] }],
        requestBody: {
          required: true,
          content: { "application/json": { schema: { $ref: "#/components/schemas/Ticket" } } },
        },
      },
    },
    "/tickets/{id}": {
      parameters: [{ $ref: "#/components/parameters/Id" }],
      get: { operationId: "getTicket", tags: ["read"], security: [{ token: [] }] },
      delete: { tags: ["write"], security: [{ session: [] }] },
    },
    "/tickets/{id}/file": {
      parameters: [{ $ref: "#/components/parameters/Id" }],
      put: {
        operationId: "upload",
        tags: ["file"],
        requestBody: { required: true, content: { "application/pdf": {} } },
      },
    },
  },
  components: {
    parameters: {
      Id: { name: "id", in: "path", required: true, schema: { type: "string" } },
    },
    schemas: {
      Ticket: {
        type: "object",
        required: ["id", "title"],
        properties: {
          id: { type: "string", readOnly: true },
          title: { type: "string", example: "Broken" },
          note: { type: "string", nullable: true },
          weight: { type: "number", minimum: 0, exclusiveMinimum: true },
          parent: { $ref: "#/components/schemas/Ticket" },
        },
      },
    },
    securitySchemes: {
      key: { type: "apiKey", in: "query", name: "key" },
      login: { type: "http", scheme: "basic" },
      token: { type: "http", scheme: "bearer" },
      session: { type: "apiKey", in: "cookie", name: "sid" },
    },
  },
}
