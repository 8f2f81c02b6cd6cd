import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readConfig } from '../config/config.ts'
import { systemClock } from '../core/time/clock.ts'
import { liveEnvironment } from '../testing/config/live-environment.ts'
import { readHolderLimits } from './holder-limits.ts'

const TOKEN = `0x${'70'.repeat(20)}`
const [RICH, POOR, ODD] = ['a1', 'b2', 'c3'].map((byte) => `0x${byte.repeat(20)}`) as [string, string, string]
/** Of `decimals()`. */
const DECIMALS = '0x313ce567'
const HELD: Record<string, bigint> = { [RICH]: 100n, [POOR]: 0n }
const wordOf = (value: bigint) => `0x${value.toString(16).padStart(64, '0')}`

/** A node that knows what two wallets hold of a token with no decimals. */
const node = createServer(async (request, response) => {
  let text = ''
  for await (const part of request) text += part
  const { id, params } = JSON.parse(text) as { id: number; params: [{ data: string }] }
  const [{ data }] = params
  const held = HELD[`0x${data.slice(-40)}`]
  const result = data === DECIMALS ? wordOf(0n) : held === undefined ? '0x' : wordOf(held)
  response.end(JSON.stringify({ jsonrpc: '2.0', id, result }))
})
beforeAll(() => new Promise<void>((resolve) => node.listen(0, '127.0.0.1', resolve)))
afterAll(() => new Promise((resolve) => node.close(resolve)))

test('tells the limit of each wallet by what it holds now, and where the chain does not tell', async () => {
  const rpcUrl = `http://127.0.0.1:${(node.address() as AddressInfo).port}`
  const env = { ...liveEnvironment, TOLLBOOK_PROJECT_TOKEN: TOKEN, TOLLBOOK_EVM_RPC_URL: rpcUrl }
  const limits = readHolderLimits({ config: readConfig(env), clock: systemClock }, [POOR, ODD, RICH])
  expect(await limits).toEqual([0, undefined, 10_000])
})

test('without a token or a node nothing is asked', async () => {
  const config = readConfig({ TOLLBOOK_MODE: 'sandbox' })
  expect(await readHolderLimits({ config, clock: systemClock }, [RICH])).toEqual([undefined])
})
