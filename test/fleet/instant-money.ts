import { createInstantFacilitator } from '../../bench/payments/servers/instant-facilitator.ts'
import { createInstantNode, type Moved } from '../../bench/payments/servers/instant-node.ts'
import { serveFacilitator } from '../../src/sandbox/facilitator/serve-facilitator.ts'
import { startLoopbackServer } from '../../src/sandbox/loopback-server.ts'

/**
 * Facilitators and a node of Base that answer at once, in a process of their own: what is left is what the service
 * itself costs. Says where they are on stdout: `ready <facilitators> <node>`.
 */
type Call = { id: unknown; method: string; params: readonly unknown[] }

const FEE_PAYER = '1'.repeat(32)
/** The service asks each 50 times a second at most. */
const FACILITATORS = 40
const node = createInstantNode(Date.now(), Date.now)
const { client } = createInstantFacilitator(FEE_PAYER)

const serve = () =>
  serveFacilitator({
    verify: client.verify,
    getSupported: client.getSupported,
    async settle(payload, requirement) {
      const { authorization } = payload.payload as { authorization: Moved }
      node.include(authorization)
      return client.settle(payload, requirement)
    },
  })
const facilitators = await Promise.all(Array.from({ length: FACILITATORS }, serve))
const answered = await startLoopbackServer({
  answer({ body }) {
    const asked = JSON.parse(body.toString()) as Call | readonly Call[]
    const reply = Array.isArray(asked) ? asked.map(answer) : answer(asked as Call)
    return { status: 200, body: JSON.stringify(reply) }
  },
})
process.stdout.write(`ready ${facilitators.map(({ url }) => url).join()} ${answered.url} \n`)
process.once('SIGTERM', () => process.exit(0))

function answer({ id, method, params }: Call): unknown {
  try {
    return { jsonrpc: '2.0', id, result: node.answer(method, params) }
  } catch (error) {
    return { jsonrpc: '2.0', id, error: { code: -32_601, message: String(error) } }
  }
}
