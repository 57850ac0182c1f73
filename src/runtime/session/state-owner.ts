import type { SessionKey, SessionUser } from "../journal/session-store.js"

/**
 * Returns the key under which a store saves the state of a scope. The key identifies the owner of
 * the state: the session, the user or the app.
 */
export function stateOwnerKey(
  { appName, userId, sessionId }: SessionKey,
  scope: "session" | "user" | "app",
): string {
  return JSON.stringify(
    scope === "app"
      ? [appName]
      : scope === "user"
        ? [appName, userId]
        : [appName, userId, sessionId],
  )
}

/**
 * Returns true if a session belongs to a user. If `user` has no `appName`, the app of the session
 * does not matter.
 */
export const isOfUser = (
  { appName, userId }: Pick<SessionKey, "appName" | "userId">,
  user: SessionUser,
): boolean => userId === user.userId && (user.appName === undefined || appName === user.appName)

/**
 * Returns true if a key that `stateOwnerKey` has returned belongs to the state that all sessions of this
 * user share.
 */
export function isStateOfUser(owner: string, user: SessionUser): boolean {
  const [appName, userId, sessionId] = JSON.parse(owner) as readonly [string, string?, string?]
  return userId !== undefined && sessionId === undefined && isOfUser({ appName, userId }, user)
}
