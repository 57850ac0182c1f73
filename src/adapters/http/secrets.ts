/**
 * Where secrets are kept. A value is read for the call that needs it and forgotten with it; names may be shown, values never.
 * undefined = there is no secret of that name; an empty value counts as none.
 */
export interface Secrets {
  read(name: string): Promise<string | undefined> | string | undefined
}
