/** What our service would be on Hono: its routes, headers, request ids and log line, and no payments. */
import type { Server } from 'node:http'
import { createAdaptorServer } from '@hono/node-server'
import { Hono } from 'hono'
import { createLog } from '../../../src/core/log.ts'
import { announce } from '../../harness/servers/announce.ts'
import { readJob } from '../job.ts'
import { mirroredRoutes } from './mirrored-routes.ts'

const job = readJob()
const log = createLog({ level: 'info' })
const app = new Hono()
let count = 0

app.use(async (context, next) => {
  const startedAt = performance.now()
  const id = `bench-${(count++).toString(36)}`
  context.header('X-Request-Id', id)
  await next()
  const { method, path } = context.req
  const ms = Math.round((performance.now() - startedAt) * 1000) / 1000
  log.info({ id, method, path, route: 'market', status: context.res.status, ms }, 'request')
})
const headers = ownHeaders(job.replies.market.headers)
for (const { pattern, body } of mirroredRoutes(job))
  app.get(pattern, (context) => context.body(body, 200, headers))
announce(createAdaptorServer({ fetch: app.fetch }) as Server)

/** The request id is set for each request, the length by the adapter. */
function ownHeaders(flat: readonly string[]): Record<string, string> {
  const pairs = flat.flatMap((name, i) => (i % 2 === 0 ? [[name, flat[i + 1] ?? ''] as const] : []))
  return Object.fromEntries(pairs.filter(([name]) => name !== 'X-Request-Id' && name !== 'Content-Length'))
}
