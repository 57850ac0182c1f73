/**
 * A source of secrets. A secret is read for each call that needs it and is not cached. Messages may
 * contain the names of secrets, but never their values. undefined means that a secret does not
 * exist. An empty value counts as missing.
 */
export interface Secrets {
  read(name: string): Promise<string | undefined> | string | undefined
}
