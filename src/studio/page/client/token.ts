const storageKey = "agent-statecharts token"

/**
 * Reads the API token from the URL that the studio printed. Removes it from the URL, so that
 * screenshots, copied links and the browser history do not contain it. The token is stored in
 * `localStorage` for all tabs of this address. Programs on other ports cannot read it, unlike a
 * cookie.
 */
function readToken(): string {
  const url = new URL(location.href)
  const inUrl = url.searchParams.get("token")
  if (inUrl === null) return localStorage.getItem(storageKey) ?? ""
  localStorage.setItem(storageKey, inUrl)
  url.searchParams.delete("token")
  history.replaceState(null, "", url)
  return inUrl
}

/** The token that the studio's API requires in each request. */
export const token = readToken()
