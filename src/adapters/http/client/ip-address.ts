/** An IP address as a number, with its family. The family is 4 (IPv4) or 6 (IPv6). */
export interface IpAddress {
  readonly family: 4 | 6
  readonly value: bigint
}

/**
 * Parses an IPv4 or IPv6 address. A zone such as `%eth0` is ignored. Returns null for any other
 * text. `isIP` of Node is not used, because browsers do not have it.
 */
export function readIpAddress(text: string): IpAddress | null {
  const [address = ""] = text.split("%")
  const bytes = readV4(address)
  if (bytes !== null) return { family: 4, value: bytes }
  const value = readV6(address)
  return value === null ? null : { family: 6, value }
}

function readV4(text: string): bigint | null {
  const parts = text.split(".")
  const isV4 =
    parts.length === 4 && parts.every((part) => /^(?:0|[1-9]\d{0,2})$/.test(part) && +part < 256)
  return isV4 ? parts.reduce((value, part) => (value << 8n) | BigInt(part), 0n) : null
}

function readV6(text: string): bigint | null {
  const [start = "", end, ...more] = text.split("::")
  const [first, last] = [groupsOf(start, end === undefined), groupsOf(end ?? "", true)]
  if (more.length > 0 || first === null || last === null) return null
  const missing = 8 - first.length - last.length
  // "::" replaces at least one group.
  if (end === undefined ? missing !== 0 : missing < 1) return null
  const groups = [...first, ...Array.from({ length: missing }, () => 0n), ...last]
  return groups.reduce((value, group) => (value << 16n) | group, 0n)
}

/**
 * Parses one half of an IPv6 address (the text before or after `::`, or the whole address) into
 * 16-bit groups. Returns null if the text is invalid. If `isEnd` is true, the text is the end of
 * the address and may contain an IPv4 address.
 */
function groupsOf(text: string, isEnd: boolean): readonly bigint[] | null {
  if (text === "") return []
  const parts = text.split(":")
  const groups: bigint[] = []
  for (const [index, part] of parts.entries()) {
    const v4 = isEnd && index === parts.length - 1 ? readV4(part) : null
    if (v4 !== null) groups.push(v4 >> 16n, v4 & 0xffffn)
    else if (/^[\da-f]{1,4}$/i.test(part)) groups.push(BigInt(`0x${part}`))
    else return null
  }
  return groups
}
