/**
 * Source of secrets. A value is read for each call that needs it and is not cached. Names may be
 * shown, values never. undefined means the secret does not exist; an empty value counts as missing.
 */
export interface Secrets {
  read(name: string): Promise<string | undefined> | string | undefined
}
