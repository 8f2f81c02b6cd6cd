import { expect, it } from 'vitest'
import { openBase } from '../../src/app/intel/base.ts'
import { createManualClock } from '../../src/core/time/manual-clock.ts'
import { createSimulatedMarket } from '../../src/sandbox/market/simulated-market.ts'
import { createTokenWorld } from '../../src/sandbox/tokens/create-token-world.ts'
import { type BaseNode, startBaseNode } from './base-node.ts'

const START_MS = Date.UTC(2026, 4, 6, 12)

async function startNodes() {
  const market = createSimulatedMarket({ seed: 'node', startMs: START_MS })
  const tokens = createTokenWorld({ seed: 'node', market })
  const nodes = await Promise.all([
    startBaseNode(tokens, () => START_MS),
    startBaseNode(tokens, () => START_MS),
  ])
  return {
    tokens,
    payments: nodes[0],
    intel: nodes[1],
    close: () => Promise.all(nodes.map((node) => node.close())),
  }
}

function open(mode: 'paper' | 'live' | 'sandbox', payments: BaseNode, intelRpcUrl: string | undefined) {
  return openBase({
    config: { mode, keys: { coinGecko: undefined, blockscout: undefined }, intelRpcUrl },
    world: {
      upstreams: { BLOCKSCOUT: 'http://127.0.0.1:9' },
      money: { rpc: { evm: [payments.url], svm: [] } },
    } as never,
    hosts: { open: () => ({ ask: () => Promise.reject(new Error('not asked here')) }) } as never,
    clock: createManualClock(START_MS),
  })
}

it('tokens are read from the node that is configured for them, and never from the chain of play money', async () => {
  const { tokens, payments, intel, close } = await startNodes()
  const [token] = tokens.tokens
  const read = async (mode: Parameters<typeof open>[0], url: string | undefined) => {
    const before = [payments.calls(), intel.calls()] as const
    const base = open(mode, payments, url)
    const symbol = await base.base.metadata(token?.address ?? '').then(
      (found) => found.symbol,
      () => undefined,
    )
    base.close()
    const [asked, askedIntel] = [payments.calls() > before[0], intel.calls() > before[1]]
    return { symbol, hasNode: base.hasNode, asked: asked ? 'payments' : askedIntel ? 'intel' : 'nobody' }
  }
  const symbol = token?.symbol
  try {
    expect(await read('paper', undefined)).toEqual({ symbol: undefined, hasNode: false, asked: 'nobody' })
    expect(await read('paper', intel.url)).toEqual({ symbol, hasNode: true, asked: 'intel' })
    expect(await read('live', intel.url)).toEqual({ symbol, hasNode: true, asked: 'intel' })
    expect(await read('live', undefined)).toEqual({ symbol, hasNode: true, asked: 'payments' })
    expect(await read('sandbox', intel.url)).toEqual({ symbol, hasNode: true, asked: 'payments' })
  } finally {
    await close()
  }
})
