import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { expect, onTestFinished, test } from 'vitest'
import { type Config, readConfig } from '../config/config.ts'
import { mapUpstreams } from '../config/providers.ts'
import { silentLog } from '../core/log.ts'
import { secret } from '../core/secret.ts'
import { createManualClock } from '../core/time/manual-clock.ts'
import { liveEnvironment } from '../testing/config/live-environment.ts'
import { createMemoryPaperBook, createMemoryPaperRows } from '../testing/ledger/bot/memory-paper-book.ts'
import { depositWalletOf } from '../upstreams/polymarket/relayer/deposit-wallet.ts'
import { openBotBrokers } from './bot-brokers.ts'

const key = generatePrivateKey()
const owner = privateKeyToAccount(key)
const wallet = depositWalletOf(owner.address)
const account = {
  TOLLBOOK_POLY_OWNER_KEY: key,
  TOLLBOOK_POLY_RELAYER_KEY: 'k'.repeat(20),
  TOLLBOOK_POLY_RELAYER_ADDRESS: owner.address,
}

function open(config: Config, prediction?: Parameters<typeof openBotBrokers>[0]['world']['prediction']) {
  const opened = openBotBrokers({
    ...{ config, clock: createManualClock(Date.UTC(2026, 0, 5, 12)), log: silentLog },
    // Nothing is asked here, and nobody listens there.
    world: { upstreams: mapUpstreams(() => 'http://127.0.0.1:1'), prediction },
    book: createMemoryPaperBook(createMemoryPaperRows()),
    markets: { open: () => undefined, missing: () => 'no market', onResolved: () => () => {} },
  })
  onTestFinished(opened.close)
  return opened
}

test('paper trades in every mode, with what is configured', async () => {
  for (const env of [{}, { TOLLBOOK_MODE: 'paper' }, liveEnvironment]) {
    const { brokers } = open(readConfig({ ...env, TOLLBOOK_PAPER_USD: '250' }))
    expect(brokers.paper.name).toBe('paper')
    expect(await brokers.paper.cashE6()).toBe(250_000_000n)
  }
})

test.each([
  ['paper mode', { TOLLBOOK_MODE: 'paper' }, 'TOLLBOOK_MODE=live'],
  ['live mode without an account', liveEnvironment, 'TOLLBOOK_POLY_OWNER_KEY'],
  ['the sandbox without a chain', {}, 'local chain'],
])('%s has no real account, and says what to do', (_, env, words) => {
  const { brokers, whyNoLive, wallet: none, counters } = open(readConfig(env))
  expect(brokers.polymarket).toBeUndefined()
  expect(whyNoLive).toContain(words)
  expect([none, counters()]).toEqual([undefined, []])
})

test('with an account live mode and the sandbox trade for real', () => {
  const prediction = {
    wallet,
    ownerKey: secret(key),
    relayerKey: { apiKey: secret('k'), address: owner.address },
  }
  for (const opened of [
    open(readConfig({ ...liveEnvironment, ...account })),
    open(readConfig({}), prediction),
  ]) {
    expect(opened.brokers.polymarket?.name).toBe('polymarket')
    expect([opened.whyNoLive, opened.wallet]).toEqual(['', wallet])
    expect(opened.counters().map(({ provider }) => provider)).toEqual(['poly_web', 'relayer'])
  }
})

test('the wallet that is shown is the one that trades', () => {
  const env = { ...liveEnvironment, ...account }
  expect(open(readConfig({ ...env, TOLLBOOK_POLY_WALLET: wallet })).wallet).toBe(wallet)
  const other = readConfig({ ...env, TOLLBOOK_POLY_WALLET: owner.address })
  expect(() => open(other)).toThrow(
    expect.objectContaining({ name: 'ConfigError', problems: [expect.stringContaining(wallet)] }),
  )
})
