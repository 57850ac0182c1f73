/**
 * Describes how the arguments of a tool call are placed in an HTTP request. It is created from an
 * operation of an OpenAPI document. An argument in the path replaces `{name}` in the URL of the
 * endpoint.
 */
export interface HttpOperation {
  readonly parameters: readonly OperationParameter[]
  /**
   * Media type of the JSON request body, such as `application/json`. The argument `body` of the
   * tool call contains the body. Absent if the request has no body.
   */
  readonly body?: string
}

/** A tool argument that is sent in the path, the query, a header or a cookie of an HTTP request. */
export interface OperationParameter {
  readonly argument: string
  readonly name: string
  readonly in: "path" | "query" | "header" | "cookie"
  readonly required?: true
  /**
   * How a value that is a list or an object is converted to text. `form`, `space` and `pipe`
   * separate the items of a list by a comma, a space or `|`. `repeat` repeats the parameter for
   * each item. `deepObject` sends `name[key]` for each property. `json` sends the value as JSON.
   */
  readonly format: "form" | "space" | "pipe" | "repeat" | "deepObject" | "json"
}
