const IPV4 = /^(\d+\.\d+\.\d+)\.\d+$/
const IPV6_LINE = /^([\da-f]{12})[\da-f]{4}\/64$/

/** What one customer of a provider may have many addresses of: the IPv4 /24 or the IPv6 /48 of a client key. */
export function networkOf(client: string): string {
  const ipv4 = IPV4.exec(client)?.[1]
  if (ipv4 !== undefined) return `${ipv4}.0/24`
  const ipv6 = IPV6_LINE.exec(client)?.[1]
  return ipv6 === undefined ? client : `${ipv6}/48`
}
