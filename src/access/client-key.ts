import type { IncomingMessage } from 'node:http'
import { isIP, type Socket } from 'node:net'
import ipaddr from 'ipaddr.js'

export type ClientKey = (request: IncomingMessage) => string

const IPV6_CLIENT_BYTES = 8 // a /64 is one customer's line
const MAX_HOPS = 20

/** Who is calling: an IPv4 address or an IPv6 /64. Forwarded addresses count only from proxies we were told to trust. */
export function createClientKey(trustedProxies: readonly string[]): ClientKey {
  const trusted = trustedProxies.map(parseRange)
  const isTrusted = (address: IpAddress) => trusted.some((range) => contains(range, address))
  const direct = new WeakMap<Socket, { address: IpAddress; key: string; isProxy: boolean }>()

  const peerOf = (socket: Socket) => {
    const known = direct.get(socket)
    if (known) return known
    const address = ipaddr.process(socket.remoteAddress ?? '0.0.0.0')
    const peer = { address, key: keyOf(address), isProxy: isTrusted(address) }
    direct.set(socket, peer)
    return peer
  }
  return (request) => {
    const peer = peerOf(request.socket)
    if (!peer.isProxy) return peer.key
    const forwarded = findForwarded(request.headers['x-forwarded-for'], isTrusted)
    return forwarded ? keyOf(forwarded) : peer.key
  }
}

type IpAddress = ipaddr.IPv4 | ipaddr.IPv6
type Range = [IpAddress, number]

/** The right-most hop that is not a proxy of ours: everything left of it is the caller's own claim. */
function findForwarded(
  header: string | string[] | undefined,
  isTrusted: (address: IpAddress) => boolean,
): IpAddress | undefined {
  const hops = String(header ?? '')
    .split(',')
    .slice(-MAX_HOPS)
  for (const hop of hops.reverse()) {
    const text = withoutPort(hop.trim())
    if (isIP(text) === 0) return undefined
    const address = ipaddr.process(text)
    if (!isTrusted(address)) return address
  }
  return undefined
}

/** Some proxies write `1.2.3.4:5555` or `[2001:db8::1]:5555`. */
function withoutPort(hop: string): string {
  const [, bracketed, plain] = /^(?:\[([^\]]*)\]|([\d.]+))(?::\d{1,5})?$/.exec(hop) ?? []
  return bracketed ?? plain ?? hop
}

function keyOf(address: IpAddress): string {
  if (address.kind() === 'ipv4') return address.toString()
  const prefix = address.toByteArray().slice(0, IPV6_CLIENT_BYTES)
  return `${Buffer.from(prefix).toString('hex')}/64`
}

function parseRange(text: string): Range {
  return text.includes('/') ? ipaddr.parseCIDR(text) : singleAddress(ipaddr.process(text))
}

const singleAddress = (address: IpAddress): Range => [address, address.kind() === 'ipv4' ? 32 : 128]

function contains([base, bits]: Range, address: IpAddress): boolean {
  return base.kind() === address.kind() && address.match(base as ipaddr.IPv4 & ipaddr.IPv6, bits)
}
