/** Our routes on Express, the paid ones behind `@x402/express`. No ledger, no signature check of its own, no request log. */
import { createServer } from 'node:http'
import { paymentMiddleware } from '@x402/express'
import express from 'express'
import { silentLog } from '../../../src/core/log.ts'
import { announce } from '../../harness/servers/announce.ts'
import { toColon } from '../../harness/servers/to-colon.ts'
import { setUpX402 } from '../../harness/servers/x402-setup.ts'
import { type PeerJob, readServerJob } from '../job.ts'
import { openFacilitator } from './open-facilitator.ts'

const job = readServerJob<PeerJob>()
const { client } = await openFacilitator(job, silentLog)
const { protectedRoutes, resourceServer } = setUpX402(job, client)
const app = express()
// Hashing every body for an ETag is the default, and costs more than all the rest.
app.set('etag', false)
app.disable('x-powered-by')
app.use(paymentMiddleware(protectedRoutes, resourceServer))
for (const { path } of job.routes) {
  app.get(toColon(path), (_request, response) => {
    response.type('json').send(job.body)
  })
}
announce(createServer(app))
