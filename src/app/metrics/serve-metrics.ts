import { timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import { digestOf } from '../../access/new-operator-key.ts'
import type { Secret } from '../../core/secret.ts'
import { ServiceError } from '../../core/service-error.ts'
import { type Aside, answerAside } from '../../http/aside.ts'
import { failureReply, type Reply, textReply } from '../../http/reply.ts'
import type { Rendered } from './registry.ts'

export const METRICS_PATH = '/metrics'

/** Where a token is set, only who brings it gets the metrics: they tell what was sold. */
export function metricsAside(
  scrape: () => Promise<Rendered>,
  token: Secret | undefined,
  onRefused: () => void,
): Aside {
  const isAllowed = createIsAllowed(token)
  const answer = async (raw: IncomingMessage, id: string): Promise<Reply> => {
    if (!isAllowed(raw)) {
      onRefused()
      return failureReply(new ServiceError('unauthorized', 'this needs the token of the metrics'), id)
    }
    try {
      const { text, contentType } = await scrape()
      return textReply(200, text, ['Content-Type', contentType, 'Cache-Control', 'no-store'])
    } catch (error) {
      return failureReply(error, id)
    }
  }
  return new Map([[METRICS_PATH, answer]])
}

const BEARER = /^Bearer +([\x21-\x7e]{1,512})$/i

/** Digests are of one length and compared whole: the time it takes tells nothing of the token. */
function createIsAllowed(token: Secret | undefined): (raw: IncomingMessage) => boolean {
  if (!token) return () => true
  const digest = digestOf(token.reveal())
  return ({ headers }) => {
    const given = BEARER.exec(headers.authorization ?? '')?.[1]
    return given !== undefined && timingSafeEqual(digestOf(given), digest)
  }
}

const MAX_CONNECTIONS = 16
const LIMITS = { headersTimeout: 5_000, requestTimeout: 10_000, connectionsCheckingInterval: 1_000 }

/** A server of its own: what is behind the public port never reaches it, nor it the public. */
export function createMetricsServer(aside: Aside): Server {
  const server = createServer(LIMITS, async (raw, response) => {
    const reply =
      (await answerAside(aside, raw, 'metrics')) ??
      failureReply(new ServiceError('not_found', `only ${METRICS_PATH} is here`), 'metrics')
    // Places are few: who has no business here keeps none.
    if (reply.status !== 200) response.shouldKeepAlive = false
    response.writeHead(reply.status, [...reply.headers, 'Content-Length', String(reply.bytes)])
    response.end(raw.method === 'HEAD' ? '' : reply.body)
  })
  server.maxConnections = MAX_CONNECTIONS
  return server
}
