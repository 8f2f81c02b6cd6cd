import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { silentLog } from '../src/core/log.ts'
import { createManualClock } from '../src/core/time/manual-clock.ts'
import { createJsonRpc } from '../src/payments/chain/json-rpc.ts'
import { createFacilitators } from '../src/payments/facilitators/facilitators.ts'
import { createHttpMember } from '../src/payments/facilitators/members/http-member.ts'
import { startLoopbackServer } from '../src/sandbox/loopback-server.ts'
import { createOutages, type Outage, type OutageKind } from '../src/sandbox/providers/outages.ts'

const START_MS = Date.UTC(2026, 0, 5, 12)
const SVM = 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'
const FEE_PAYER = 'EwWqGE4ZFKLofuestmU4LDdK7XM1N4ALgdZccwYugwGd'
const SUPPORTED = {
  kinds: [{ x402Version: 2, scheme: 'exact', network: SVM, extra: { feePayer: FEE_PAYER } }],
}
const KINDS: readonly OutageKind[] = ['reset', 'hang', 'error', 'html', 'truncate', 'wrong_types', 'empty']
const OUTAGES: readonly Outage[] = [...KINDS.map((kind) => ({ kind })), { kind: 'limit', retryAfter: '5' }]
/** A real timeout of the node, which has no clock of ours. */
const NODE_TIMEOUT_MS = 300

/** One address that answers with `body` and can be made to fail. */
async function serve(toBody: (request: { body: Buffer }) => unknown) {
  const outages = createOutages({ tamper: undefined, disconnect() {} })
  const server = await startLoopbackServer({
    answer: (request) =>
      outages.answer('it', request, async () => ({
        status: 200,
        body: JSON.stringify(toBody(request)),
      })),
  })
  onTestFinished(() => server.close())
  return { ...server, outages }
}

test.each(OUTAGES)('what facilitators support is known within 30 s of an outage: $kind', async (outage) => {
  const { url, outages } = await serve(() => SUPPORTED)
  outages.set('it', 'rest', outage)
  const clock = createManualClock(START_MS)
  const stop = new AbortController()
  const members = [createHttpMember({ url })]
  const pool = createFacilitators({ clock, log: silentLog, members, random: () => 1 })
  const running = pool.run(stop.signal)
  const pass = async (seconds: number) => {
    for (let second = 0; second < seconds; second++) {
      clock.advance(1_000)
      for (let turn = 0; turn < 40; turn++) await nextTurn()
    }
  }
  await pass(120)
  expect(pool.feePayerOf(SVM)).toBeUndefined()
  expect(outages.count('it', 'rest')).toBeLessThan(12)
  outages.set('it', 'rest')
  await pass(30)
  expect(pool.feePayerOf(SVM)).toBe(FEE_PAYER)
  // What it said is not forgotten over another outage.
  outages.set('it', 'rest', outage)
  await pass(400)
  expect(pool.feePayerOf(SVM)).toBe(FEE_PAYER)
  stop.abort()
  await pass(10)
  await running
})

test.each(OUTAGES)('a chain node answers the first call after an outage: $kind', async (outage) => {
  const { url, outages } = await serve(({ body }) => {
    const { id } = JSON.parse(body.toString()) as { id: number }
    return { jsonrpc: '2.0', id, result: '0x2105' }
  })
  const rpc = createJsonRpc({ rpcUrl: url, timeoutMs: NODE_TIMEOUT_MS })
  for (let time = 0; time < 2; time++) {
    outages.set('it', 'rest', outage)
    for (let call = 0; call < 3; call++) await expect(rpc.call('eth_chainId', [])).rejects.toThrow()
    outages.set('it', 'rest')
    expect(await rpc.call('eth_chainId', [])).toBe('0x2105')
  }
})
