/**
 * A source of the secrets that templates read. Values are not cached. Each call that needs a secret
 * calls `read`, which returns undefined if the secret does not exist. An empty value counts as
 * missing. Messages may contain the names of secrets, but never their values.
 */
export interface Secrets {
  read(name: string): Promise<string | undefined> | string | undefined
}
