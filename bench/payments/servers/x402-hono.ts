/** Our routes on Hono, the paid ones behind `@x402/hono`. No ledger, no signature check of its own, no request log. */
import type { Server } from 'node:http'
import { createAdaptorServer } from '@hono/node-server'
import { paymentMiddleware } from '@x402/hono'
import { Hono } from 'hono'
import { silentLog } from '../../../src/core/log.ts'
import { announce } from '../../harness/servers/announce.ts'
import { toColon } from '../../harness/servers/to-colon.ts'
import { setUpX402 } from '../../harness/servers/x402-setup.ts'
import { type PeerJob, readServerJob } from '../job.ts'
import { openFacilitator } from './open-facilitator.ts'

const job = readServerJob<PeerJob>()
const { client } = await openFacilitator(job, silentLog)
const { protectedRoutes, resourceServer } = setUpX402(job, client)
const app = new Hono()
app.use(paymentMiddleware(protectedRoutes, resourceServer))
for (const { path } of job.routes) {
  app.get(toColon(path), (context) => context.body(job.body, 200, { 'Content-Type': 'application/json' }))
}
announce(createAdaptorServer({ fetch: app.fetch }) as Server)
