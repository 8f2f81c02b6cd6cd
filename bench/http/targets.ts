import { type CapturedReply, findHeader, type Place } from '../harness/capture.ts'
import { CASES, type Case, type CaseId } from './cases.ts'

export const SERVERS = ['tollbook', 'bare', 'x402-hono', 'x402-express', 'hono-log'] as const
export type ServerName = (typeof SERVERS)[number]
export type TargetName = `${ServerName}/${CaseId}`
/** One kind of request. `status` is what must come back. */
export type Asked = { name: string; path: string; status: number; headers: Record<string, string> }
/** One kind of request to one server. */
export type Target = Asked & { name: TargetName; server: ServerName }

/** The SDKs have no demo calls and no documents; what Hono would cost us shows best on the free market reply. */
const OFFERED: Record<ServerName, readonly CaseId[]> = {
  tollbook: ['challenge', 'demo', 'market', 'document', 'unchanged'],
  bare: ['challenge', 'demo', 'market', 'document', 'unchanged'],
  'x402-hono': ['challenge', 'market'],
  'x402-express': ['challenge', 'market'],
  'hono-log': ['market'],
}

export function targets(document: CapturedReply): Target[] {
  return SERVERS.flatMap((server) =>
    CASES.filter(({ id }) => OFFERED[server].includes(id)).map((each) => ({
      name: `${server}/${each.id}` as const,
      server,
      path: server === 'bare' ? `/${each.id}` : each.path,
      status: each.status,
      headers: caseHeaders(each, document),
    })),
  )
}

/** Only a caller that shows the right ETag gets 304. */
export function caseHeaders({ id }: Case, document: CapturedReply): Record<string, string> {
  return id === 'unchanged' ? { 'If-None-Match': findHeader(document, 'ETag') ?? '' } : {}
}

export function requestBytes({ path, headers }: Asked, { host, port }: Place): Buffer {
  const all = { Host: `${host}:${port}`, 'User-Agent': 'bench', Accept: '*/*', ...headers }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  return Buffer.from(`GET ${path} HTTP/1.1\r\n${lines.join('')}\r\n`, 'latin1')
}
