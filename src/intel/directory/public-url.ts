import ipaddr from 'ipaddr.js'
import { looksLikeInstructions } from '../hostile-text.ts'

const MAX_URL_CHARS = 400
/** Names for special use (RFC 6761 and its list), and those that networks use among themselves. */
const LOCAL =
  /(?:^|\.)(?:localhost|localdomain|local|internal|intranet|private|lan|home|corp|mail|test|invalid|arpa|onion|alt|i2p)$/
/** Public names that lead to whatever address they spell, or to the buyer's own machine. */
const LEADS_INSIDE =
  /(?:^|\.)(?:nip\.io|sslip\.io|xip\.io|localtest\.me|lvh\.me|traefik\.me|vcap\.me|lacolhost\.com)$/

/** An address that a buyer can call; undefined for others, among them those inside the buyer's own network. */
export function findPublicUrl(text: string): URL | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || (url.protocol !== 'https:' && url.protocol !== 'http:')) return undefined
  url.hash = ''
  const isOdd = url.username !== '' || url.password !== '' || url.href.length > MAX_URL_CHARS
  if (isOdd || !isPublicHost(url.hostname) || looksLikeInstructions(wordsOf(url))) return undefined
  return url
}

/** `www.` names the same place. */
export const hostOf = ({ host }: URL): string => host.replace(/^www\./, '')

function isPublicHost(hostname: string): boolean {
  const literal = hostname.replace(/^\[|\]$/g, '')
  if (ipaddr.isValid(literal)) return ipaddr.process(literal).range() === 'unicast'
  const name = hostname.replace(/\.$/, '')
  return name.includes('.') && !LOCAL.test(name) && !LEADS_INSIDE.test(name)
}

/** An address can say much, too. */
export function wordsOf({ hostname, pathname, search }: URL): string {
  const text = `${hostname}${pathname}${search}`
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return text
  }
}
