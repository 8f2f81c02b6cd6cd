import { UPSTREAMS } from './providers.ts'

const HIDDEN = '(hidden)'
const CALLED = /^(http|ws)s?:$/

/** What paths of addresses are made of where nothing in them is a key: all that defaults have, and what is usual. */
const PUBLIC_PARTS: ReadonlySet<string> = new Set([
  ...UPSTREAMS.flatMap(({ url = '' }) => URL.parse(url)?.pathname.split('/') ?? []),
  ...['', 'v1', 'traces', 'facilitator', 'rpc', '8453', 'tollbook'],
])

/** An address that we call, with its host: its path, query and fragment may hold a key, whatever the provider. */
export function showAddress(text: string): string {
  const url = URL.parse(text)
  if (!url || findKeys(url).length === 0) return text
  const path = url.pathname.split('/').map((part) => (PUBLIC_PARTS.has(part) ? part : HIDDEN))
  return `${url.protocol}//${url.host}${path.join('/')}${url.search && `?${HIDDEN}`}${url.hash && `#${HIDDEN}`}`
}

/** All of such an address that may be a key; nothing of any other text. */
export function findKeys({ protocol, pathname, searchParams, hash }: URL): string[] {
  if (!CALLED.test(protocol)) return []
  const parts = pathname.split('/').filter((part) => !PUBLIC_PARTS.has(part))
  return [...parts, ...[...searchParams].flat(), hash.slice(1)].filter((part) => part !== '')
}
