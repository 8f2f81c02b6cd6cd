/** Our routes on Express, the paid ones behind `@x402/express`. No request log. */
import { createServer } from 'node:http'
import { paymentMiddleware } from '@x402/express'
import express from 'express'
import { announce } from '../../harness/servers/announce.ts'
import { setUpX402 } from '../../harness/servers/x402-setup.ts'
import { readJob } from '../job.ts'
import { mirroredRoutes } from './mirrored-routes.ts'

const job = readJob()
const { protectedRoutes, resourceServer } = setUpX402(job)
const app = express()
// Hashing every body for an ETag is the default, and costs more than all the rest.
app.set('etag', false)
app.disable('x-powered-by')
app.use(paymentMiddleware(protectedRoutes, resourceServer))
for (const { pattern, body } of mirroredRoutes(job)) {
  app.get(pattern, (_request, response) => {
    response.type('json').send(body)
  })
}
announce(createServer(app))
