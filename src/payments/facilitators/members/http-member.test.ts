import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it } from 'vitest'
import { createHttpMember } from './http-member.ts'
import type { FacilitatorRequest } from './member.ts'

const REQUEST: FacilitatorRequest = {
  x402Version: 2,
  paymentPayload: { x402Version: 2, payload: { signature: '0x' } },
  paymentRequirements: {
    scheme: 'exact',
    network: 'eip155:8453',
    amount: '1000',
    asset: 'usdc',
    payTo: 'us',
    maxTimeoutSeconds: 300,
    extra: {},
  },
}
const patient = () => new AbortController().signal

async function startFacilitator(listener: RequestListener) {
  const server = createServer(listener).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/x402`
  return {
    url,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
const replying =
  (status: number, text: string, headers: Record<string, string> = {}): RequestListener =>
  (_, reply) =>
    void reply.writeHead(status, headers).end(text)

it('speaks the facilitator protocol, with credentials for each call', async () => {
  const seen: unknown[] = []
  await using facilitator = await startFacilitator(async (request, reply) => {
    let body = ''
    for await (const chunk of request) body += chunk
    seen.push([request.method, request.url, request.headers.authorization, body && JSON.parse(body)])
    reply.end('{"isValid":true,"success":true,"transaction":"0xabc","kinds":[]}')
  })
  const auth = (method: string, url: URL) => ({ authorization: `${method} ${url.pathname}` })
  const member = createHttpMember({ url: `${facilitator.url}/`, auth })
  expect(await member.verify(REQUEST, patient())).toMatchObject({ kind: 'answer', answer: { isValid: true } })
  expect(await member.settle(REQUEST, patient())).toMatchObject({ answer: { transaction: '0xabc' } })
  expect(await member.supported(patient())).toEqual({ kind: 'answer', answer: [] })
  expect(seen).toEqual([
    ['POST', '/x402/verify', 'POST /x402/verify', REQUEST],
    ['POST', '/x402/settle', 'POST /x402/settle', REQUEST],
    ['GET', '/x402/supported', 'GET /x402/supported', ''],
  ])
})

it.each([
  [400, '{"success":false,"errorReason":"invalid_payload"}', { kind: 'answer' }],
  [201, '{"success":true,"transaction":"0x1"}', { kind: 'answer' }],
  [500, '{"success":false,"errorReason":"settlement_pending"}', { kind: 'fault', fault: 'server_error' }],
  [400, '{"error":"bad"}', { kind: 'fault', fault: 'rejected', said: '{"error":"bad"}' }],
  [401, '{"error":"who are you"}', { kind: 'fault', fault: 'unauthorized' }],
  [409, '{"error":"seen before"}', { kind: 'fault', fault: 'server_error' }],
  [429, '{"error":"slow down"}', { kind: 'fault', fault: 'busy' }],
  [429, '{"success":false,"errorReason":"invalid_payload"}', { kind: 'fault', fault: 'busy' }],
  [503, '<html>', { kind: 'fault', fault: 'edge' }],
  [503, '{"error":"down"}', { kind: 'fault', fault: 'server_error' }],
  [502, '<html>', { kind: 'fault', fault: 'server_error' }],
  [504, '', { kind: 'fault', fault: 'server_error' }],
  [200, 'ok', { kind: 'fault', fault: 'unparsable' }],
  [200, '{"success":"true"}', { kind: 'fault', fault: 'unparsable' }],
  [200, 'null', { kind: 'fault', fault: 'unparsable' }],
  [200, `{"success":true,"pad":"${'x'.repeat(300_000)}"}`, { kind: 'fault', fault: 'unparsable' }],
])('reads a settle reply %i %s', async (status, text, expected) => {
  await using facilitator = await startFacilitator(replying(status, text))
  const member = createHttpMember({ url: facilitator.url })
  expect(await member.settle(REQUEST, patient())).toMatchObject(expected)
})

it.each([
  [{ 'retry-after': '7' }, 7_000],
  [{ 'retry-after': 'Mon, 05 Jan 2026 12:00:09 GMT', date: 'Mon, 05 Jan 2026 12:00:00 GMT' }, 9_000],
  [{}, 10_000],
])('hears how long a busy facilitator wants to be left alone: %o', async (headers, waitMs) => {
  await using facilitator = await startFacilitator(replying(429, '', headers))
  const member = createHttpMember({ url: facilitator.url })
  expect(await member.verify(REQUEST, patient())).toEqual({ kind: 'fault', fault: 'busy', waitMs })
})

it('goes nowhere else when it is redirected', async () => {
  let visits = 0
  await using elsewhere = await startFacilitator((_, reply) => {
    visits++
    reply.end('{"success":true}')
  })
  await using facilitator = await startFacilitator(replying(307, '', { location: `${elsewhere.url}/settle` }))
  const member = createHttpMember({ url: facilitator.url })
  expect(await member.settle(REQUEST, patient())).toEqual({ kind: 'fault', fault: 'unreachable' })
  expect(visits).toBe(0)
})

it('distinguishes a refused connection from one that broke after sending', async () => {
  let closedUrl = ''
  {
    await using gone = await startFacilitator(replying(200, ''))
    closedUrl = gone.url
  }
  await using breaking = await startFacilitator((request) => request.socket.destroy())
  const refused = await createHttpMember({ url: closedUrl }).settle(REQUEST, patient())
  const broken = await createHttpMember({ url: breaking.url }).settle(REQUEST, patient())
  expect([refused, broken]).toEqual([
    { kind: 'fault', fault: 'unreachable' },
    { kind: 'fault', fault: 'reset' },
  ])
})

it('stops when it is aborted, also in the middle of a reply', async () => {
  const stop = new AbortController()
  await using facilitator = await startFacilitator((_, reply) => {
    reply.writeHead(200).write('{"success":')
    setImmediate(() => stop.abort())
  })
  const member = createHttpMember({ url: facilitator.url })
  expect(await member.settle(REQUEST, stop.signal)).toEqual({ kind: 'fault', fault: 'timeout' })
})
