import type { IncomingMessage } from 'node:http'
import { isIP, type Socket } from 'node:net'
import ipaddr from 'ipaddr.js'

export type ClientKey = (request: IncomingMessage) => string
export type PeerOf = (socket: Socket) => { key: string; isProxy: boolean }

const IPV6_CLIENT_BYTES = 8 // a /64 is one customer's line
const IPV6_LINE = '/64'
const IPV6_CUSTOMER_CHARS = 12 // of a /48, which many networks give to one customer
const IPV6_CUSTOMER = '/48'
const IPV6_NETWORK_CHARS = 8 // of a /32, which a registry gives to one network
const MAX_HOPS = 20

/** Who is calling: an IPv4 address or an IPv6 /64. Forwarded addresses count only from proxies we were told to trust. */
export function createClientKey(trustedProxies: readonly string[]): ClientKey {
  const isTrusted = createIsTrusted(trustedProxies)
  const peerOf = createPeerOf(trustedProxies)
  return (request) => {
    const peer = peerOf(request.socket)
    if (!peer.isProxy) return peer.key
    const forwarded = findForwarded(request.headers['x-forwarded-for'], isTrusted)
    return forwarded ? keyOf(forwarded) : peer.key
  }
}

/** The same caller by the whole address, for another process of ours. */
export function createClientAddress(trustedProxies: readonly string[]): ClientKey {
  const isTrusted = createIsTrusted(trustedProxies)
  return ({ socket, headers }) => {
    const peer = ipaddr.process(socket.remoteAddress ?? '0.0.0.0')
    const forwarded = isTrusted(peer) ? findForwarded(headers['x-forwarded-for'], isTrusted) : undefined
    return (forwarded ?? peer).toString()
  }
}

/** Who is at the other end of a connection, whomever he speaks for. */
export function createPeerOf(trustedProxies: readonly string[]): PeerOf {
  const isTrusted = createIsTrusted(trustedProxies)
  const direct = new WeakMap<Socket, ReturnType<PeerOf>>()
  return (socket) => {
    const known = direct.get(socket)
    if (known) return known
    const address = ipaddr.process(socket.remoteAddress ?? '0.0.0.0')
    const peer = { key: keyOf(address), isProxy: isTrusted(address) }
    direct.set(socket, peer)
    return peer
  }
}

function createIsTrusted(trustedProxies: readonly string[]): (address: IpAddress) => boolean {
  const trusted = trustedProxies.map(parseRange)
  return (address) => trusted.some((range) => contains(range, address))
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
  return `${Buffer.from(prefix).toString('hex')}${IPV6_LINE}`
}

/** Whose a client may be: an IPv6 /48 has 65,536 lines, and one customer can have all of them. */
export const customerOf = (client: string): string =>
  client.endsWith(IPV6_LINE) ? `${client.slice(0, IPV6_CUSTOMER_CHARS)}${IPV6_CUSTOMER}` : client

/** Whose addresses a customer's are: an IPv6 /32 has 65,536 customers, and rents them out by the thousand. */
export const networkOf = (customer: string): string =>
  customer.endsWith(IPV6_CUSTOMER) ? `${customer.slice(0, IPV6_NETWORK_CHARS)}/32` : customer

function parseRange(text: string): Range {
  return text.includes('/') ? ipaddr.parseCIDR(text) : singleAddress(ipaddr.process(text))
}

const singleAddress = (address: IpAddress): Range => [address, address.kind() === 'ipv4' ? 32 : 128]

function contains([base, bits]: Range, address: IpAddress): boolean {
  return base.kind() === address.kind() && address.match(base as ipaddr.IPv4 & ipaddr.IPv6, bits)
}
