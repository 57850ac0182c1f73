/**
 * The mapping of a tool's arguments to the parts of an HTTP request, for an operation of an OpenAPI
 * document. An argument in the path replaces `{name}` in the URL of the endpoint.
 */
export interface HttpOperation {
  readonly parameters: readonly OperationParameter[]
  /**
   * Media type of the request's JSON body, whose value is the argument `body`. Absent if the
   * request has no body.
   */
  readonly body?: string
}

/** An argument that is sent in the path, the query, a header or a cookie. */
export interface OperationParameter {
  readonly argument: string
  readonly name: string
  readonly in: "path" | "query" | "header" | "cookie"
  readonly required?: true
  /**
   * Format of lists and objects. `form`, `space` and `pipe` separate the items of a list by a comma,
   * a space or `|`. `repeat` repeats the parameter for each item. `deepObject` sends `name[key]` for
   * each property. `json` sends the value as JSON.
   */
  readonly format: "form" | "space" | "pipe" | "repeat" | "deepObject" | "json"
}
