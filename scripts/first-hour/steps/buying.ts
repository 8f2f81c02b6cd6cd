import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import type { Json } from '../service.ts'
import type { Step } from '../step.ts'

/** Default buffers of reverse proxies hold 4 KB. */
const MAX_HEADER_BYTES = 4_000

export const buyingSteps: Step[] = [
  {
    item: 10,
    says: '/price/DOGE is 404 before 402, and uses no free call',
    async walk({ sandbox }) {
      const statuses = await Promise.all(
        ['/price/DOGE', '/price/DOGE?demo=0', '/price/doge?x402_version=1'].map(
          async (path) => (await sandbox.get(path)).status,
        ),
      )
      assert.deepEqual(statuses, [404, 404, 404])
      const { hint } = await sandbox.json('/price/DOGE')
      assert.match(hint, /BTC/)
      return `404, hint: ${hint}`
    },
  },
  {
    item: 10,
    says: 'an unknown param is 422 and names the nearest one',
    async walk({ sandbox }) {
      const reply = await sandbox.get('/signals?coin=eth&demo=0')
      assert.equal(reply.status, 422)
      const { detail }: Json = await reply.json()
      assert.match(detail[0].msg, /coins/)
      return detail[0].msg
    },
  },
  {
    item: 10,
    says: 'coins are named in either case',
    async walk({ sandbox }) {
      const paths = ['/price/btc?demo=0', '/price/BTC?demo=0', '/signals?coins=bTc,ETH&demo=0']
      const statuses = await Promise.all(paths.map(async (path) => (await sandbox.get(path)).status))
      assert.deepEqual(statuses, [402, 402, 402])
      return 'btc, BTC and bTc are one'
    },
  },
  {
    item: 11,
    says: `the headers of every 402 are under ${MAX_HEADER_BYTES} bytes`,
    async walk({ sandbox }) {
      const { paths } = await sandbox.json('/openapi.json')
      const paid = Object.entries<{ get?: object }>(paths).filter(([, { get }]) => get && 'x-payments' in get)
      const sizes = await Promise.all(
        paid.map(([path]) => headerBytes(sandbox.url, `${fillSample(path)}?demo=0`)),
      )
      const largest = Math.max(...sizes)
      assert.ok(largest < MAX_HEADER_BYTES, `${largest} bytes`)
      return `${paid.length} paths, at most ${largest} bytes`
    },
  },
  {
    item: 12,
    says: '/price keeps its query over the redirect',
    async walk({ sandbox }) {
      const reply = await sandbox.get('/price?demo=0')
      assert.equal(reply.status, 307)
      assert.match(reply.headers.get('location') ?? '', /\/price\/BTC\?demo=0$/)
      return reply.headers.get('location') ?? ''
    },
  },
  {
    item: 12,
    says: 'broken JSON is 400 with its position, another media type 415',
    async walk({ sandbox }) {
      const post = (type: string, body: string) =>
        sandbox.get('/api/verify-tx', { method: 'POST', headers: { 'content-type': type }, body })
      const broken = await post('application/json', '{"tx_hash": "0x12",\n "endpoint": }')
      const { detail }: Json = await broken.json()
      assert.equal(broken.status, 400)
      assert.match(detail, /line 2|position|character \d+|column \d+/)
      assert.equal((await post('text/plain', '{}')).status, 415)
      return detail
    },
  },
  {
    item: 12,
    says: 'every link of llms.txt and every address of the agent card answers',
    async walk({ sandbox }) {
      const llms = await (await sandbox.get('/llms.txt')).text()
      const card = await (await sandbox.get('/.well-known/agent-card.json')).text()
      const links = new Set(`${llms}\n${card}`.match(new RegExp(`${sandbox.url}[^\\s)"'<>]*`, 'g')))
      const dead: string[] = []
      for (const link of links) {
        const { status } = await fetch(link, { method: 'HEAD', redirect: 'manual' })
        if (status >= 400 && status !== 402 && status !== 405 && status !== 422)
          dead.push(`${status} ${link}`)
      }
      assert.ok(links.size > 5, `only ${links.size} links`)
      assert.deepEqual(dead, [])
      return `${links.size} links`
    },
  },
  {
    item: 12,
    says: '/x402/status names the facilitator and reads as well',
    async walk({ sandbox }) {
      const status = await (await sandbox.get('/x402/status')).text()
      assert.doesNotMatch(status, /unknown|undefined|broken|offline|"down"/i)
      return status.slice(0, 120)
    },
  },
]

async function headerBytes(url: string, path: string): Promise<number> {
  const { hostname, port, host } = new URL(url)
  const socket = connect(Number(port), hostname)
  // Not ended here: a client that has closed its side is taken to have gone.
  socket.write(`GET ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`)
  const reply = await text(socket)
  assert.match(reply, /^HTTP\/1\.1 402 /, `${path}: ${reply.slice(0, 40)}`)
  return Buffer.byteLength(reply.slice(0, reply.indexOf('\r\n\r\n') + 4))
}

/** Addresses that the sandbox knows. */
function fillSample(path: string): string {
  const address = path.startsWith('/wallet')
    ? '0xf89d7b9c864f589bbf53a82105107622b35eaa40'
    : '0x4200000000000000000000000000000000000006'
  return path.replace('{token}', 'BTC').replace(/\{addr(?:ess)?\}/, address)
}
