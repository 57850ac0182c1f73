/** Returns the Restate invocation that executes a run. */
export async function invocationOf(world, runId) {
  const [row] = await world.query(
    `SELECT id, status FROM sys_invocation WHERE target_service_key = '${runId}' AND target_handler_name = 'run'`,
  )
  return row
}
