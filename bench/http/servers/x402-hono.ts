/** Our routes on Hono, the paid ones behind `@x402/hono`. No request log. */
import type { Server } from 'node:http'
import { createAdaptorServer } from '@hono/node-server'
import { paymentMiddleware } from '@x402/hono'
import { Hono } from 'hono'
import { announce } from '../../harness/servers/announce.ts'
import { setUpX402 } from '../../harness/servers/x402-setup.ts'
import { readJob } from '../job.ts'
import { mirroredRoutes } from './mirrored-routes.ts'

const job = readJob()
const { protectedRoutes, resourceServer } = setUpX402(job)
const app = new Hono()
app.use(paymentMiddleware(protectedRoutes, resourceServer))
for (const { pattern, body } of mirroredRoutes(job)) {
  app.get(pattern, (context) => context.body(body, 200, { 'Content-Type': 'application/json' }))
}
announce(createAdaptorServer({ fetch: app.fetch }) as Server)
