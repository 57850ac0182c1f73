/**
 * Returns the attempt number of a call as text for error messages. An example is `attempt 2 of 3`,
 * or `attempt 2` without a maximum number of attempts.
 */
export const attemptText = ({
  attempt,
  maximumAttempts,
}: {
  readonly attempt: number
  readonly maximumAttempts?: number
}): string =>
  maximumAttempts === undefined ? `attempt ${attempt}` : `attempt ${attempt} of ${maximumAttempts}`
