const storageKey = "agent-statecharts token"

/**
 * Reads the token from the URL that the studio printed, and removes it from the URL, so that
 * screenshots and the browser history do not contain it. The tab keeps the token.
 */
function readToken(): string {
  const url = new URL(location.href)
  const inUrl = url.searchParams.get("token")
  if (inUrl === null) return sessionStorage.getItem(storageKey) ?? ""
  sessionStorage.setItem(storageKey, inUrl)
  url.searchParams.delete("token")
  history.replaceState(null, "", url)
  return inUrl
}

/** The token that the API of the studio requires. */
export const token = readToken()
