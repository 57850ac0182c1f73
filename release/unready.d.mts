export interface ReleaseState {
  readonly manifest: {
    readonly version: string
    readonly repository?: { readonly type?: string; readonly url?: string }
    readonly homepage?: string
    readonly bugs?: string | { readonly url?: string }
  }
  readonly changelog: string
  readonly changedFiles: readonly string[]
}
export function unready(state: ReleaseState): readonly string[]
export function sectionOf(
  changelog: string,
  version: string,
): { readonly date: string; readonly text: string } | null
