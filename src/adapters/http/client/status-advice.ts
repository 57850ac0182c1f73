import type { CallIdentity } from "../../../machines/contract/services.js"

const byStatus: Readonly<Record<number, string>> = {
  400: "Compare the request with the API of the service.",
  401: "The service does not accept the credentials. Check the API key and the header that contains it.",
  403: "The credentials do not permit this call. Check the API key and its permissions.",
  404: "Check the URL. For a model server, also check the name of the model.",
  405: "Check the method of the call, such as POST.",
  408: "The service did not receive the request in time.",
  413: "The request is larger than the service permits. Send less state or fewer messages.",
  422: "Compare the request with the API of the service.",
  429: "The service limits the number of calls. Check the quota of the account, or make fewer calls at the same time.",
}

const serverError = "The service has a problem of its own. Check its log."

/**
 * Returns a suggestion for users who get an HTTP error status, for example to check the URL.
 * Returns an empty string if the status is not an error or if the call is retried automatically.
 */
export function statusAdvice(
  status: number | undefined,
  retryable: boolean,
  { attempt, maximumAttempts = 1 }: Pick<CallIdentity, "attempt" | "maximumAttempts">,
): string {
  if (status === undefined || status < 400 || (retryable && attempt < maximumAttempts)) return ""
  const advice = byStatus[status] ?? (status >= 500 ? serverError : byStatus[400])
  const retry =
    maximumAttempts > 1
      ? "More attempts are possible with a higher maximumAttempts in activityConfig.retryPolicy."
      : "To retry such failures, set maximumAttempts in activityConfig.retryPolicy."
  return retryable ? `${advice} ${retry}` : (advice ?? "")
}
