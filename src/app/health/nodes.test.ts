import { createServer, type Server } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { createManualClock } from '../../core/time/manual-clock.ts'
import { choosePort, listen } from '../../http/listen.ts'
import { createKeptLog } from '../../testing/kept-log.ts'
import { openChains } from '../chains.ts'
import { chainChecks } from './health-chains.ts'
import { nodeDependencies } from './nodes.ts'
import { createWatch } from './watch.ts'

const HOST = '127.0.0.1'
/** The head of Base is as old as the clock of these tests. */
const WELL = {
  eth_getBlockByNumber: { number: '0x10', timestamp: '0x0' },
  eth_getTransactionReceipt: null,
  eth_call: `0x${'0'.repeat(64)}`,
  getHealth: 'ok',
  getSlot: 1,
}
const MAINNET = '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d'

type Refusal = { status: number; error: object }
/** As free plans do it; what a batch may hold is a matter of the plan. */
const NO_BATCHES: Refusal = {
  status: 403,
  error: { code: -32_403, message: 'Batch requests are for paid plans' },
}

async function startNode(port: number, results: Record<string, unknown>, refusal?: Refusal): Promise<Server> {
  const server = createServer(async (request, response) => {
    let text = ''
    for await (const part of request) text += part
    const asked = JSON.parse(text)
    if (refusal && Array.isArray(asked)) {
      response.statusCode = refusal.status
      return response.end(JSON.stringify({ error: refusal.error }))
    }
    const answer = ({ id, method }: { id: number; method: string }) => ({
      jsonrpc: '2.0',
      id,
      result: { ...WELL, ...results }[method],
    })
    return response.end(JSON.stringify(Array.isArray(asked) ? asked.map(answer) : answer(asked)))
  })
  await listen(server, HOST, port)
  onTestFinished(() => stopNode(server))
  return server
}
async function stopNode(server: Server): Promise<void> {
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
}

/** What the watch over each configured node finds. */
async function look(rpc: { evm?: string; svm?: string }, mode: 'sandbox' | 'live' = 'live') {
  const log = createKeptLog()
  const clock = createManualClock(0)
  const { base, solana } = openChains({
    clock,
    config: { mode, chains: { evmConfirmations: [], svmFinalizedFrom: undefined } },
    rpc: { evm: rpc.evm?.split(',') ?? [], svm: rpc.svm?.split(',') ?? [] },
  })
  const chains = [base, solana]
  const watches = nodeDependencies(chains).map((each) => createWatch(each, { clock, log }))
  await Promise.all(watches.map((each) => each.start()))
  const details = watches.map((each) => `${each.name}: ${each.latest().detail}`)
  return { log, clock, chains, watches, details, checks: () => chainChecks(chains) }
}

test('a node that dies is named by its host, without the key in its address, and so is its return', async () => {
  const port = await choosePort(HOST, 0)
  const node = await startNode(port, { eth_chainId: '0x2105' })
  const { watches, log } = await look({ evm: `http://${HOST}:${port}/v2/my-secret-key` })
  const [watch] = watches
  expect(watch?.latest().isWell).toBe(true)
  await stopNode(node)
  await watch?.start()
  expect(watch?.latest().detail).toBe('does not answer (ECONNREFUSED)')
  await startNode(port, { eth_chainId: '0x2105' })
  await watch?.start()
  expect(watch?.latest().isWell).toBe(true)
  expect(log.about('base').map(({ level, host, cause }) => [level, host, cause])).toEqual([
    ['warn', `${HOST}:${port}`, `connect ECONNREFUSED ${HOST}:${port}`],
    ['info', `${HOST}:${port}`, `connect ECONNREFUSED ${HOST}:${port}`],
  ])
  expect(JSON.stringify(log.lines)).not.toContain('my-secret-key')
})

test('a node that takes no batches is well, and sells', async () => {
  const port = await choosePort(HOST, 0)
  await startNode(port, { eth_chainId: '0x2105', getGenesisHash: MAINNET }, NO_BATCHES)
  const url = `http://${HOST}:${port}`
  const { watches, chains } = await look({ evm: url, svm: url })
  expect(watches.map((watch) => watch.latest().isWell)).toEqual([true, true])
  for (const chain of chains) await chain.ready(0)
})

test('a node of another chain is told from a dead one', async () => {
  const port = await choosePort(HOST, 0)
  await startNode(port, { eth_chainId: '0x1', getHealth: 'ok', getGenesisHash: 'a devnet' })
  const url = `http://${HOST}:${port}`
  expect((await look({ evm: url, svm: url })).details).toEqual([
    'base: is of chain 1, not 8453',
    'solana: is not of the Solana main network',
  ])
})

test('a local Solana may have a genesis of its own; the real one is known by it', async () => {
  const port = await choosePort(HOST, 0)
  await startNode(port, { getHealth: 'ok', getGenesisHash: MAINNET })
  const svm = `http://${HOST}:${port}`
  expect((await look({ svm }, 'live')).details).toEqual(['solana: well'])
  const local = await choosePort(HOST, 0)
  await startNode(local, { getHealth: 'ok' })
  expect((await look({ svm: `http://${HOST}:${local}` }, 'sandbox')).details).toEqual(['solana: well'])
})

test('a network that is not offered has no node to watch', async () => {
  expect((await look({})).details).toEqual([])
})

test('each chain has a check of its own: state, since when it fails and why, latency and age of its head', async () => {
  const port = await choosePort(HOST, 0)
  const results: Record<string, unknown> = { eth_chainId: '0x2105' }
  await startNode(port, results)
  const stranger = await choosePort(HOST, 0)
  await startNode(stranger, { eth_chainId: '0x1' })
  const url = (at: number) => `http://${HOST}:${at}/v2/my-secret-key`
  const { chains, clock, checks, log } = await look({ evm: `${url(port)},${url(stranger)}` })
  const [first] = checks()
  expect(first).toMatchObject({
    name: 'chain-base',
    needed: false,
    state: 'degraded',
    ageMs: 0,
    latencyMs: expect.any(Number),
    detail: '1 of 2 nodes well, node 2 failing since 1970-01-01T00:00:00.000Z: is of chain 1, not 8453',
  })
  expect(log.about('base 2').map(({ cause }) => cause)).toEqual(['is of chain 1, not 8453'])
  clock.advance(30_000)
  expect(checks()[0]).toMatchObject({ ageMs: 30_000 })
  // Its head stands still.
  clock.advance(31_000)
  await expect(chains[0]?.all[0]?.probe()).rejects.toThrow('61 s old')
  const [stale] = checks()
  expect(stale).toMatchObject({ state: 'down', ageMs: 61_000 })
  expect(stale?.detail).toContain(
    'node 1 failing since 1970-01-01T00:01:01.000Z: its newest block, 16, is 61 s old',
  )
  expect(JSON.stringify([checks(), log.lines])).not.toContain('my-secret-key')
})
